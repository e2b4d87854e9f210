/**
 * Fetches the workflow records of uploads (docs/service.md#workflow), which contain their steps.
 * Invariants: the oldest uploads come first; and one upload's record holds up no other for good.
 */
import type { IDataObject } from 'n8n-workflow';
import { getWorkflow } from '../api/endpoints';
import type { ServiceClient } from '../transport/client';
import { faultOf, isAboutRequest, reportOf } from '../transport/failures/errors';
import { mapOrdered } from '../transport/http/pool';
import { fitsUrl } from '../transport/credential/address';
import { toText } from '../values/text';
import type { SeenUpload } from './upload';

export interface Steps {
	/** Records by upload ID; `null` if the service has none, refuses it or sends something else. */
	found: Map<string, IDataObject | null>;
	/** A quota, a limit or a connection that ended the fetching. */
	failure?: unknown;
}

/** Fetches records, oldest first, until time is up or a request fails that is not about one upload. */
export async function fetchSteps(
	client: ServiceClient,
	uploads: SeenUpload[],
	isTimeUp: () => boolean,
): Promise<Steps> {
	const found: Steps['found'] = new Map();
	let [failure, firstError]: unknown[] = [];
	await mapOrdered(uploads, client.options.parallel, async (upload, index) => {
		// The first one is always requested, since a poll that fetched none would make no progress.
		if (index > 0 && (failure !== undefined || isTimeUp())) return;
		try {
			found.set(upload.id, await workflowOf(client, upload));
		} catch (error) {
			if (isAboutUpload(error)) found.set(upload.id, null);
			else failure ??= error;
			if (index === 0) firstError = error;
		}
	});
	const [first] = uploads;
	// Its connection fails, while others work.
	if (first && found.size > 0 && faultOf(firstError) === 'connection') found.set(first.id, null);
	return { found, failure };
}

/** Told by the status; a 401 too is about the upload: the list was read with the same token. */
function isAboutUpload(error: unknown): boolean {
	const isUnauthorized = reportOf(error)?.status === 401;
	return isUnauthorized || isAboutRequest(error) || faultOf(error) === 'response';
}

async function workflowOf(client: ServiceClient, { record }: SeenUpload) {
	const engagementId = toText(record.engagementId);
	const uploadId = toText(record.uploadId);
	if (!fitsUrl(engagementId) || !fitsUrl(uploadId)) return null;
	return await client.record(getWorkflow(engagementId, uploadId));
}
