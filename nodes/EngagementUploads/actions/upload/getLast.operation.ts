/** Upload > Get Last (docs/service.md#last-uploads): many items share a request. */
import { text } from '../../fields/field';
import { options } from '../../fields/options';
import { output } from '../../fields/output';
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
	...reads(fields, ({ values }, execution) => {
		const {
			engagementIds: ids,
			options: { includeMissing, pageSize, timeout, customQuery: query },
		} = values;
		const toOutput = execution.outputMapper(values, 'lastUpload');
		const batch = execution.lastUploadsBatch({ pageSize, timeout, query });
		for (const id of ids) batch.add(String(id));
		return async () => {
			const found = await Promise.all(
				ids.map(async (id) => ({ id, record: await batch.get(String(id)) })),
			);
			return found.flatMap(({ id, record }) => {
				if (record !== undefined) return [toOutput(record, id)];
				const missing = { engagementId: id, uploadId: null };
				if (includeMissing) return [{ ...toOutput(missing, id), ...missing }];
				execution.hints.add('withoutUpload', id);
				return [];
			});
		};
	}),
} as const satisfies Operation;

function requiredIds(value: unknown, label: string): number[] {
	const ids = parseIds(value, label);
	if (ids !== undefined) return ids;
	throw new InputError(`${label} is empty`, `Enter one or more engagement IDs in ${label}`);
}
