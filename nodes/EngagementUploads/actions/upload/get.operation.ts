/** Upload > Get (docs/service.md#uploads): the list, filtered by the ID. */
import * as api from '../../service/endpoints';
import { PAGE_SIZE } from '../../fields/options';
import { fieldMatcher } from '../../fields/filters';
import { output } from '../../fields/output';
import { uploadId } from '../../fields/upload';
import type { Upload } from '../../service/uploadRecords';
import { readList } from '../../transport/pages';
import { InputError, quote } from '../../values/inputError';
import { defineOperation } from '../operation';

const fields = { uploadId, ...output('upload') };

export const getUpload = defineOperation({
	resource: 'upload',
	operation: 'get',
	name: 'Get',
	action: 'Get upload',
	description: 'Get one upload by its Upload ID',
	fields,
	async read(item, { client }) {
		const { uploadId: id } = item.values;
		const request = item.request(api.listUploads({ uploadId: id }, `get upload ${id}`));
		const matches = fieldMatcher<Upload>({ uploadId: [id] });
		const [record] = await readList(client, request, { pageSize: PAGE_SIZE, limit: 1, matches });
		if (record !== undefined) return [item.output(record, 'upload')];
		throw new InputError(
			`No upload has the ID ${quote(id)}`,
			'Check the Upload ID, or find the upload with Upload > Get Many',
		);
	},
});
