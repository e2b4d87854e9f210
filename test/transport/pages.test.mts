/** Lists end where the service says so, whatever is on their pages. */
import fc from 'fast-check';
import { listUploads } from '../../nodes/EngagementUploads/service/endpoints.ts';
import type { ServiceClient } from '../../nodes/EngagementUploads/transport/client.ts';
import { ServiceFailure } from '../../nodes/EngagementUploads/transport/errors.ts';
import { FAILURES } from '../../nodes/EngagementUploads/transport/failures.ts';
import { pages } from '../../nodes/EngagementUploads/transport/pages.ts';
import type { Call, Optional } from '../../nodes/EngagementUploads/transport/request.ts';
import type { RecordPage } from '../../nodes/EngagementUploads/transport/responses.ts';
import { settled } from '../support/time/anyOrder.mts';

type PageFields = RecordPage['page'];
/** The page fields by page number. */
type Fields = (number: number) => PageFields;
type Answer = (number: number, size?: number) => RecordPage | Promise<RecordPage>;

/** A client that gets these pages, and the numbers of those that it was asked for. */
function makeClient(answer: Answer, parallel = 4) {
	const asked: number[] = [];
	const signals: Array<AbortSignal | undefined> = [];
	const page = async ({ query, signal }: Call) => {
		const number = Number(query?.page ?? 0);
		asked.push(number);
		signals.push(signal);
		return await answer(number, query?.size as number | undefined);
	};
	const options = { parallel, timeout: 60_000 };
	return {
		options,
		page: page as ServiceClient['page'],
		zone: 'UTC',
		leftOut: new Set<Optional>(),
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
const SIZE = (size: number) => () => ({ size });

describe('a list ends', () => {
	const NOTHING = () => ({});
	const MORE = () => ({ last: false, totalPages: 1 });

	it.each<[what: string, pages: string, fields: Fields, letters: string, asked: number]>([
		['with the page that is the last', 'ab,cd,ef', LAST(2), 'abcd', 2],
		['with the last of all pages', 'ab,cd,ef', TOTAL(2), 'abcd', 2],
		['with an empty page if nothing is said', 'ab,cd,,ef', NOTHING, 'abcd', 3],
		['with a page shorter than its own size', 'ab,cd,e,f', SIZE(2), 'abcde', 3],
		['with an empty page if its size is larger than requested', 'ab,cd,,ef', SIZE(5), 'abcd', 3],
		['with its only page if there are no pages', ',ab', TOTAL(0), '', 1],
		['not with records, though there are no pages', 'ab,cd,,ef', TOTAL(0), 'abcd', 3],
		['with a repeated page', 'ab,cd,cd,ef', NOTHING, 'abcd', 3],
		['after its only page, if that repeats', 'ab,ab,cd', NOTHING, 'ab', 2],
		['behind its stated end, with an empty page', 'ab,cd,,ef', MORE, 'abcd', 3],
	])('%s', async (_what, shown, fields, letters, asked) => {
		const list = await read(listOf(shown.split(','), fields), { pageSize: 2 });
		expect([list.error, list.letters]).toEqual([undefined, letters]);
		expect(list.asked).toEqual(Array.from({ length: asked }, (_, number) => number));
	});

	it('with its only page if the endpoint has no pages and says nothing', async () => {
		expect((await read(listOf(['ab', 'cd'], NOTHING))).asked).toEqual([0]);
		const paged = await read(listOf(['ab', 'cd'], SIZE(2)));
		expect([paged.letters, paged.asked]).toEqual(['abcd', [0, 1, 2]]);
	});
});

describe('nothing ends a list before its stated end', () => {
	const GAPS = ['ab', '', '', '', '', '', 'ab', 'ab', 'cd', 'cd', 'ef'];

	const END = { totalPages: GAPS.length };

	it.each<[string, Fields]>([
		['last', LAST(GAPS.length)],
		['totalPages', () => END],
		['totalPages on its first page', (number) => (number === 0 ? END : {})],
	])('neither empty nor repeated pages (%s)', async (_what, fields) => {
		const list = await read(listOf(GAPS, fields), { pageSize: 2 });
		expect([list.letters, list.error]).toEqual(['abcdef', undefined]);
	});

	it('but 100 pages in a row without a new record are an error, after what came before', async () => {
		const more = () => ({ last: false });
		const { letters, error, asked } = await read(listOf(['a', '', 'c'], more), { pageSize: 1 });
		expect([letters, asked.length]).toEqual(['ac', 103]);
		expect(error?.message).toMatch(/sent 100 pages in a row without a new record/);
		const late = ['a', ...Array<string>(99).fill(''), 'b'];
		expect((await read(listOf(late, more), { pageSize: 1 })).asked).toHaveLength(201);
		expect((await read(listOf(['a'], TOTAL(1000)), { pageSize: 1 })).error).toBeDefined();
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

	it('are used in order, whatever the order of their answers, with no more at once than allowed', async () => {
		const width = fc.integer({ min: 1, max: 6 });
		const property = fc.asyncProperty(fc.scheduler(), width, async (scheduler, parallel) => {
			let underWay = 0;
			const answerLater: Answer = async (number) => {
				underWay++;
				expect(underWay).toBeLessThanOrEqual(number === 0 ? 1 : parallel);
				await scheduler.schedule(Promise.resolve());
				underWay--;
				return answer(number);
			};
			const list = read(answerLater, { pageSize: 1, parallel });
			expect((await scheduler.waitFor(list)).letters).toBe(LETTERS);
		});
		await fc.assert(property);
	});

	it('are not requested beyond the records that are needed, and end when nobody needs them', async () => {
		const { letters, asked, signals } = await read(answer, { pageSize: 1, limit: 3 });
		expect([letters, asked]).toEqual(['abc', [0, 1, 2]]);
		expect(signals.every((signal) => signal?.aborted)).toBe(true);
	});

	it('that were read before one fails come first, and further failures disturb nobody', async () => {
		const failing: Answer = (number) =>
			number < 2 ? answer(number) : Promise.reject(new Error(`page ${number}`));
		const { letters, error } = await read(failing, { pageSize: 1 });
		expect([letters, error?.message]).toEqual(['ab', 'page 2']);
		await settled();
	});
});

describe('a page size', () => {
	const usual: string = FAILURES.invalid.advice ?? '';
	const refusal = (serviceMessage: string | undefined, status = 400, advice = usual) =>
		new ServiceFailure(
			'get it',
			{ fault: 'request', status },
			{ problem: 'no', advice, serviceMessage },
		);
	/** Reads two lists of a service that refuses each size, or something else. */
	async function readTwo(fields: Fields, other?: (number: number) => Error | undefined) {
		const shown = ['ab', 'cd', 'e'];
		const asked: string[] = [];
		const client = makeClient((number, size) => {
			asked.push(`${number} ${size ?? '-'}`);
			if (size !== undefined) throw refusal('size must not exceed 50', 422);
			const error = other?.(number);
			if (error !== undefined) throw error;
			return makePage(shown[number], fields(number));
		});
		const lists: string[] = [];
		for (let list = 0; list < 2; list++) {
			let letters = '';
			for await (const { records } of pages(client, listUploads(), { pageSize: 500 }))
				letters += records.map(({ uploadId }) => uploadId).join('');
			lists.push(letters);
		}
		return { lists, asked: asked.join() };
	}

	it.each<[string, Fields, string]>([
		['all that there are', LAST(3), '0 500,0 -,1 -,2 -,0 -,1 -,2 -'],
		['up to one shorter than its size', SIZE(2), '0 500,0 -,1 -,2 -,0 -,1 -,2 -'],
		['up to an empty one', () => ({}), '0 500,0 -,1 -,2 -,3 -,0 -,1 -,2 -,3 -'],
	])(
		'that is refused is left out once for all lists: pages are read, %s',
		async (_, fields, asked) => {
			expect(await readTwo(fields)).toEqual({ lists: ['abcde', 'abcde'], asked });
		},
	);

	it('that is refused, with something else that is too, is named only if it may be why', async () => {
		const renew = 'Enter a new Access Token';
		for (const [said, given, shown] of [
			['Page size must be at most 50', usual, `${usual}, and Page Size in Options`],
			[undefined, usual, `${usual}, and Page Size in Options`],
			['Bad Request', usual, `${usual}, and Page Size in Options`],
			['{"message":null,"code":400}', usual, `${usual}, and Page Size in Options`],
			['Unknown engagement', usual, usual],
			// The token has expired.
			[undefined, renew, renew],
		] as const) {
			const refused = refusal(said, 400, given);
			const { error, asked } = await read(() => Promise.reject(refused), { pageSize: 9 });
			expect([error?.message, asked]).toEqual([refused.message, [0, 0]]);
			expect(error).toMatchObject({ texts: { advice: shown } });
		}
	});

	it('is not the reason of other failures, and hides none', async () => {
		for (const status of [403, 404, 500]) {
			const { asked } = await read(() => Promise.reject(refusal('', status)), { pageSize: 9 });
			expect(asked).toEqual([0]);
		}
		expect((await read(() => Promise.reject(refusal('')))).asked).toEqual([0]);
		const down = refusal('Down', 503);
		await expect(readTwo(LAST(3), () => down)).rejects.toBe(down);
		const first = { texts: { serviceMessage: 'size must not exceed 50' } };
		await expect(readTwo(LAST(3), () => refusal('Other'))).rejects.toMatchObject(first);
	});
});
