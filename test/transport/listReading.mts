import fc from 'fast-check';
import { upload } from '../../nodes/EngagementUploads/api/records.ts';
import { readAll, type PagePlan } from '../../nodes/EngagementUploads/transport/pageReader.ts';
import { TELLINGS, type PagedService, type Telling } from './pagedService.mts';

const tellings = Object.keys(TELLINGS) as Telling[];
const telling = fc.constantFrom(...tellings);
/** Initial number of records in a list. */
export const count = fc.nat(60);
/** Records on a page. */
export const size = fc.integer({ min: 2, max: 9 });
/** Maximum number of pages in flight. */
export const parallel = fc.integer({ min: 1, max: 8 });
/** Services of every kind. */
export const behaviours = fc.record({
	telling,
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
