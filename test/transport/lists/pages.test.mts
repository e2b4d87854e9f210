import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { upload } from '../../../nodes/EngagementUploads/api/records.ts';
import { readPage } from '../../../nodes/EngagementUploads/transport/responses/responses.ts';
import { behaviours, idsOf, parallel, recordsOf } from './listReading.mts';
import { PagedService, type Behaviour, type PageInfo } from './pagedService.mts';

/**
 * With more records, a service that does not state the end must be read further to see that it
 * repeats itself.
 */
const SPARE_REQUESTS = 3;

function needed({ count: records, size: perPage }: Behaviour, limit = Infinity): number {
	return Math.max(1, Math.ceil(Math.min(records, limit) / perPage));
}

describe('a list that does not change', () => {
	it('is read completely, in order, whatever the service says about its end', async () => {
		await fc.assert(
			fc.asyncProperty(behaviours, parallel, async (behaviour, most) => {
				const service = new PagedService(behaviour);
				expect(await idsOf(service, { parallel: most })).toEqual(service.atStart);
				const spare = behaviour.numbers === 'pages' ? SPARE_REQUESTS : SPARE_REQUESTS + most * 4;
				expect(service.asked.length).toBeLessThanOrEqual(needed(behaviour) + spare);
			}),
			{ numRuns: 300 },
		);
	});

	it('is read up to the limit', async () => {
		const limits = fc.integer({ min: 1, max: 80 });
		await fc.assert(
			fc.asyncProperty(behaviours, parallel, limits, async (behaviour, most, limit) => {
				const service = new PagedService(behaviour);
				const ids = await idsOf(service, { parallel: most, limit });
				expect(ids).toEqual(service.atStart.slice(0, limit));
			}),
			{ numRuns: 300 },
		);
	});

	it.each<[last: number, Partial<Behaviour> & { pageInfo: PageInfo }]>([
		// The end only becomes apparent beyond it.
		[3, { pageInfo: 'spring', neverLast: true, repeatsLast: true }],
		[3, { pageInfo: 'spring', neverLast: true }],
		[3, { pageInfo: 'nothing' }],
		// A page beyond the end looks like one in the middle.
		[4, { pageInfo: 'nothing', repeatsLast: true }],
		[4, { pageInfo: 'lastOnly', neverLast: true, repeatsLast: true }],
		[4, { pageInfo: 'lastOnly', neverLast: true }],
	])('of three pages is read up to page %d if %j', async (last, behaviour) => {
		const service = new PagedService({ count: 30, size: 10, ...behaviour });
		expect(await idsOf(service)).toEqual(service.atStart);
		expect(service.asked).toEqual(Array.from({ length: last + 1 }, (_, page) => page));
	});

	it('is read beyond a page shorter than the stated size if more records are stated', async () => {
		const service = new PagedService({ pageInfo: 'nothing', count: 30, size: 10 });
		const answer = service.answer.bind(service);
		const page = { size: 500, totalElements: 30 };
		service.answer = (number) => ({ ...answer(number), page });
		expect(await idsOf(service)).toEqual(service.atStart);
		expect(service.asked).toEqual([0, 1, 2]);
	});

	it('of 10,000 records needs 100 requests, as many at once as allowed', async () => {
		const service = new PagedService({ pageInfo: 'spring', count: 10_000, size: 100 });
		let inFlight = 0;
		let most = 0;
		const fetch = async (page: number) => {
			most = Math.max(most, ++inFlight);
			await new Promise(setImmediate);
			inFlight--;
			return service.answer(page);
		};
		expect(await idsOf(service, { fetch, parallel: 16 })).toEqual(service.atStart);
		expect(service.asked).toHaveLength(100);
		expect(most).toBe(16);
	});

	it('is read page by page once the service no longer states its total', async () => {
		const service = new PagedService({ pageInfo: 'spring', count: 100, size: 10 });
		const inFlight = new Set<number>();
		const others: number[] = [];
		const fetch = async (page: number) => {
			inFlight.add(page);
			await new Promise(setImmediate);
			others.push(inFlight.size - 1);
			inFlight.delete(page);
			const answer = service.answer(page);
			return page === 0 ? answer : { ...answer, page: { last: page === 9 } };
		};
		expect(await idsOf(service, { fetch, parallel: 3 })).toEqual(service.atStart);
		// Three were requested before the first of them said nothing of the total.
		expect(others).toEqual([0, 2, 1, 0, 0, 0, 0, 0, 0, 0]);
	});
});

