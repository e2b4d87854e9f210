/** Upload > Get Last (docs/service.md#last-uploads): many items share a request. */
import type { Upload } from '../../service/records';
import { required, text } from '../../fields/field';
import { options } from '../../fields/options';
import { output } from '../../fields/output';
import { findLastUploads } from '../../lookups/uploads';
import { parseIds } from '../../values/ids';
import type { ItemOf } from '../item';
import { defineOperation } from '../operation';
import type { Run } from '../run';

const fields = {
	engagementIds: text(
		'Engagement IDs',
		'One or more engagement IDs, separated by commas. You can drag engagementId here from an earlier node.',
		required(parseIds),
		{ required: true, placeholder: 'e.g. 1001, 1002' },
	),
	...output('lastUpload'),
	options: options('includeMissing', 'pageSize'),
};

export const getLastUpload = defineOperation({
	resource: 'upload',
	operation: 'getLast',
	name: 'Get Last',
	action: 'Get last upload of each engagement',
	description: 'Get the latest upload of one or more engagements',
	fields,
	async readTogether(items, { customQuery: query, pageSize, timeout }, run) {
		const ids = items.flatMap(({ values }) => values.engagementIds).map(String);
		const onShift = () => run.hints.add('listChanged', 'last uploads');
		const uploads = await findLastUploads(run.client, ids, { query, pageSize, timeout, onShift });
		await run.readEach(items, async (item) =>
			item.values.engagementIds.flatMap((id) => toRecords(id, uploads.get(String(id)), item, run)),
		);
	},
});

/** The record for an engagement; without an upload, there is none, except with Include Missing. */
function toRecords(id: number, upload: Upload | undefined, item: ItemOf<typeof fields>, run: Run) {
	if (upload !== undefined) return [item.output(upload, 'lastUpload', id)];
	const missing = { engagementId: id, uploadId: null };
	if (item.values.options.includeMissing)
		return [{ ...item.output(missing, 'lastUpload', id), ...missing }];
	run.hints.add('withoutUpload', id);
	return [];
}
