import fc from 'fast-check';
import { upload } from '../../nodes/EngagementUploads/api/records.ts';
import { readAll, type PagePlan } from '../../nodes/EngagementUploads/transport/pageReader.ts';
import { PAGE_INFOS, type PagedService, type PageInfo } from './pagedService.mts';

const pageInfos = Object.keys(PAGE_INFOS) as PageInfo[];
const pageInfo = fc.constantFrom(...pageInfos);
/** Initial number of records in a list. */
export const count = fc.nat(60);
/** Records on a page. */
export const size = fc.integer({ min: 2, max: 9 });
/** Maximum number of pages in flight. */
export const parallel = fc.integer({ min: 1, max: 8 });
/** Services of every kind. */
export const behaviours = fc.record({
	pageInfo,
	count,
	size,
	repeatsLast: fc.boolean(),
	neverLast: fc.boolean(),
	countsPage: fc.boolean(),
	numbers: fc.constantFrom('pages' as const, 'fromOne' as const, 'elements' as const),
});

/** Reads a service's list and returns the records' names. */
export async function idsOf(
	service: PagedService,
	plan: Partial<PagePlan> = {},
): Promise<unknown[]> {
	const records = await readAll({
		kind: upload,
		fetch: async (page) => await Promise.resolve(service.answer(page)),
		pageSize: 100,
		parallel: 4,
		...plan,
	});
	return records.map(({ uploadId }) => uploadId);
}
