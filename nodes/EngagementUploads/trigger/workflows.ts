/** The workflow records of uploads (interface section 4.7), as many as there is time for. */
import type { IDataObject } from 'n8n-workflow';
import { isNotFound } from '../transport/errors';
import { workflow } from '../transport/kinds';
import { mapOrdered } from '../transport/pool';
import type { Call, Service } from '../transport/request';
import { path } from '../transport/url';
import type { CompletedUpload } from './upload';

/** Uploads whose workflows are asked for before the time is looked at again. */
const STRETCH = 50;

/**
 * Workflows by upload id, `null` where the service has none. The first uploads come first; it stops
 * after `halfTime` (epoch milliseconds) with those that it has.
 */
export async function workflowsOf(
	service: Service,
	uploads: CompletedUpload[],
	halfTime: number,
): Promise<Map<string, IDataObject | null>> {
	const found = new Map<string, IDataObject | null>();
	for (let start = 0; start < uploads.length; start += STRETCH) {
		if (start > 0 && Date.now() >= halfTime) break;
		const stretch = uploads.slice(start, start + STRETCH);
		const workflows = await mapOrdered(stretch, service.options.parallel, async (upload) => {
			return await workflowOf(service, upload);
		});
		for (const [index, { id }] of stretch.entries()) found.set(id, workflows[index] ?? null);
	}
	return found;
}

async function workflowOf(
	service: Service,
	{ record }: CompletedUpload,
): Promise<IDataObject | null> {
	const call: Call = {
		method: 'GET',
		path: path`/v1/workflows/engagements/${String(record.engagementId)}/uploads/${String(record.uploadId)}`,
		purpose: `get the workflow of upload ${String(record.uploadId)}`,
	};
	return await service
		.record(call, workflow)
		.catch((error: unknown) => (isNotFound(error) ? null : Promise.reject(error)));
}
