/** User > Get Many (docs/service.md#users). Filters apply to what the service returns. */
import * as api from '../../service/endpoints';
import type { User } from '../../service/records';
import { choice, choices, filterCollection } from '../../fields/field';
import { fieldMatcher } from '../../fields/filters';
import { options } from '../../fields/options';
import { output } from '../../fields/output';
import { paging } from '../../fields/paging';
import { foldCase, isAbsent } from '../../values/text';
import { requireField, withChecks } from '../listing';
import { defineOperation } from '../operation';

const fields = {
	...paging,
	filters: filterCollection({
		statuses: choices('Statuses', 'Only users with one of these statuses', {
			ACTIVE: ['Active'],
			DISABLED: ['Disabled'],
			INVITING: ['Inviting', 'Invited to join'],
		}),
		userType: choice('User Type', 'Only users of this type', 'staff', {
			sme: ['SME', 'People who share the data of a customer'],
			staff: ['Staff', 'All users of another type than SME'],
		}),
	}),
	...output('user'),
	options: options(),
};

export const getManyUsers = defineOperation({
	resource: 'user',
	operation: 'getAll',
	name: 'Get Many',
	action: 'Get many users',
	description: 'Get the users of your account, staff and customers',
	fields,
	kind: 'user',
	list(item) {
		const { statuses, userType } = item.values.filters;
		const hasAccepted = fieldMatcher({ statusCode: statuses });
		const isOfType = ({ userType: type }: User) =>
			!isAbsent(type) && (foldCase(type) === 'sme') === (userType === 'sme');
		const requests = [item.request(api.listUsers())];
		if (userType === undefined) return { requests, matches: hasAccepted };
		const matches = (user: User) => hasAccepted(user) && isOfType(user);
		return withChecks({ requests, matches }, requireField('userType', 'User Type'));
	},
});
