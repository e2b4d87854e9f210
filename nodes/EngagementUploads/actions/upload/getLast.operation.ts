/** Upload > Get Last (docs/service.md#last-uploads): many items share a request. */
import { engagement } from '../../fields/locators';
import { output } from '../../fields/output';
import { findLastUploads } from '../../lookups/uploads';
import { defineOperation } from '../operation';

const fields = {
	engagementId: engagement,
	...output('lastUpload'),
};

export const getLastUpload = defineOperation({
	resource: 'upload',
	operation: 'getLast',
	name: 'Get Last',
	action: 'Get last upload of engagement',
	description: 'Get the last upload of an engagement',
	fields,
	prepare: async (items, { client }) =>
		await findLastUploads(
			client,
			items.map(({ values }) => String(values.engagementId)),
		),
	async read(item, _run, uploads) {
		const { engagementId } = item.values;
		const upload = uploads.get(String(engagementId));
		if (upload !== undefined) return [item.output(upload, 'lastUpload')];
		const missing = { engagementId, uploadId: null };
		return [{ ...item.output(missing, 'lastUpload'), ...missing }];
	},
});
