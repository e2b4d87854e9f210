/** Upload > Get Last (docs/service.md#last-uploads): many items share a request. */
import type { IDataObject } from 'n8n-workflow';
import type { Upload } from '../../api/records';
import { text } from '../../fields/field';
import { options } from '../../fields/options';
import { output } from '../../fields/output';
import { lastUploadsBatch } from '../../search/lastUploads';
import type { Batch } from '../../search/batch';
import { inSlices } from '../../values/clock';
import { parseIds } from '../../values/ids';
import { InputError } from '../../values/inputError';
import { reads, type Operation } from '../operation';

const fields = {
	engagementIds: text(
		'Engagement IDs',
		'One or more engagement IDs, separated by commas. You can drag engagementId here from an earlier node.',
		requiredIds,
		{ required: true, placeholder: 'e.g. 1001, 1002' },
	),
	...output('engagementId, uploadId, uploadStatus'),
	options: options('includeMissing', 'pageSize'),
};

export const getLastUpload = {
	resource: 'upload',
	operation: 'getLast',
	name: 'Get Last',
	action: 'Get last upload of each engagement',
	description: 'Get the latest upload of one or more engagements',
	...reads(fields, (execution) => {
		// Items whose requests differ only in the engagements share them.
		const batches = new Map<string, Batch<Upload>>();
		return ({ values }) => {
			const { pageSize, timeout, customQuery: query, includeMissing } = values.options;
			const toOutput = execution.outputMapper(values, 'lastUpload');
			const key = JSON.stringify({ pageSize, timeout, query });
			const batch =
				batches.get(key) ?? lastUploadsBatch(execution.client, { pageSize, timeout, query });
			batches.set(key, batch);
			for (const id of values.engagementIds) batch.add(String(id));
			return async () => {
				const records: IDataObject[] = [];
				for await (const id of inSlices(values.engagementIds)) {
					const record = await batch.get(String(id));
					const missing = { engagementId: id, uploadId: null };
					if (record !== undefined) records.push(toOutput(record, id));
					else if (includeMissing) records.push({ ...toOutput(missing, id), ...missing });
					else execution.hints.add('withoutUpload', id);
				}
				return records;
			};
		};
	}),
} as const satisfies Operation;

function requiredIds(value: unknown, label: string): number[] {
	const ids = parseIds(value, label);
	if (ids !== undefined) return ids;
	throw new InputError(`${label} is empty`, `Enter one or more engagement IDs in ${label}`);
}
