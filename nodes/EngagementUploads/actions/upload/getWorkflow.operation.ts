/** Upload > Get Steps (docs/service.md#workflow). */
import * as api from '../../service/endpoints';
import { listSteps, printStep } from '../../service/uploadRecords';
import { engagement } from '../../fields/locators';
import { dependent, flag } from '../../fields/field';
import { output } from '../../fields/output';
import { uploadId } from '../../fields/upload';
import { defineOperation } from '../operation';

/** The fields of a step, which each item has. */
const STEP_FIELDS = ['stepId', 'name', 'status', 'sorting', 'created', 'started', 'lastUpdate'];

const wholeOutput = output('workflow');

const fields = {
	engagementId: engagement,
	uploadId,
	splitSteps: flag(
		'Split Steps',
		'Whether to return one item per processing step, in order, instead of one for the whole upload',
		{ default: true },
	),
	output: dependent({ hide: { splitSteps: [true] } }, wholeOutput.output),
	fields: dependent({ hide: { splitSteps: [true] } }, wholeOutput.fields),
};

export const getUploadWorkflow = defineOperation({
	resource: 'upload',
	operation: 'getWorkflow',
	name: 'Get Steps',
	action: 'Get steps of upload',
	description: 'Get the processing steps of an upload and their progress',
	fields,
	async read(item, { client }) {
		const { engagementId, uploadId: id, splitSteps: isSplit } = item.values;
		const record = await item.send(api.getWorkflow(engagementId, id));
		if (!isSplit) return [item.output(record, 'workflow')];
		return listSteps(record).map((step) => {
			const printed = printStep(step, client.zone);
			const own = STEP_FIELDS.map((name) => [name, printed[name] ?? null]);
			return { ...Object.fromEntries(own), uploadId: id, engagementId };
		});
	},
});
