/** Upload > Get Last (docs/service.md#last-uploads): many items share a request. */
import type { INodeProperties } from 'n8n-workflow';
import { optionsField } from '../../fields/options';
import { outputFields } from '../../fields/output';
import { lastUploadsBatch } from '../../lookups/lastUploads';
import { parseIds } from '../../values/ids';
import { InputError } from '../../values/inputError';
import { reads, type Operation } from '../operation';

const idsField: INodeProperties = {
	displayName: 'Engagement IDs',
	name: 'engagementIds',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 1001, 1002',
	description:
		'One or more engagement IDs, separated by commas. You can drag engagementId here from an earlier node.',
};

export const getLastUpload: Operation = {
	resource: 'upload',
	operation: 'getLast',
	name: 'Get Last',
	action: 'Get last upload of each engagement',
	description: 'Get the latest upload of one or more engagements',
	fields: [
		idsField,
		...outputFields('engagementId, uploadId, uploadStatus'),
		optionsField('includeMissing', 'pageSize', 'parallelRequests'),
	],
	execute: reads((item, execution) => {
		const ids = item.read('engagementIds', 'Engagement IDs', requiredIds);
		const { includeMissing, pageSize, timeout, customQuery: query } = item.options;
		const toOutput = execution.outputMapper(item, 'lastUpload');
		// Items whose requests differ only in the engagements share a batch.
		const options = { pageSize, timeout, query };
		const batch = execution.share(`last uploads ${JSON.stringify(options)}`, () =>
			lastUploadsBatch(execution.client, options),
		);
		for (const id of ids) batch.add(String(id));
		return async () => {
			const found = await Promise.all(
				ids.map(async (id) => ({ id, record: await batch.get(String(id)) })),
			);
			return found.flatMap(({ id, record }) => {
				if (record !== undefined) return [toOutput(record, id)];
				const missing = { engagementId: id, uploadId: null };
				if (includeMissing) return [{ ...missing, ...toOutput(missing, id) }];
				execution.hints.add('withoutUpload', id);
				return [];
			});
		};
	}),
};

function requiredIds(value: unknown, field: string): number[] {
	const ids = parseIds(value, field);
	if (ids !== undefined) return ids;
	throw new InputError(`${field} is empty`, `Enter one or more engagement IDs in ${field}`);
}
