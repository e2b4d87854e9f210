import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { chunked } from '../../nodes/EngagementUploads/lookups/batch.ts';
import { all, askFor, failureOf, KeyedService, numbers } from './keyedService.mts';

describe('a batch', () => {
	it.each([1, 2, 17, 100, 500, 20_000])(
		'gives up after at most 18 requests if all %d keys are refused',
		async (count) => {
			const service = new KeyedService(all, all, 403);
			const answers = await askFor(service.batch(), numbers(count));
			expect(service.requests.length).toBe(Math.min(2 * count - 1, 18));
			expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(count);
			// The first key was requested alone.
			expect(answers[0]).toEqual({ status: 'rejected', reason: failureOf(['1000'], 403) });
			// The last key was in no request.
			const reason = failureOf(numbers(100), 403);
			if (count === 20_000) expect(answers.at(-1)).toEqual({ status: 'rejected', reason });
		},
	);

	it.each<[string, (index: number) => boolean]>([
		['every tenth', (index) => index % 10 === 0],
		['every other one', (index) => index % 2 === 0],
		['every one of the first 200', (index) => index < 200],
		['every one of the first 30, and every 50th', (index) => index < 30 || index % 50 === 0],
	])('lets only the keys at fault fail if that is %s of 500', async (_, isBad) => {
		const service = new KeyedService(all, (key) => isBad(Number(key) - 1000), 410);
		const answers = await askFor(service.batch(), numbers(500));
		expect(answers.map(({ status }) => status)).toEqual(
			answers.map((_each, index) => (isBad(index) ? 'rejected' : 'fulfilled')),
		);
		const alone = service.requests.filter(({ length }) => length === 1).flat();
		expect(alone).toHaveLength(new Set(alone).size);
	});

	it('sends the other requests as soon as one has succeeded', async () => {
		const answered: string[] = [];
		const batch = new KeyedService(all).batch({
			fetch: async (keys) => {
				const [first = ''] = keys;
				// The first request is answered after all others, if they are sent meanwhile.
				for (let turns = 100; first === '1000' && turns > 0; turns--) await setImmediate();
				answered.push(first);
				return new Map(keys.map((key) => [key, key]));
			},
		});
		await askFor(batch, numbers(2000));
		expect(answered.indexOf('1000')).toBe(19);
	});

	/** Refuses requests for several keys; the first ones for a single key fail in another way. */
	async function askAmongFailures(failures: Error[]) {
		const requests: string[][] = [];
		const triedOnce = new Set<string>();
		const batch = new KeyedService(all).batch({
			fetch: async (keys, { isTriedOnce }) => {
				requests.push(keys);
				if (isTriedOnce) triedOnce.add(keys.join());
				await Promise.resolve();
				const failure = keys.length > 1 ? failureOf(keys, 413) : failures.shift();
				if (failure !== undefined) throw failure;
				return new Map(keys.map((key) => [key, key]));
			},
		});
		return { requests, triedOnce, answers: await askFor(batch, numbers(8)) };
	}

	it('requests a single key again after a failure of the service', async () => {
		const failures = ['1000', '1005'].map((key) => failureOf([key], 503));
		const { triedOnce, answers } = await askAmongFailures(failures);
		expect([...triedOnce]).toEqual(expect.arrayContaining(['1000', '1005']));
		expect(answers.every(({ status }) => status === 'fulfilled')).toBe(true);
	});

	it('requests no other key after a failure that is about all of them', async () => {
		const { requests, answers } = await askAmongFailures([new Error('The token has expired')]);
		expect(requests.map(({ length }) => length)).toEqual([8, 4, 4, 1]);
		expect(answers.every(({ status }) => status === 'rejected')).toBe(true);
	});

	it('gives up soon if everything is refused from some time on', async () => {
		const service: KeyedService = new KeyedService(all, () => service.requests.length > 30, 403);
		const answers = await askFor(service.batch(), numbers(20_000));
		expect(answers.some(({ status }) => status === 'fulfilled')).toBe(true);
		expect(service.requests.length).toBeLessThan(30 + 64 + 2 * 18);
	});

	it('requests nothing more in an outage', async () => {
		const service = new KeyedService(all, all, 503);
		const answers = await askFor(service.batch(), numbers(20_000));
		expect(answers.every(({ status }) => status === 'rejected')).toBe(true);
		expect(service.requests.length).toBeLessThanOrEqual(9 * 7);
	});

	it('of very many keys starts few requests at a time, since each start takes some time', async () => {
		let [underWay, most] = [0, 0];
		const batch = new KeyedService(all).batch({
			fetch: async () => {
				most = Math.max(most, ++underWay);
				await setImmediate();
				underWay--;
				return new Map();
			},
		});
		await askFor(batch, numbers(20_000));
		expect(most).toBeLessThan(80);
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
});

describe('the keys of a batch', () => {
	const keyLists = fc.array(fc.string({ minLength: 1, unit: 'grapheme', maxLength: 40 }));
	const most = fc.integer({ min: 1, max: 20 });
	const characters = fc.integer({ min: 1, max: 200 });

	it('are divided into requests with neither too many nor too long ones, unless a single one is too long', () => {
		fc.assert(
			fc.property(keyLists, most, characters, (keys, count, length) => {
				const chunks = chunked(keys, count, length);
				expect(chunks.flat()).toEqual(keys);
				for (const chunk of chunks) {
					expect(chunk.length).toBeLessThanOrEqual(count);
					const inUrl = chunk.map(encodeURIComponent).join(',');
					if (chunk.length > 1) expect(inUrl.length).toBeLessThanOrEqual(length);
				}
			}),
		);
	});

	it('are divided into requests as full as possible', () => {
		expect(chunked(Array<string>(250).fill('1000'), 100, 1500).map(({ length }) => length)).toEqual(
			[100, 100, 50],
		);
		expect(chunked(['ab', 'cd', 'ef', 'gh'], 100, 6)).toEqual([
			['ab', 'cd'],
			['ef', 'gh'],
		]);
		expect(chunked([], 100, 1500)).toEqual([]);
	});
});
