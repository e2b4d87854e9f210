/** User > Get Many (docs/service.md#users). */
import * as api from '../../api/endpoints';
import { optionsField } from '../../fields/options';
import { outputFields } from '../../fields/output';
import { limitOf, pagingFields } from '../../fields/paging';
import { readList } from '../../transport/list';
import { reads, type Operation } from '../operation';

export const getManyUsers: Operation = {
	resource: 'user',
	operation: 'getAll',
	name: 'Get Many',
	action: 'Get many users',
	description: 'Get the users of your account',
	fields: [...pagingFields, ...outputFields, optionsField('parallelRequests')],
	execute: reads((item, execution) => {
		const limit = limitOf(item);
		const map = execution.outputMapper(item, 'user');
		const request = execution.request(item, api.listUsers());
		return async () =>
			await readList(execution.client, request, { limit, map: (record) => map(record) });
	}),
};
