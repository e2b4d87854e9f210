import type { PageFields } from '../../../nodes/EngagementUploads/transport/request.ts';
import { recordsOf } from './listReading.mts';

const SIZE = 5;
const ids = Array.from({ length: 20 }, (_, index) => `upload ${index}`);
const pageOf = (part: number) => ids.slice(part * SIZE, (part + 1) * SIZE);

/** What a service may say about a page, given the page count and the records on it. */
type StatedFields = (page: number, pages: number, part: number) => PageFields;
const STATED: Record<string, StatedFields> = {
	'last alone': (page, pages) => ({ last: page >= pages - 1 }),
	'that none is the last': () => ({ last: false }),
	'all page fields': (page, totalPages) => ({
		last: page >= totalPages - 1,
		totalPages,
		totalElements: ids.length,
		number: page,
		size: SIZE,
	}),
};
const STATED_WHEN_REPEATED: typeof STATED = {
	...STATED,
	nothing: () => ({}),
	'all page fields with its own number': (page, totalPages, part) => ({
		...STATED['all page fields']?.(page, totalPages, part),
		number: part,
	}),
};

/** Reads a list whose pages contain these records, or none; further pages are empty. */
async function read(
	shown: Array<number | undefined>,
	stated: StatedFields,
	pageSize: number | undefined = SIZE,
) {
	const asked: number[] = [];
	const records = await recordsOf({
		pageSize,
		fetch: async (page) => {
			asked.push(page);
			const part = shown[page];
			return await Promise.resolve({
				records: (part === undefined ? [] : pageOf(part)).map((uploadId) => ({ uploadId })),
				page: stated(page, shown.length, part ?? page),
			});
		},
	});
	return { ids: records.map(({ uploadId }) => uploadId), asked };
}

describe('an empty page does not end a list that continues', () => {
	it.each(Object.entries(STATED))('by %s', async (_what, stated) => {
		expect((await read([0, undefined, 1, 2, 3], stated)).ids).toEqual(ids);
		expect((await read([undefined, 0, 1, 2, 3], stated)).ids).toEqual(ids);
	});

	it('but does if nothing says that there are more', async () => {
		expect(await read([0, undefined, 1], () => ({}))).toEqual({ ids: pageOf(0), asked: [0, 1] });
	});
});

describe('a repeated page does not end a list that continues', () => {
	it.each(Object.entries(STATED_WHEN_REPEATED))('with %s', async (_what, stated) => {
		expect((await read([0, 1, 1, 2, 3], stated)).ids).toEqual(ids);
		expect((await read([0, 0, 1, 2, 2, 3], stated)).ids).toEqual(ids);
	});
});

describe('a list is abandoned', () => {
	const same = Array.from({ length: 1000 }, () => 0);

	it.each([
		['nothing', () => ({})],
		['that none is the last', () => ({ last: false })],
		['its size', () => ({ size: SIZE })],
	] as Array<[string, StatedFields]>)('if every page repeats, with %s', async (_what, stated) => {
		for (const pageSize of [SIZE, undefined]) {
			const { ids: got, asked } = await read(same, stated, pageSize);
			expect(got).toEqual(pageOf(0));
			expect(asked.length).toBeLessThanOrEqual(3);
		}
	});

	it.each([
		['5 empty pages', [0, 1], 7],
		['20 repeated pages', same, 21],
	])('after %s, whatever its page count', async (_what, shown, requests) => {
		const { asked } = await read(shown, () => ({ totalPages: 1e6 }));
		expect(asked).toHaveLength(requests);
	});

	it('at the last page it counts, if that is empty', async () => {
		const { asked } = await read([0, 1], () => ({ last: false, totalPages: 3 }));
		expect(asked).toEqual([0, 1, 2]);
	});

	it('if it claims far more pages than it has', async () => {
		const { ids: got, asked } = await read([0, 1], () => ({ totalPages: 1e6, totalElements: 1e7 }));
		expect(got).toEqual(ids.slice(0, 2 * SIZE));
		expect(asked.length).toBeLessThanOrEqual(15);
	});
});
