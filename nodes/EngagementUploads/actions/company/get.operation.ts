/** Company > Get (interface section 4.2). */
import { engagementField, engagementOf } from '../../fields/engagement';
import { optionsField } from '../../fields/options';
import { outputFields } from '../../fields/output';
import { company } from '../../api/kinds';
import { path } from '../../transport/url';
import { reads } from '../operation';
import { shownFor } from '../shown';

export const fields = shownFor('company', 'get', [
	engagementField,
	...outputFields,
	optionsField('parallelRequests'),
]);

export const operation = reads((item) => {
	const engagementId = engagementOf(item);
	const shape = item.outputMapper('company');
	const callFor = item.caller('GET');
	return async () => {
		const id = await engagementId();
		const call = callFor(
			path`/v1/engagements/${id}/companyDetails`,
			`get the company details of engagement ${id}`,
		);
		return [shape(await item.run.service.record(call, company), id)];
	};
});
