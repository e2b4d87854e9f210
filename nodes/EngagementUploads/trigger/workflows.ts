/** The workflow records of uploads (docs/service.md#workflow), as many as there is time for. */
import type { IDataObject } from 'n8n-workflow';
import { toText } from '../values/text';
import { isNotFound } from '../transport/errors';
import { getWorkflow } from '../api/endpoints';
import { mapOrdered } from '../transport/pool';
import type { ServiceClient } from '../transport/client';
import type { CompletedUpload } from './upload';

/**
 * Workflows by upload id, `null` where the service has none. The first uploads come first; it stops
 * after `halfTime` (epoch milliseconds) with those that it has.
 */
export async function workflowsOf(
	service: ServiceClient,
	uploads: CompletedUpload[],
	halfTime: number,
): Promise<Map<string, IDataObject | null>> {
	const found = new Map<string, IDataObject | null>();
	await mapOrdered(uploads, service.options.parallel, async (upload, index) => {
		// The first is always asked for: a poll that got none would never get any further.
		if (index > 0 && Date.now() >= halfTime) return;
		found.set(upload.id, await workflowOf(service, upload));
	});
	return found;
}

async function workflowOf(
	service: ServiceClient,
	{ record }: CompletedUpload,
): Promise<IDataObject | null> {
	const request = getWorkflow(toText(record.engagementId), toText(record.uploadId));
	return await service
		.record(request)
		.catch((error: unknown) => (isNotFound(error) ? null : Promise.reject(error)));
}
