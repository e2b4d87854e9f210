import fc from 'fast-check';
import { Batch, chunked, type BatchPlan } from '../../nodes/EngagementUploads/transport/batch.ts';

class Refusal extends Error {}

/** A service that knows some keys, and rejects a request with a bad one. */
class KeyedService {
	readonly requests: string[][] = [];

	constructor(
		private readonly known: (key: string) => boolean,
		private readonly bad: (key: string) => boolean = () => false,
	) {}

	batch(given: Partial<BatchPlan<string>> = {}): Batch<string> {
		return new Batch({
			fetch: async (keys) => await this.answer(keys),
			maxKeys: 100,
			maxCharacters: 1500,
			parallel: 8,
			isRefusal: (error) => error instanceof Refusal,
			...given,
		});
	}

	private async answer(keys: string[]): Promise<Map<string, string>> {
		this.requests.push(keys);
		await Promise.resolve();
		if (keys.some(this.bad)) throw new Refusal(`refused ${keys.join(',')}`);
		return new Map(keys.filter(this.known).map((key) => [key, `value of ${key}`]));
	}
}

const all = () => true;
const numbers = (count: number) =>
	Array.from({ length: count }, (_, index) => String(1000 + index));

async function askFor(batch: Batch<string>, keys: string[]) {
	for (const key of keys) batch.add(key);
	return await Promise.allSettled(keys.map(async (key) => await batch.get(key)));
}

describe('a batch', () => {
	it('requests every key once, together, and returns each result to its caller', async () => {
		const service = new KeyedService((key) => key !== '1003');
		const keys = [...numbers(150), '1000', '1149', '1003'];
		const answers = await askFor(service.batch(), keys);
		expect(service.requests.map(({ length }) => length)).toEqual([100, 50]);
		expect(answers).toEqual(
			keys.map((key) => ({
				status: 'fulfilled',
				value: key === '1003' ? undefined : `value of ${key}`,
			})),
		);
	});

	it('requests nothing before the first result is needed', () => {
		const service = new KeyedService(all);
		service.batch().add('1');
		expect(service.requests).toEqual([]);
	});

	it('splits a rejected batch until only the keys at fault fail', async () => {
		const given = fc
			.uniqueArray(fc.nat(500).map(String), { minLength: 1, maxLength: 120, size: 'max' })
			.chain((keys) =>
				fc.tuple(
					fc.constant(keys),
					fc.shuffledSubarray(keys, { maxLength: Math.min(5, keys.length) }),
				),
			);
		await fc.assert(
			fc.asyncProperty(given, async ([keys, bad]) => {
				const service = new KeyedService(all, (key) => bad.includes(key));
				const answers = await askFor(service.batch(), keys);
				expect(answers.map(({ status }) => status)).toEqual(
					keys.map((key) => (bad.includes(key) ? 'rejected' : 'fulfilled')),
				);
				const failures = answers.flatMap((answer) =>
					answer.status === 'rejected' ? [String(answer.reason)] : [],
				);
				const faulty = keys.filter((key) => bad.includes(key));
				expect(failures).toEqual(faulty.map((key) => `Error: refused ${key}`));
				// A fault costs two requests each time its batch is halved.
				expect(service.requests.length).toBeLessThanOrEqual(2 + faulty.length * 2 * 7);
			}),
		);
	});

	it('does not split a batch that failed for another reason: all its keys fail, but no others', async () => {
		const service = new KeyedService(all);
		const requests: string[][] = [];
		const batch = service.batch({
			maxKeys: 3,
			fetch: async (keys) => {
				requests.push(keys);
				if (keys.includes('1004')) throw new Error('the service failed');
				return await Promise.resolve(new Map(keys.map((key) => [key, key])));
			},
		});
		const answers = await askFor(batch, numbers(7));
		expect(requests).toHaveLength(3);
		expect(answers.map(({ status }) => status)).toEqual([
			...['fulfilled', 'fulfilled', 'fulfilled'],
			...['rejected', 'rejected', 'rejected'],
			'fulfilled',
		]);
	});

	it('keeps as many requests in flight as allowed, and no more', async () => {
		let inFlight = 0;
		let most = 0;
		const batch = new KeyedService(all).batch({
			maxKeys: 1,
			parallel: 3,
			fetch: async (keys) => {
				most = Math.max(most, ++inFlight);
				await new Promise(setImmediate);
				inFlight--;
				return new Map(keys.map((key) => [key, key]));
			},
		});
		await askFor(batch, numbers(10));
		expect(most).toBe(3);
	});
});

describe('chunks', () => {
	const keyLists = fc.array(fc.string({ minLength: 1, unit: 'grapheme', maxLength: 40 }));
	const most = fc.integer({ min: 1, max: 20 });
	const characters = fc.integer({ min: 1, max: 200 });

	it('keep every key, in order', () => {
		fc.assert(
			fc.property(keyLists, most, characters, (keys, count, length) => {
				const chunks = chunked(keys, count, length);
				expect(chunks.flat()).toEqual(keys);
				expect(chunks.every((chunk) => chunk.length > 0)).toBe(true);
			}),
		);
	});

	it('have neither too many keys nor too many characters, unless a single key is too long', () => {
		fc.assert(
			fc.property(keyLists, most, characters, (keys, count, length) => {
				for (const chunk of chunked(keys, count, length)) {
					expect(chunk.length).toBeLessThanOrEqual(count);
					const inUrl = chunk.map(encodeURIComponent).join(',');
					if (chunk.length > 1) expect(inUrl.length).toBeLessThanOrEqual(length);
				}
			}),
		);
	});

	it('are as full as possible', () => {
		expect(chunked(numbers(250), 100, 1500).map(({ length }) => length)).toEqual([100, 100, 50]);
		expect(chunked(['ab', 'cd', 'ef', 'gh'], 100, 6)).toEqual([
			['ab', 'cd'],
			['ef', 'gh'],
		]);
		expect(chunked([], 100, 1500)).toEqual([]);
	});
});
