/** Company > Get (docs/service.md#company). */
import * as api from '../../api/endpoints';
import { engagementField } from '../../fields/engagement';
import { optionsField } from '../../fields/options';
import { outputFields } from '../../fields/output';
import { reads, type Operation } from '../operation';

export const getCompany: Operation = {
	resource: 'company',
	operation: 'get',
	name: 'Get',
	action: 'Get company details of engagement',
	description: 'Get the name, address, tax numbers and currency stored in the accounting package',
	fields: [
		engagementField,
		...outputFields('name, countryCode, currencyIso'),
		optionsField('parallelRequests'),
	],
	execute: reads((item, execution) => {
		const engagementId = execution.engagementId(item);
		const toOutput = execution.outputMapper(item, 'company');
		return async () => {
			const id = await engagementId();
			return [toOutput(await execution.record(item, api.getCompany(id)), id)];
		};
	}),
};
