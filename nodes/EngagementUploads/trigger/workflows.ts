/** Fetches the workflow records of uploads (docs/service.md#workflow), as many as time allows. */
import type { IDataObject } from 'n8n-workflow';
import { getWorkflow } from '../api/endpoints';
import type { ServiceClient } from '../transport/client';
import { reportOf, type Failure } from '../transport/errors';
import { mapOrdered } from '../transport/pool';
import { MAX_RETRY_AFTER } from '../transport/retry';
import { toText } from '../values/text';
import type { SeenUpload } from './upload';

/** The outcome of a request: a record or null, or an error that may not occur next time. */
type Outcome = { record: IDataObject | null } | { error: Error };

/** Uploads whose workflow has failed a poll; each may do so only once. */
const failedBefore = new Set<string>();
const MAX_REMEMBERED = 1000;

/**
 * Workflows by upload ID, `null` if the service has none, rejects the request or sends something
 * else. The first uploads come first; after `softDeadline` (epoch milliseconds), no more are
 * requested.
 * @throws if a token, a key, a quota or the connection is at fault
 */
export async function workflowsOf(
	client: ServiceClient,
	uploads: SeenUpload[],
	softDeadline: number,
): Promise<Map<string, IDataObject | null>> {
	const { parallel } = client.options;
	const outcomes = await mapOrdered(uploads, parallel, async (upload, index) => {
		// The first one is always requested, since a poll that fetched none would make no progress.
		if (index > 0 && Date.now() >= softDeadline) return undefined;
		return await workflowOf(client, upload);
	});
	const found = new Map<string, IDataObject | null>();
	for (const [index, outcome] of outcomes.entries()) {
		const upload = uploads[index];
		if (upload === undefined || outcome === undefined || !('record' in outcome)) continue;
		found.set(upload.id, outcome.record);
		failedBefore.delete(upload.id);
	}
	const [[first], [outcome]] = [uploads, outcomes];
	if (first === undefined || outcome === undefined || 'record' in outcome) return found;
	const isOwnFault = found.size > 0;
	if (!isOwnFault || !failedBefore.delete(first.id)) {
		if (failedBefore.size >= MAX_REMEMBERED) failedBefore.clear();
		failedBefore.add(first.id);
		throw outcome.error;
	}
	return found.set(first.id, null);
}

async function workflowOf(client: ServiceClient, { record }: SeenUpload): Promise<Outcome> {
	const request = getWorkflow(toText(record.engagementId), toText(record.uploadId));
	try {
		return { record: await client.record(request) };
	} catch (error) {
		const { status, failure, isUnreadable } = reportOf(error) ?? {};
		if (isUnreadable) return { record: null };
		const mayRecur = failure === undefined || failure.cause === 'temporarily-unavailable';
		const isAskedToWait = waitOf(failure) > MAX_RETRY_AFTER;
		if (status !== undefined && mayRecur && !isAskedToWait) return { record: null };
		const isConnection = status === undefined && failure?.cause === 'temporarily-unavailable';
		if (isConnection && error instanceof Error) return { error };
		return await Promise.reject(error);
	}
}

function waitOf(failure: Failure | undefined): number {
	return (failure !== undefined && 'retryAfterMs' in failure && failure.retryAfterMs) || 0;
}
