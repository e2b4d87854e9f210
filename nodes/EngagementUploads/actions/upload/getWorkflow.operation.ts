/** Upload > Get Steps (docs/service.md#workflow). */
import * as api from '../../api/endpoints';
import { engagement } from '../../fields/engagement';
import { dependent, flag, text } from '../../fields/field';
import { options } from '../../fields/options';
import { output } from '../../fields/output';
import { splitSteps } from '../../output/simplified';
import { parseUploadId } from '../../values/ids';
import { reads, type Operation } from '../operation';

const unlessSplit = output('uploadId, status, currentStep');

const fields = {
	engagementId: engagement,
	uploadId: text(
		'Upload ID',
		'ID of the upload. You can drag uploadId here from an earlier node.',
		parseUploadId,
		{ required: true, placeholder: 'e.g. 5f0c9a3e-7d1b-4c52-9a54-0f5b7f1d2c11' },
	),
	splitSteps: flag(
		'Split Steps',
		'Whether to return one item per processing step, in order, instead of one for the whole upload',
	),
	output: dependent({ hide: { splitSteps: [true] } }, unlessSplit.output),
	fields: dependent({ hide: { splitSteps: [true] } }, unlessSplit.fields),
	options: options(),
};

export const getUploadWorkflow = {
	resource: 'upload',
	operation: 'getWorkflow',
	name: 'Get Steps',
	action: 'Get processing steps of upload',
	description: 'Get the processing steps of an upload and their progress',
	...reads(fields, (execution) => (item) => {
		const { uploadId, output: form, fields: names } = item.values;
		const find = execution.target(item, (id) => api.getWorkflow(id, uploadId));
		const toOutput = form && execution.outputMapper({ output: form, fields: names }, 'workflow');
		return async () => {
			const { engagementId, request } = await find();
			const record = await execution.client.record(request);
			if (toOutput !== undefined) return [toOutput(record, engagementId)];
			const steps = splitSteps(record, execution.client.zone);
			return steps.map((step) => ({ ...step, uploadId, engagementId }));
		};
	}),
} as const satisfies Operation;
