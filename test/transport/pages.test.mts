/** Lists end where the service says so, whatever is on their pages. */
import fc from 'fast-check';
import { listUploads } from '../../nodes/EngagementUploads/service/endpoints.ts';
import type { ServiceClient } from '../../nodes/EngagementUploads/transport/client.ts';
import { ServiceFailure } from '../../nodes/EngagementUploads/transport/errors.ts';
import { pages } from '../../nodes/EngagementUploads/transport/pages.ts';
import type { Call, Optional, Query } from '../../nodes/EngagementUploads/transport/request.ts';
import type { RecordPage } from '../../nodes/EngagementUploads/transport/responses.ts';
import { settled } from '../support/time/anyOrder.mts';

type PageFields = RecordPage['page'];
/** The page fields by page number. */
type Fields = (number: number) => PageFields;
type Answer = (number: number, query: Query) => RecordPage | Promise<RecordPage>;

/** A client that gets these pages, and the numbers of those that it was asked for. */
function makeClient(answer: Answer, parallel = 4) {
	const asked: number[] = [];
	const signals: Array<AbortSignal | undefined> = [];
	const page = async ({ query, signal }: Call) => {
		const number = Number(query?.page ?? 0);
		asked.push(number);
		signals.push(signal);
		return await answer(number, query ?? {});
	};
	const options = { parallel, timeout: 60_000, deadline: Infinity };
	return {
		options,
		page: page as ServiceClient['page'],
		leftOut: new Set<Optional>(),
		notices: new Set<string>(),
		asked,
		signals,
	};
}

/** A page with an upload for each letter. */
const makePage = (letters = '', page: PageFields = {}): RecordPage => ({
	records: [...letters].map((uploadId) => ({ uploadId })),
	page,
});

interface Reading {
	pageSize?: number;
	parallel?: number;
	limit?: number;
}

/** Reads a list to its end, or up to a limit. */
async function read(answer: Answer, { limit = Infinity, parallel, ...plan }: Reading = {}) {
	const client = makeClient(answer, parallel);
	let letters = '';
	const needed = () => limit - letters.length;
	let error: Error | undefined;
	try {
		for await (const { records } of pages(client, listUploads(), { ...plan, needed })) {
			letters += records.map(({ uploadId }) => uploadId).join('');
			if (letters.length >= limit) break;
		}
	} catch (thrown) {
		error = thrown as Error;
	}
	return { letters, error, ...client };
}

/** Lists whose pages contain these letters; pages after the last one are empty. */
const listOf =
	(shown: string[], fields: Fields): Answer =>
	(number) =>
		makePage(shown[number], fields(number));
const LAST = (count: number) => (number: number) => ({ last: number >= count - 1 });
const TOTAL = (totalPages: number) => () => ({ totalPages });
const NOTHING = () => ({});

describe('a list ends', () => {
	/** How a service tells where a list ends, if it does. */
	const tellers: Record<string, (count: number) => Fields> = {
		last: LAST,
		totalPages: TOTAL,
		'totalPages of its first page': (count) => (number) =>
			number === 0 ? { totalPages: count } : {},
		nothing: () => NOTHING,
	};
	const letters = fc.string({ unit: fc.constantFrom(...'abcde'), maxLength: 3 });

	it.each(Object.entries(tellers))('where the service says so (%s)', async (by, tell) => {
		const lists = fc.array(letters, { minLength: 1, maxLength: 12 });
		const property = fc.asyncProperty(lists, async (shown) => {
			// Or else, with a page that brings nothing new.
			const before = (end: number) => [...new Set(shown.slice(0, end).join(''))];
			const old = shown.findIndex((_, at) => before(at).length === before(at + 1).length);
			const untilOld = old < 0 ? shown.length + 1 : old + 1;
			const count = by === 'nothing' ? untilOld : shown.length;
			const list = await read(listOf(shown, tell(shown.length)), { pageSize: 3 });
			expect([list.error, list.letters]).toEqual([undefined, before(count).join('')]);
			expect(list.asked).toEqual(Array.from({ length: count }, (_, number) => number));
		});
		await fc.assert(property);
	});

	it('with its only page if the endpoint has no pages and says nothing', async () => {
		expect((await read(listOf(['ab', 'cd'], NOTHING))).asked).toEqual([0]);
		expect((await read(listOf(['ab', 'cd'], TOTAL(2)))).letters).toBe('abcd');
	});

	it('with an error after 100 pages in a row without a new record', async () => {
		const more = () => ({ last: false });
		const { letters, error, asked } = await read(listOf(['a', '', 'c'], more), { pageSize: 1 });
		expect([letters, asked.length]).toEqual(['ac', 103]);
		expect(error?.message).toMatch(/sent 100 pages in a row without a new record/);
		const late = ['a', ...Array<string>(99).fill(''), 'b'];
		expect((await read(listOf(late, more), { pageSize: 1 })).asked).toHaveLength(201);
	});
});

