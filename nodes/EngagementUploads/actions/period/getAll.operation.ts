/** Period > Get Many (docs/service.md#periods). */
import * as api from '../../api/endpoints';
import { engagementField } from '../../fields/engagement';
import { optionsField } from '../../fields/options';
import { outputFields } from '../../fields/output';
import { pagingFields } from '../../fields/paging';
import { lists } from '../lists';
import type { Operation } from '../operation';

export const getManyPeriods: Operation = {
	resource: 'period',
	operation: 'getAll',
	name: 'Get Many',
	action: 'Get many periods',
	description: 'Get the financial periods of an engagement',
	fields: [
		engagementField,
		...pagingFields,
		...outputFields('name, startDate, endDate'),
		optionsField('parallelRequests'),
	],
	execute: lists('period', (item, execution) => {
		const engagementId = execution.engagementId(item);
		return {
			requests: async () => [execution.request(item, api.listPeriods(await engagementId()))],
			engagementId,
		};
	}),
};
