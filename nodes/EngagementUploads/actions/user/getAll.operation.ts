/** User > Get Many (docs/service.md#users). Filters apply to what the service returns. */
import * as api from '../../service/endpoints';
import type { User } from '../../service/records';
import { choice, choices, filterCollection } from '../../fields/field';
import { fieldMatcher } from '../../fields/filters';
import { output } from '../../fields/output';
import { paging } from '../../fields/paging';
import { foldCase, isAbsent } from '../../values/text';
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
			sme: ['SME', 'Customers who share their data'],
			staff: ['Staff', 'Everyone else'],
		}),
	}),
	...output('user'),
};

export const getManyUsers = defineOperation({
	resource: 'user',
	operation: 'getAll',
	name: 'Get Many',
	action: 'Get many users',
	description: 'Get the users of your account, staff and customers',
	fields,
	async read(item) {
		const { statuses, userType } = item.values.filters;
		const matches = fieldMatcher(
			{ statusCode: statuses, userType: userType && [userType] },
			(user: User) => ({ ...user, userType: toUserType(user) }),
		);
		return await item.list(api.listUsers(), 'user', matches);
	},
});

/** A user without a type is neither. */
function toUserType({ userType }: User): string {
	if (isAbsent(userType)) return '';
	return foldCase(userType) === 'sme' ? 'sme' : 'staff';
}
