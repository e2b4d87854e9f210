/** User > Get Many (docs/service.md#users). */
import * as api from '../../service/endpoints';
import { options } from '../../fields/options';
import { output } from '../../fields/output';
import { paging } from '../../fields/paging';
import { defineOperation } from '../operation';

const fields = { ...paging, ...output('user'), options: options() };

export const getManyUsers = defineOperation({
	resource: 'user',
	operation: 'getAll',
	name: 'Get Many',
	action: 'Get many users',
	description: 'Get the users of your account',
	fields,
	kind: 'user',
	list: (item) => ({ requests: [item.request(api.listUsers())] }),
});
