/** Company > Get (docs/service.md#company). */
import * as api from '../../service/endpoints';
import { engagement } from '../../fields/locators';
import { output } from '../../fields/output';
import { company } from '../../service/records';
import { findStatus, rethrow, ServiceFailure } from '../../transport/errors';
import { defineOperation } from '../operation';

const fields = {
	engagementId: engagement,
	...output('company'),
};

export const getCompany = defineOperation({
	resource: 'company',
	operation: 'get',
	name: 'Get',
	action: 'Get company details of engagement',
	description: 'Get the name, address, tax numbers and currency stored in the accounting package',
	fields,
	async read(item) {
		const record = await item.send(api.getCompany(item.values.engagementId)).catch(explainMissing);
		return [item.output(record, 'company')];
	},
});

/** A 404 may mean that the customer has not shared data yet. */
function explainMissing(error: unknown): never {
	const isMissing = error instanceof ServiceFailure && findStatus(error) === 404;
	rethrow(isMissing ? error.withAdvice(company.ifEmpty ?? '') : error);
}
