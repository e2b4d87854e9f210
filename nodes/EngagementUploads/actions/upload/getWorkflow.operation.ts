/** Upload > Get Workflow (interface section 4.7). */
import type { INodeProperties } from 'n8n-workflow';
import { engagementField, engagementOf } from '../../fields/engagement';
import { optionsField } from '../../fields/options';
import { outputFields } from '../../fields/output';
import { parseBoolean, parseUploadId } from '../../values/input';
import { stepsOf } from '../../output/simplified';
import { workflow } from '../../api/kinds';
import { path } from '../../transport/url';
import { reads } from '../operation';
import { shownFor } from '../shown';

const ownFields: INodeProperties[] = [
	{
		displayName: 'Upload ID',
		name: 'uploadId',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 5f0c9a3e-7d1b-4c52-9a54-0f5b7f1d2c11',
		description:
			'The upload whose processing steps to get. You can drag uploadId here from an earlier node.',
	},
	{
		displayName: 'Split Steps',
		name: 'splitSteps',
		type: 'boolean',
		default: false,
		description:
			'Whether to return one item for each processing step, in their order, instead of one for the upload',
	},
];

const unlessSplit = outputFields.map((field) => ({
	...field,
	displayOptions: { show: { ...field.displayOptions?.show, splitSteps: [false] } },
}));

export const fields = shownFor('upload', 'getWorkflow', [
	engagementField,
	...ownFields,
	...unlessSplit,
	optionsField('parallelRequests'),
]);

export const operation = reads((item) => {
	const engagementId = engagementOf(item);
	const upload = item.read('uploadId', 'Upload ID', parseUploadId);
	const shape = item.read('splitSteps', 'Split Steps', parseBoolean)
		? undefined
		: item.outputMapper('workflow');
	const callFor = item.caller('GET');
	return async () => {
		const id = await engagementId();
		const target = path`/v1/workflows/engagements/${id}/uploads/${upload}`;
		const record = await item.run.service.record(
			callFor(target, `get the workflow of upload ${upload}`),
			workflow,
		);
		if (shape !== undefined) return [shape(record, id)];
		return stepsOf(record).map((step) => ({ ...step, uploadId: upload, engagementId: id }));
	};
});
