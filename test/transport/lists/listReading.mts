import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { listUploads } from '../../../nodes/EngagementUploads/service/endpoints.ts';
import type { ServiceClient } from '../../../nodes/EngagementUploads/transport/client.ts';
import type { RecordPage } from '../../../nodes/EngagementUploads/transport/responses/responses.ts';
import type { ApiRequest } from '../../../nodes/EngagementUploads/transport/responses/request.ts';
import { pages } from '../../../nodes/EngagementUploads/transport/lists/lists.ts';
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

/** How a list is read. */
export interface ReadOptions {
	/** Fetches one page. */
	fetch?(page: number, isWanted: () => boolean): Promise<RecordPage>;
	pageSize?: number;
	start?: number;
	/** Maximum number of pages in flight. */
	parallel?: number;
	limit?: number;
}

/** Reads a list to its end, or up to a limit. */
export async function recordsOf({
	fetch,
	parallel: most = 4,
	limit = Infinity,
	...plan
}: ReadOptions & Pick<Required<ReadOptions>, 'fetch'>): Promise<IDataObject[]> {
	const records: IDataObject[] = [];
	const page = async ({ query, isWanted = () => true }: ApiRequest) =>
		await fetch(Number(query?.page ?? 0), isWanted);
	const client = {
		options: { parallel: most, timeout: 60_000 },
		page: page as ServiceClient['page'],
	};
	const needed = () => limit - records.length;
	for await (const each of pages(client, listUploads(), { pageSize: 100, ...plan, needed })) {
		records.push(...each.records);
		if (records.length >= limit) break;
	}
	return records.slice(0, limit);
}

/** Reads a service's list and returns the records' names. */
export async function idsOf(service: PagedService, options: ReadOptions = {}): Promise<unknown[]> {
	const fetch = async (page: number) => await Promise.resolve(service.answer(page));
	const records = await recordsOf({ fetch, ...options });
	return records.map(({ uploadId }) => uploadId);
}
