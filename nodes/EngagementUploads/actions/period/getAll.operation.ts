/** Period > Get Many (docs/service.md#periods). */
import * as api from '../../api/endpoints';
import { engagement } from '../../fields/engagement';
import { options } from '../../fields/options';
import { output } from '../../fields/output';
import { paging } from '../../fields/paging';
import { lists, type Operation } from '../operation';

const fields = {
	engagementId: engagement,
	...paging,
	...output('name, startDate, endDate'),
	options: options(),
};

export const getManyPeriods = {
	resource: 'period',
	operation: 'getAll',
	name: 'Get Many',
	action: 'Get many periods',
	description: 'Get the financial periods of an engagement',
	...lists('period', fields, (item, execution) => {
		const find = execution.target(item, api.listPeriods);
		return async () => {
			const { engagementId, request } = await find();
			return { requests: [request], engagementId };
		};
	}),
} as const satisfies Operation;
