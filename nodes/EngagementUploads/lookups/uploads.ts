/** The uploads of engagements, many engagements per request. */
import { listLastUploads, listUploads, MAX_ENGAGEMENT_IDS } from '../service/endpoints';
import type { Upload } from '../service/uploadRecords';
import { pickNewer } from '../service/uploadStatus';
import type { ServiceClient } from '../transport/client';
import { having, type ApiRequest, type Query } from '../transport/request';
import { readList } from '../transport/pages';
import { isAbsent, toText } from '../values/text';
import { lookUp, type Answers } from './lookUp';

/** How to request uploads. */
export interface UploadsOptions {
	pageSize: number;
	query?: Query;
	/** milliseconds */
	timeout?: number;
}

/** The last upload of each engagement, by the engagement's ID. */
export async function findLastUploads(
	client: ServiceClient,
	engagementIds: Iterable<string>,
	{ pageSize, query, timeout }: UploadsOptions,
): Promise<Answers<Upload>> {
	return await lookUp(engagementIds, {
		async fetch(ids, retries) {
			const request = { ...ofEach(ids, listLastUploads(ids, query)), timeout, ...retries };
			const asked = new Set(ids);
			const findId = engagementReader(ids);
			const found = new Map<string, Upload>();
			for (const record of await readList(client, request, { pageSize })) {
				const id = findId(record);
				if (!asked.has(id) || isAbsent(record.uploadId)) continue;
				// The service may send several of one engagement, in any order.
				found.set(id, pickNewer(found.get(id), record, client.zone) ?? record);
			}
			return found;
		},
		maxKeys: MAX_ENGAGEMENT_IDS,
	});
}

/** All uploads of each engagement that match a query, by the engagement's ID. */
export async function findUploads(
	client: ServiceClient,
	engagementIds: Iterable<string>,
	{ query, timeout, purpose, pageSize }: UploadsOptions & { purpose: string },
): Promise<Answers<Upload[]>> {
	const requestFor = (ids: string[]) =>
		listUploads({ engagementId: ids.join(','), ...query }, purpose);
	return await lookUp(engagementIds, {
		async fetch(ids, retries) {
			const request = { ...ofEach(ids, requestFor(ids)), timeout, ...retries };
			const found = new Map<string, Upload[]>(ids.map((id) => [id, []]));
			const findId = engagementReader(ids);
			for (const record of await readList(client, request, { pageSize }))
				found.get(findId(record))?.push(record);
			return found;
		},
		maxKeys: MAX_ENGAGEMENT_IDS,
	});
}

/** Where several engagements are asked for, the response must say whose the uploads are. */
function ofEach(ids: string[], request: ApiRequest<Upload>): ApiRequest<Upload> {
	return ids.length === 1 ? request : { ...request, kind: having(request.kind, 'engagementId') };
}

/** Reads the engagement of an upload; if it names none, it is the only one that was asked for. */
function engagementReader(ids: string[]): (record: Upload) => string {
	const only = ids.length === 1 ? ids[0] : undefined;
	return ({ engagementId }) => toText(engagementId ?? only);
}
