/** Fetches the workflow records of uploads (docs/service.md#workflow), as many as time allows. */
import type { IDataObject } from 'n8n-workflow';
import { getWorkflow } from '../api/endpoints';
import type { ServiceClient } from '../transport/client';
import { mapOrdered } from '../transport/http/pool';
import { fitsUrl } from '../transport/http/url';
import { toText } from '../values/text';
import { faultOf } from './fault';
import type { SeenUpload } from './upload';

/** A record or null, or an error that may not occur next time. */
type Outcome = { record: IDataObject | null } | { error: unknown };

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
	const { parallel } = client.options;
	const outcomes = await mapOrdered(uploads, parallel, async (upload, index) => {
		// The first one is always requested, since a poll that fetched none would make no progress.
		if (index > 0 && isTimeUp()) return undefined;
		return await workflowOf(client, upload);
	});
	const found = new Map<string, IDataObject | null>();
	for (const [index, { id }] of uploads.entries()) {
		const outcome = outcomes[index];
		if (outcome !== undefined && 'record' in outcome) found.set(id, outcome.record);
	}
	const [[first], [outcome]] = [uploads, outcomes];
	if (first === undefined || outcome === undefined || 'record' in outcome) return found;
	// If others were fetched, the connection is not at fault, and the others must not wait for good.
	return found.size > 0 ? found.set(first.id, null) : await Promise.reject(outcome.error);
}

async function workflowOf(client: ServiceClient, { record }: SeenUpload): Promise<Outcome> {
	const engagementId = toText(record.engagementId);
	const uploadId = toText(record.uploadId);
	if (!fitsUrl(engagementId) || !fitsUrl(uploadId)) return { record: null };
	try {
		return { record: await client.record(getWorkflow(engagementId, uploadId)) };
	} catch (error) {
		const fault = faultOf(error);
		if (fault === 'access') return await Promise.reject(error);
		return fault === 'request' ? { record: null } : { error };
	}
}
