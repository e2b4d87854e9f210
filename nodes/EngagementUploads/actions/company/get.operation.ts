/** Company > Get (docs/service.md#company). */
import * as api from '../../service/endpoints';
import { engagement } from '../../fields/locators';
import { options } from '../../fields/options';
import { output } from '../../fields/output';
import { defineOperation } from '../operation';

const fields = {
	engagementId: engagement,
	...output('company'),
	options: options(),
};

export const getCompany = defineOperation({
	resource: 'company',
	operation: 'get',
	name: 'Get',
	action: 'Get company details of engagement',
	description: 'Get the name, address, tax numbers and currency stored in the accounting package',
	fields,
	async read(item) {
		const record = await item.send(api.getCompany(item.values.engagementId));
		return [item.output(record, 'company')];
	},
});
