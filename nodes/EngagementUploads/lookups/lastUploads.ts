/** The last uploads of engagements, many per request. */
import type { Upload } from '../api/records';
import { listLastUploads, MAX_ENGAGEMENT_IDS } from '../api/endpoints';
import { Batch } from '../transport/batch';
import type { ServiceClient } from '../transport/client';
import { isRefusal } from '../transport/errors';
import { readList } from '../transport/list';
import { withQuery, type Query } from '../transport/url';
import { isAbsent, toText } from '../values/text';

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
): Batch<Upload> {
	return new Batch({
		fetch: async (ids) => await fetchLastUploads(client, ids, options),
		maxKeys: MAX_ENGAGEMENT_IDS,
		maxCharacters: client.remainingLength(
			withQuery(listLastUploads([]).path, { engagementIds: '', ...options.query }),
		),
		parallel: client.options.parallel,
		isRefusal,
	});
}

async function fetchLastUploads(
	client: ServiceClient,
	ids: string[],
	{ pageSize, query, timeout }: LastUploadsOptions,
): Promise<Map<string, Upload>> {
	const request = { ...listLastUploads(ids, query), timeout };
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
