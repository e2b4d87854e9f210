/** The last uploads of engagements, many per request. */
import type { Upload } from '../api/records';
import { listLastUploads, MAX_ENGAGEMENT_IDS } from '../api/endpoints';
import type { ServiceClient } from '../transport/client';
import type { Call } from '../transport/request';
import { readList } from '../transport/pages';
import type { Query } from '../transport/address';
import { isAbsent, toText } from '../values/text';
import type { Access } from './access';
import { Batch } from './batch';

/** How last uploads are requested, besides the engagements. */
export interface LastUploadsOptions {
	pageSize: number;
	query?: Query;
	/** milliseconds */
	timeout: number;
}

/** A batch that finds the last upload of an engagement by its ID. */
export function lastUploadsBatch(
	client: ServiceClient,
	options: LastUploadsOptions,
	access?: Access,
): Batch<Upload> {
	const plan = {
		fetch: async (ids: string[], retries: Pick<Call, 'retriesServerErrors'>) =>
			await fetchLastUploads(client, ids, { ...options, ...retries }),
		maxKeys: MAX_ENGAGEMENT_IDS,
		maxCharacters: client.remainingLength(listLastUploads([], options.query)),
	};
	return new Batch(plan, access);
}

async function fetchLastUploads(
	client: ServiceClient,
	ids: string[],
	{ pageSize, query, ...options }: LastUploadsOptions & Pick<Call, 'retriesServerErrors'>,
): Promise<Map<string, Upload>> {
	const request = { ...listLastUploads(ids, query), ...options };
	const found = new Map<string, Upload>();
	// If the service sends several for an engagement, the first one is the latest.
	const isLast = (record: Upload) => {
		const id = toText(record.engagementId ?? (ids.length === 1 ? ids[0] : ''));
		if (isAbsent(record.uploadId) || found.has(id) || !ids.includes(id)) return false;
		found.set(id, record);
		return true;
	};
	// A list without page fields needs no further request once there is one for each.
	await readList(client, request, { pageSize, limit: ids.length, matches: isLast });
	return found;
}
