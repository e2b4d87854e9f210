/** Company > Get (docs/service.md#company). */
import * as api from '../../api/endpoints';
import { engagement } from '../../fields/engagement';
import { options } from '../../fields/options';
import { output } from '../../fields/output';
import { reads, type Operation } from '../operation';

const fields = {
	engagementId: engagement,
	...output('name, countryCode, currencyIso'),
	options: options(),
};

export const getCompany = {
	resource: 'company',
	operation: 'get',
	name: 'Get',
	action: 'Get company details of engagement',
	description: 'Get the name, address, tax numbers and currency stored in the accounting package',
	...reads(fields, (execution) => (item) => {
		const find = execution.target(item, api.getCompany);
		const toOutput = execution.outputMapper(item.values, 'company');
		return async () => {
			const { engagementId, request } = await find();
			return [toOutput(await execution.client.record(request), engagementId)];
		};
	}),
} as const satisfies Operation;
