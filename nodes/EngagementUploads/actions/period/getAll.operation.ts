/** Period > Get Many (docs/service.md#periods). */
import * as api from '../../api/endpoints';
import type { Period } from '../../api/records';
import { engagementField } from '../../fields/engagement';
import { optionsField } from '../../fields/options';
import { outputFields } from '../../fields/output';
import { limitOf, pagingFields } from '../../fields/paging';
import { readList } from '../../transport/list';
import { reads, type Operation } from '../operation';

export const getManyPeriods: Operation = {
	resource: 'period',
	operation: 'getAll',
	name: 'Get Many',
	action: 'Get many periods',
	description: 'Get the financial periods of an engagement',
	fields: [engagementField, ...pagingFields, ...outputFields, optionsField('parallelRequests')],
	execute: reads((item, execution) => {
		const engagementId = execution.engagementId(item);
		const limit = limitOf(item);
		const toOutput = execution.outputMapper(item, 'period');
		return async () => {
			const id = await engagementId();
			const request = execution.request(item, api.listPeriods(id));
			const map = (record: Period) => toOutput(record, id);
			return await readList(execution.client, request, { limit, map });
		};
	}),
};
