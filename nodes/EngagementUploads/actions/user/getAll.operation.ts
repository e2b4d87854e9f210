/** User > Get Many (interface section 4.6). */
import { optionsField } from '../../fields/options';
import { outputFields } from '../../fields/output';
import { limitOf, pagingFields } from '../../fields/paging';
import { CLIENT_ID } from '../../transport/address';
import { user } from '../../api/kinds';
import { readList } from '../../transport/list';
import { reads } from '../operation';
import { shownFor } from '../shown';

export const fields = shownFor('user', 'getAll', [
	...pagingFields,
	...outputFields,
	optionsField('parallelRequests'),
]);

export const operation = reads((item) => {
	const limit = limitOf(item);
	const shape = item.outputMapper('user');
	const call = item.caller('GET')(`/v1/clients/${CLIENT_ID}/users`, 'get the users');
	return async () => {
		const users = await readList(item.run.service, call, user, { limit });
		item.addListHints(users.length, limit);
		return users.map((record) => shape(record));
	};
});
