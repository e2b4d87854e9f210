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
	const listed = await readList(client, { ...listLastUploads(ids, query), timeout }, { pageSize });
	const records = listed.filter(({ uploadId }) => !isAbsent(uploadId));
	// If the service sends several for an engagement, the first one is the latest.
	const keyOf = ({ engagementId }: Upload) =>
		toText(engagementId ?? (ids.length === 1 ? ids[0] : ''));
	return new Map(records.reverse().map((record) => [keyOf(record), record]));
}
