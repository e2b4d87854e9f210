/** User > Get Many (docs/service.md#users). */
import * as api from '../../api/endpoints';
import { options } from '../../fields/options';
import { output } from '../../fields/output';
import { paging } from '../../fields/paging';
import { lists, type Operation } from '../operation';

const fields = { ...paging, ...output('firstName, lastName, email'), options: options() };

export const getManyUsers = {
	resource: 'user',
	operation: 'getAll',
	name: 'Get Many',
	action: 'Get many users',
	description: 'Get the users of your account',
	...lists('user', fields, (item, execution) => async () => ({
		requests: [execution.request(item, api.listUsers())],
	})),
} as const satisfies Operation;
