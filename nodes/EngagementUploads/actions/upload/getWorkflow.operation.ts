/** Upload > Get Steps (docs/service.md#workflow). */
import * as api from '../../service/endpoints';
import { listSteps, printStep } from '../../service/uploadRecords';
import { engagement } from '../../fields/locators';
import { dependent, flag } from '../../fields/field';
import { output } from '../../fields/output';
import { uploadId } from '../../fields/upload';
import { defineOperation } from '../operation';

const wholeOutput = output('workflow');

const fields = {
	engagementId: engagement,
	uploadId,
	splitSteps: flag(
		'Split Steps',
		'Whether to return one item per processing step, in order, instead of one for the whole upload',
		{ default: true },
	),
	...wholeOutput,
	output: dependent({ hide: { splitSteps: [true] } }, wholeOutput.output),
};

export const getUploadWorkflow = defineOperation({
	resource: 'upload',
	operation: 'getWorkflow',
	name: 'Get Steps',
	action: 'Get processing steps of upload',
	description: 'Get the processing steps of an upload and their progress',
	fields,
	async read(item, { client }) {
		const { engagementId, uploadId: id, splitSteps: isSplit } = item.values;
		const record = await item.send(api.getWorkflow(engagementId, id));
		if (!isSplit) return [item.output(record, 'workflow')];
		return listSteps(record).map((step) => ({
			...printStep(step, client.zone),
			uploadId: id,
			engagementId,
		}));
	},
});
