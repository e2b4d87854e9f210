/** Upload > Get Workflow (docs/service.md#workflow). */
import type { INodeProperties } from 'n8n-workflow';
import * as api from '../../api/endpoints';
import { engagementField } from '../../fields/engagement';
import { optionsField } from '../../fields/options';
import { outputFields } from '../../fields/output';
import { splitSteps } from '../../output/simplified';
import { parseUploadId } from '../../values/ids';
import { parseBoolean } from '../../values/scalars';
import { reads, type Operation } from '../operation';

const uploadIdField: INodeProperties = {
	displayName: 'Upload ID',
	name: 'uploadId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 5f0c9a3e-7d1b-4c52-9a54-0f5b7f1d2c11',
	description: 'ID of the upload. You can drag uploadId here from an earlier node.',
};

const splitStepsField: INodeProperties = {
	displayName: 'Split Steps',
	name: 'splitSteps',
	type: 'boolean',
	default: false,
	description:
		'Whether to return one item per processing step, in order, instead of one for the whole upload',
};

const unlessSplit = outputFields('uploadId, status, currentStep').map((field) => ({
	...field,
	displayOptions: { ...field.displayOptions, hide: { splitSteps: [true] } },
}));

export const getUploadWorkflow: Operation = {
	resource: 'upload',
	operation: 'getWorkflow',
	name: 'Get Workflow',
	action: 'Get processing steps of upload',
	description: 'Get the processing steps of an upload and their progress',
	fields: [
		engagementField,
		uploadIdField,
		splitStepsField,
		...unlessSplit,
		optionsField('parallelRequests'),
	],
	execute: reads((item, execution) => {
		const engagementId = execution.engagementId(item);
		const uploadId = item.read('uploadId', 'Upload ID', parseUploadId);
		const splits = item.read('splitSteps', 'Split Steps', parseBoolean);
		const toOutput = splits ? undefined : execution.outputMapper(item, 'workflow');
		return async () => {
			const id = await engagementId();
			const record = await execution.record(item, api.getWorkflow(id, uploadId));
			if (toOutput !== undefined) return [toOutput(record, id)];
			const steps = splitSteps(record, execution.client.zone);
			return steps.map((step) => ({ ...step, uploadId, engagementId: id }));
		};
	}),
};
