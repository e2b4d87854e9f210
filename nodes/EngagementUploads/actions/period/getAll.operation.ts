/** Period > Get Many (docs/service.md#periods). */
import * as api from '../../service/endpoints';
import { engagement } from '../../fields/locators';
import { output } from '../../fields/output';
import { paging } from '../../fields/paging';
import { defineOperation } from '../operation';

const fields = {
	engagementId: engagement,
	...paging,
	...output('period'),
};

export const getManyPeriods = defineOperation({
	resource: 'period',
	operation: 'getAll',
	name: 'Get Many',
	action: 'Get many periods',
	description: 'Get the financial periods of an engagement',
	fields,
	read: async (item) => await item.list(api.listPeriods(item.values.engagementId), 'period'),
});
