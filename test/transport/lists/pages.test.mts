import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { upload } from '../../../nodes/EngagementUploads/service/records.ts';
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
	it('is read completely or up to a limit, in order, whatever the service says about its end', async () => {
		const limits = fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 80 }));
		await fc.assert(
			fc.asyncProperty(behaviours, parallel, limits, async (behaviour, most, limit) => {
				const service = new PagedService(behaviour);
				const ids = await idsOf(service, { parallel: most, limit });
				expect(ids).toEqual(service.atStart.slice(0, limit));
				const spare = behaviour.numbers === 'pages' ? SPARE_REQUESTS : SPARE_REQUESTS + most * 4;
				expect(service.asked.length).toBeLessThanOrEqual(needed(behaviour, limit) + spare);
			}),
			{ numRuns: 500 },
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
});

it.each<[what: string, pages: IDataObject[][], read: IDataObject[]]>([
	[
		'without an ID counts as often as it is on a page',
		[[{ name: 'a' }, { name: 'a' }], [{ name: 'b' }]],
		[{ name: 'a' }, { name: 'a' }, { name: 'b' }],
	],
	[
		'that one page names twice, in any case of its ID, counts once',
		[[{ uploadId: 'a' }, { uploadId: 'A' }], [{ uploadId: 'b' }]],
		[{ uploadId: 'a' }, { uploadId: 'b' }],
	],
	[
		'that has changed by the next page counts once, as first seen',
		[[{ uploadId: 'a', uploadStatus: 'LOADING' }], [{ uploadId: 'a' }, { uploadId: 'b' }]],
		[{ uploadId: 'a', uploadStatus: 'LOADING' }, { uploadId: 'b' }],
	],
])('a record %s', async (_what, pages, read) => {
	const fetch = async (page: number) =>
		await Promise.resolve({ records: pages[page] ?? [], page: { totalPages: 2 } });
	expect(await recordsOf({ fetch, pageSize: 2, parallel: 1 })).toEqual(read);
});

it('a record that is sent instead of a page of one does not end the list', async () => {
	const records = ['a', 'b', 'c'].map((uploadId) => ({ uploadId }));
	const fetch = async (page: number) =>
		await Promise.resolve(readPage(records[page] ?? [], upload));
	const read = async (plan: object) => await recordsOf({ fetch, ...plan });
	expect(await read({ pageSize: 1 })).toEqual(records);
	expect(await read({ pageSize: 100 })).toEqual(records.slice(0, 1));
});
