/**
 * Fetches the workflow records of uploads (docs/service.md#workflow), which contain their steps. Invariant:
 * the record of one upload holds up no other for good.
 */
import type { IDataObject } from 'n8n-workflow';
import { getWorkflow } from '../service/endpoints';
import type { ServiceClient } from '../transport/client';
import { fitsUrl } from '../transport/address';
import { findFault, isAboutRequest, findReport } from '../transport/errors';
import { mapOrdered } from '../transport/limiter';
import { toText } from '../values/text';
import type { SeenUpload } from './upload';

export interface Workflows {
	/** By upload ID; `null` if the service has none, refuses it or sends something else. */
	records: Map<string, IDataObject | null>;
	/** A quota, a limit or a connection that ended the fetching. */
	failure?: unknown;
}

/** Fetches records, oldest first, until a request fails that is not about one upload. */
export async function fetchWorkflows(
	client: ServiceClient,
	uploads: SeenUpload[],
): Promise<Workflows> {
	const records: Workflows['records'] = new Map();
	const [first] = uploads;
	let [failure, firstError]: unknown[] = [];
	await mapOrdered(uploads, client.options.parallel, async (upload) => {
		if (failure !== undefined) return;
		try {
			records.set(upload.id, await fetchWorkflow(client, upload));
		} catch (error) {
			if (isAboutUpload(error)) records.set(upload.id, null);
			else failure ??= error;
			if (upload === first) firstError = error;
		}
	});
	// The connection fails for the first one, while it works for others.
	const isFirstAtFault = records.size > 0 && findFault(firstError) === 'connection';
	if (first && isFirstAtFault) records.set(first.id, null);
	return { records, failure };
}

/** A 401 too is about the upload: the list was read with the same token. */
function isAboutUpload(error: unknown): boolean {
	const isUnauthorized = findReport(error)?.status === 401;
	return isUnauthorized || isAboutRequest(error) || findFault(error) === 'response';
}

async function fetchWorkflow(client: ServiceClient, { record }: SeenUpload) {
	const engagementId = toText(record.engagementId);
	const uploadId = toText(record.uploadId);
	if (!fitsUrl(engagementId) || !fitsUrl(uploadId)) return null;
	return await client.record(getWorkflow(engagementId, uploadId));
}
