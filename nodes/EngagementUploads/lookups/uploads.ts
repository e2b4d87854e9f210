/** The uploads of engagements, many engagements per request. */
import { PAGE_SIZE } from '../fields/options';
import { listLastUploads, listUploads, MAX_ENGAGEMENT_IDS } from '../service/endpoints';
import type { Upload } from '../service/uploadRecords';
import { pickNewer } from '../service/uploadStatus';
import type { ServiceClient } from '../transport/client';
import type { Query } from '../transport/request';
import { readList } from '../transport/pages';
import { groupBy } from '../values/objects';
import { toText } from '../values/text';
import { lookUp, type Answers } from './lookUp';

/** The last upload of each engagement, by the engagement's ID; the service may send several, in any order. */
export async function findLastUploads(
	client: ServiceClient,
	engagementIds: Iterable<string>,
): Promise<Answers<Upload>> {
	return await lookUp(engagementIds, {
		async fetch(ids) {
			const newest = new Map<string, Upload>();
			const uploads = await readList(client, listLastUploads(ids), { pageSize: PAGE_SIZE });
			for (const upload of uploads) {
				const id = toText(upload.engagementId);
				newest.set(id, pickNewer(newest.get(id), upload, client.zone) ?? upload);
			}
			return newest;
		},
		maxKeys: MAX_ENGAGEMENT_IDS,
	});
}

/** The uploads of each engagement that match a query, by the engagement's ID. */
export async function findUploads(
	client: ServiceClient,
	engagementIds: Iterable<string>,
	{ query, purpose }: { query: Query; purpose: string },
): Promise<Answers<Upload[]>> {
	return await lookUp(engagementIds, {
		async fetch(ids) {
			const request = listUploads({ engagementId: ids.join(','), ...query }, purpose);
			const uploads = await readList(client, request, { pageSize: PAGE_SIZE });
			const byId = groupBy(uploads, ({ engagementId }) => toText(engagementId));
			return new Map(ids.map((id) => [id, byId.get(id) ?? []]));
		},
		maxKeys: MAX_ENGAGEMENT_IDS,
	});
}
