/** Upload > Get Last (interface section 4.5): many items share a request. */
import type { INodeProperties } from 'n8n-workflow';
import { lastUploads } from '../../lookups/lastUploads';
import { optionsField } from '../../fields/options';
import { outputFields } from '../../fields/output';
import { parseIds, InputError } from '../../values/input';
import { reads } from '../operation';
import { shownFor } from '../shown';

const idsField: INodeProperties = {
	displayName: 'Engagement IDs',
	name: 'engagementIds',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 1001, 1002',
	description:
		'The engagements whose last upload to get: one ID, or several separated by commas. You can drag engagementId here from an earlier node.',
};

export const fields = shownFor('upload', 'getLast', [
	idsField,
	...outputFields,
	optionsField('includeMissing', 'pageSize', 'parallelRequests'),
]);

export const operation = reads((item) => {
	const ids = item.read('engagementIds', 'Engagement IDs', requiredIds);
	const { includeMissing, pageSize, timeout, customQuery } = item.options;
	const shape = item.outputMapper('lastUpload');
	const request = { pageSize, timeout, query: customQuery };
	// Items whose requests differ in nothing but the engagements share a batch.
	const batch = item.run.shared(`last uploads ${JSON.stringify(request)}`, () =>
		lastUploads(item.run.service, request),
	);
	for (const id of ids) batch.add(String(id));
	return async () => {
		const found = await Promise.all(
			ids.map(async (id) => ({ id, record: await batch.get(String(id)) })),
		);
		return found.flatMap(({ id, record }) => {
			if (record !== undefined) return [shape(record, id)];
			const missing = { engagementId: id, uploadId: null };
			if (includeMissing) return [{ ...missing, ...shape(missing, id) }];
			item.run.hints.add('withoutUpload', id);
			return [];
		});
	};
});

function requiredIds(value: unknown, field: string): number[] {
	const ids = parseIds(value, field);
	if (ids !== undefined) return ids;
	throw new InputError(`${field} is empty`, `Enter one or more engagement IDs in ${field}`);
}