it('two records with one ID are one; without an ID, with the same content', async () => {
	const records = [{ uploadId: 'A' }, { uploadId: 'a' }, { note: 1 }, { note: 1 }, { note: 2 }];
	const client = makeClient((number) => ({ records, page: LAST(2)(number) }));
	const found = [];
	for await (const page of pages(client, listUploads(), { pageSize: 9 }))
		found.push(...page.records);
	expect(found).toEqual([{ uploadId: 'A' }, { note: 1 }, { note: 2 }]);
});

describe('pages', () => {
	const LETTERS = 'abcdefghijkl';
	const answer = (number: number) => makePage(LETTERS[number], TOTAL(LETTERS.length)());

	it('are read side by side, as many as allowed, and used in order, whatever the order of their answers', async () => {
		const width = fc.integer({ min: 1, max: 6 });
		const property = fc.asyncProperty(fc.scheduler(), width, async (scheduler, parallel) => {
			let [underWay, most] = [0, 0];
			const answerLater: Answer = async (number) => {
				most = Math.max(most, ++underWay);
				if (number === 0) expect(underWay).toBe(1);
				await scheduler.schedule(Promise.resolve());
				underWay--;
				return answer(number);
			};
			const list = read(answerLater, { pageSize: 1, parallel });
			expect((await scheduler.waitFor(list)).letters).toBe(LETTERS);
			expect(most).toBe(parallel);
		});
		await fc.assert(property);
	});

	it('are not requested beyond the records that are needed', async () => {
		const { letters, asked } = await read(answer, { pageSize: 1, limit: 3 });
		expect([letters, asked]).toEqual(['abc', [0, 1, 2]]);
	});

	it('that were read before one fails come first, and the others end without disturbing anybody', async () => {
		const failing: Answer = (number) =>
			number < 2 ? answer(number) : Promise.reject(new Error(`page ${number}`));
		const { letters, error, signals } = await read(failing, { pageSize: 1 });
		expect([letters, error?.message]).toEqual(['ab', 'page 2']);
		expect(signals.at(-1)?.aborted).toBe(true);
		await settled();
	});
});

describe('a first page that is refused', () => {
	const refusal = (status: number, said = 'No') =>
		new ServiceFailure('get it', { fault: 'request', status }, { problem: said, advice: '' });

	/** Reads two lists of a service that answers so to each request with a size, or an order. */
	async function readTwo(refuses: (query: Query) => Error | undefined, order?: Optional[]) {
		const asked: string[] = [];
		const client = makeClient((number, query) => {
			asked.push(`${number} ${query.size ?? '-'} ${query.orderBy ?? '-'}`);
			const error = refuses(query);
			if (error !== undefined) throw error;
			return makePage(['ab', 'c'][number], LAST(2)(number));
		});
		const call = { ...listUploads({ orderBy: 'x' }), optional: order };
		const read = async () => {
			let letters = '';
			for await (const { records } of pages(client, call, { pageSize: 9 }))
				letters += records.map(({ uploadId }) => uploadId).join('');
			return letters;
		};
		const lists = [await read().catch(({ message }: Error) => message)];
		if (lists[0] === 'abc') lists.push(await read());
		return { lists, asked: asked.join() };
	}

	const both: Optional[] = ['orderBy', 'size'];

	it.each<[number, Optional[] | undefined, keyof Query]>([
		[400, undefined, 'size'],
		[422, both, 'size'],
		[500, both, 'orderBy'],
		[501, both, 'orderBy'],
	])('with %i is asked for without %j, and all later lists, too', async (status, may, name) => {
		const refuses = (query: Query) => (query[name] === undefined ? undefined : refusal(status));
		const left = may === undefined ? '- x' : '- -';
		const asked = ['0 9 x', ...[0, 1, 0, 1].map((number) => `${number} ${left}`)].join();
		expect(await readTwo(refuses, may)).toEqual({ lists: ['abc', 'abc'], asked });
	});

	it('again fails with the first refusal, and once for other reasons', async () => {
		const others = await readTwo(({ size }) => refusal(400, size === undefined ? 'Other' : 'Size'));
		expect(others).toEqual({ lists: ['Could not get it: Size'], asked: '0 9 x,0 - x' });
		for (const status of [403, 404, 500, 503])
			expect((await readTwo(() => refusal(status))).asked).toBe('0 9 x');
	});
});
