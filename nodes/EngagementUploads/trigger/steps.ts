/** The items for uploads and, for Include Steps, their steps (docs/service.md#workflow). */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { getWorkflow } from '../service/endpoints';
import { toOutput } from '../service/kind';
import { currentStep, listSteps, printStep, upload as uploadKind } from '../service/uploadRecords';
import type { ServiceClient } from '../transport/client';
import { inParallel } from '../values/work';
import { isAbsent, toText } from '../values/text';
import type { Emission } from './diff';
import type { TriggerSettings } from './settings';

/** The workflow records by upload ID, without those that cannot be read; undefined without Include Steps. */
export async function fetchSteps(
	client: ServiceClient,
	{ includeWorkflow }: TriggerSettings,
	emissions: Emission[],
): Promise<Map<string, IDataObject> | undefined> {
	if (!includeWorkflow) return undefined;
	const found = new Map<string, IDataObject>();
	await inParallel(emissions, client.options.parallel, async ({ upload: { id, record } }) => {
		if (isAbsent(record.engagementId)) return;
		const request = getWorkflow(toText(record.engagementId), toText(record.uploadId));
		const workflow = await client.record(request).catch(() => undefined);
		if (workflow !== undefined) found.set(id, workflow);
	});
	return found;
}

/** The item for an upload. */
export function toItem(
	{ zone }: ServiceClient,
	settings: TriggerSettings,
	{ upload, ...added }: Emission,
	workflows: Map<string, IDataObject> | undefined,
): INodeExecutionData {
	const record = toOutput(upload.record, uploadKind, settings, { zone });
	const steps = workflows && stepFields(workflows.get(upload.id) ?? {}, zone);
	return { json: { ...record, ...added, ...steps } };
}

/** What Include Steps adds to an upload; null if there are no steps, or they cannot be read. */
function stepFields(record: IDataObject, zone: string): IDataObject {
	const steps = listSteps(record);
	if (steps.length === 0) return { steps: null, currentStep: null, currentStepStatus: null };
	const { name, status } = currentStep(record) ?? {};
	return {
		steps: steps.map((step) => printStep(step, zone)),
		currentStep: isAbsent(name) ? null : toText(name),
		currentStepStatus: isAbsent(status) ? null : toText(status),
	};
}
