/** Fetches the workflow records of uploads (docs/service.md#workflow), as many as time allows. */
import type { IDataObject } from 'n8n-workflow';
import { getWorkflow } from '../api/endpoints';
import type { ServiceClient } from '../transport/client/client';
import { faultOf, reportOf } from '../transport/failures/errors';
import { mapOrdered } from '../transport/http/pool';
import { fitsUrl } from '../transport/credential/address';
import { toText } from '../values/text';
import type { SeenUpload } from './upload';

/**
 * Workflows by upload ID, `null` if the service has none, rejects the request or sends something
 * else. The first uploads come first; once time is up, no more are requested.
 * @throws if a token, a key, a quota or the connection is at fault
 */
export async function workflowsOf(
	client: ServiceClient,
	uploads: SeenUpload[],
	isTimeUp: () => boolean,
): Promise<Map<string, IDataObject | null>> {
	const found = new Map<string, IDataObject | null>();
	let failure: unknown;
	/** Every other request would fail too. */
	let isOver = false;
	await mapOrdered(uploads, client.options.parallel, async (upload, index) => {
		// The first one is always requested, since a poll that fetched none would make no progress.
		if (index > 0 && (isOver || isTimeUp())) return;
		try {
			found.set(upload.id, await workflowOf(client, upload));
		} catch (error) {
			const { status, failure: declared } = reportOf(error) ?? {};
			// The list was read with the same token and key.
			const isForbidden =
				[401, 403].includes(status ?? 0) &&
				!(declared && 'retryAfterMs' in declared && declared.retryAfterMs);
			const fault = isForbidden ? 'request' : faultOf(error);
			if (fault === 'request') return void found.set(upload.id, null);
			if (fault === 'access') isOver = true;
			if (index === 0 || isOver) failure ??= error;
		}
	});
	const [first] = uploads;
	if (first === undefined || failure === undefined || found.has(first.id)) return found;
	// If others were fetched, the connection is not at fault, and the others must not wait for good.
	return found.size > 0 && !isOver ? found.set(first.id, null) : await Promise.reject(failure);
}

async function workflowOf(client: ServiceClient, { record }: SeenUpload) {
	const engagementId = toText(record.engagementId);
	const uploadId = toText(record.uploadId);
	if (!fitsUrl(engagementId) || !fitsUrl(uploadId)) return null;
	return await client.record(getWorkflow(engagementId, uploadId));
}
