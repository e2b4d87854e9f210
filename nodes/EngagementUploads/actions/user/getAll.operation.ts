/** User > Get Many (docs/service.md#users). */
import * as api from '../../api/endpoints';
import { optionsField } from '../../fields/options';
import { outputFields } from '../../fields/output';
import { pagingFields } from '../../fields/paging';
import { lists } from '../lists';
import type { Operation } from '../operation';

export const getManyUsers: Operation = {
	resource: 'user',
	operation: 'getAll',
	name: 'Get Many',
	action: 'Get many users',
	description: 'Get the users of your account',
	fields: [
		...pagingFields,
		...outputFields('firstName, lastName, email'),
		optionsField('parallelRequests'),
	],
	execute: lists('user', (item, execution) => ({
		requests: async () => [execution.request(item, api.listUsers())],
	})),
};