describe('a list without page parameters', () => {
	const unpaged = { pageSize: undefined };

	it('needs one request if the response says there is no more', async () => {
		const service = new PagedService({ pageInfo: 'nothing', count: 30, size: 10 });
		expect(await idsOf(service, unpaged)).toEqual(service.atStart.slice(0, 10));
		expect(service.asked).toEqual([0]);
	});

	it.each(['spring', 'nestedPage', 'totalPages', 'lastOnly'] as const)(
		'is followed if the response says there is more (%s)',
		async (pageInfo) => {
			const service = new PagedService({ pageInfo, count: 30, size: 10 });
			expect(await idsOf(service, unpaged)).toEqual(service.atStart);
			expect(service.asked).toHaveLength(3);
		},
	);

	it.each([
		{ count: 45, requests: 3 },
		{ count: 40, requests: 3 },
		{ count: 19, requests: 1 },
	])('of $count records is followed if only its size is given', async ({ count, requests }) => {
		const service = new PagedService({ pageInfo: 'sizeOnly', count, size: 20 });
		expect(await idsOf(service, unpaged)).toEqual(service.atStart);
		expect(service.asked).toHaveLength(requests);
	});

	it('that is sent in full with every page is read once', async () => {
		const service = new PagedService({ pageInfo: 'nothing', count: 5, size: 5 });
		const fetch = async (page: number) => {
			service.asked.push(page);
			const records = service.atStart.map((uploadId) => ({ uploadId }));
			return await Promise.resolve({ records, page: { last: false } });
		};
		expect(await idsOf(service, { ...unpaged, fetch })).toEqual(service.atStart);
		expect(service.asked.length).toBeLessThanOrEqual(3);
	});
});

it('records without an ID count as often as they appear on a page', async () => {
	const pages = [[{ name: 'a' }, { name: 'a' }], [{ name: 'b' }]];
	const records = await recordsOf({
		fetch: async (page) =>
			await Promise.resolve({ records: pages[page] ?? [], page: { totalPages: 2 } }),
		pageSize: 2,
		parallel: 1,
	});
	expect(records).toEqual(pages.flat());
});

it('a record that one page names twice, in any case of its ID, counts once', async () => {
	const records = [{ uploadId: 'a' }, { uploadId: 'A' }, { uploadId: 'b' }];
	const fetch = async () => await Promise.resolve({ records, page: { last: true } });
	expect(await recordsOf({ fetch })).toEqual([{ uploadId: 'a' }, { uploadId: 'b' }]);
});

it('a record that has changed by the next page counts once, as first seen', async () => {
	const [before, after] = ['LOADING', 'COMPLETED'].map((status) => ({ uploadId: 'a', status }));
	const pages = [[before], [after, { uploadId: 'b' }]] as IDataObject[][];
	const fetch = async (page: number) =>
		await Promise.resolve({ records: pages[page] ?? [], page: { totalPages: 2 } });
	const records = await recordsOf({ fetch, pageSize: 2, parallel: 1 });
	expect(records).toEqual([before, { uploadId: 'b' }]);
});

it('a record that is sent instead of a page of one does not end the list', async () => {
	const records = ['a', 'b', 'c'].map((uploadId) => ({ uploadId }));
	const fetch = async (page: number) =>
		await Promise.resolve(readPage(records[page] ?? [], upload));
	const read = async (plan: object) => await recordsOf({ fetch, ...plan });
	expect(await read({ pageSize: 1 })).toEqual(records);
	expect(await read({ pageSize: 100 })).toEqual(records.slice(0, 1));
});
