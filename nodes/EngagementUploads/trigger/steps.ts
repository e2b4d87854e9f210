/**
 * The items for uploads and, for Include Steps, their workflow records (docs/service.md#workflow). Invariant:
 * one upload whose record cannot be fetched does not hold up the others for good.
 */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { getWorkflow } from '../service/endpoints';
import { toOutput } from '../service/kind';
import { currentStep, listSteps, printStep, upload as uploadKind } from '../service/uploadRecords';
import type { ServiceClient } from '../transport/client';
import { findFault, findStatus, isAboutRequest } from '../transport/errors';
import { inParallel } from '../values/work';
import { isAbsent, toText } from '../values/text';
import type { Emission } from './cursor';
import type { Session } from './session';
import type { SeenUpload } from './upload';

/** What a gateway answers while the service behind it is down or being updated. */
const UNAVAILABLE = [502, 503, 504];

export interface Workflows {
	/** By upload ID; `null` if the service has none, rejects the request or sends something else. */
	records: Map<string, IDataObject | null>;
	/** Why the others were not fetched: a quota, a rate limit, the connection or an outage. */
	failure?: unknown;
}

/**
 * Fetches records, oldest first, until a request fails that is not about one upload; undefined without
 * Include Steps.
 */
export async function fetchWorkflows(
	{ settings, stepsClient: client }: Session,
	emissions: Emission[],
): Promise<Workflows | undefined> {
	if (!settings.includeWorkflow) return undefined;
	const records: Workflows['records'] = new Map();
	const uploads = emissions.map(({ upload }) => upload);
	const [first] = uploads;
	let failure: unknown;
	let firstError: unknown;
	await inParallel(uploads, client.options.parallel, async (upload) => {
		if (failure !== undefined) return;
		try {
			records.set(upload.id, await fetchWorkflow(client, upload));
		} catch (error) {
			if (isAboutUpload(error)) records.set(upload.id, null);
			else failure ??= error;
			if (upload === first) firstError = error;
		}
	});
	// If this happens for the oldest and not for others, that upload is the reason.
	const isFirstAtFault =
		records.size > 0 && ['connection', 'service', 'timeout'].includes(findFault(firstError));
	if (first && isFirstAtFault) records.set(first.id, null);
	return { records, failure };
}

/** Even a 401 is about the upload, since the list was read with the same token. */
function isAboutUpload(error: unknown): boolean {
	const status = findStatus(error) ?? 0;
	const isDown = findFault(error) === 'timeout' || UNAVAILABLE.includes(status);
	return status === 401 || (isAboutRequest(error) && !isDown);
}

async function fetchWorkflow(client: ServiceClient, { record }: SeenUpload) {
	if (isAbsent(record.engagementId)) return null;
	return await client.record(getWorkflow(toText(record.engagementId), toText(record.uploadId)));
}

/** The item for an upload; `workflows` is undefined without Include Steps. */
export function toItem(
	{ settings, list }: Session,
	{ upload, ...added }: Emission,
	workflows: Workflows | undefined,
): INodeExecutionData {
	const { zone } = list.client;
	const json: IDataObject = {
		...toOutput(upload.record, uploadKind, settings, { zone }),
		...added,
	};
	if (workflows !== undefined)
		Object.assign(json, stepFields(workflows.records.get(upload.id), zone));
	return { json };
}

/** What Include Steps adds to an upload; null if the service has no steps, or refuses to show them. */
function stepFields(record: IDataObject | null | undefined, zone: string): IDataObject {
	const steps = listSteps(record ?? {});
	if (steps.length === 0) return { steps: null, currentStep: null, currentStepStatus: null };
	const { name, status } = currentStep(record ?? {}) ?? {};
	return {
		steps: steps.map((step) => printStep(step, zone)),
		currentStep: isAbsent(name) ? null : toText(name),
		currentStepStatus: isAbsent(status) ? null : toText(status),
	};
}
