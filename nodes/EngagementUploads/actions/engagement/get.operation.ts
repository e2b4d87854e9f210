/** Engagement > Get (docs/service.md#engagements): by external ID; or by ID, from the engagement list. */
import { engagement } from '../../fields/locators';
import { output } from '../../fields/output';
import { findById } from '../../lookups/engagements';
import { InputError } from '../../values/inputError';
import { defineOperation } from '../operation';

const description =
	"A customer's record. By External ID (your own ID for the customer) takes one request. By ID reads the list of engagements until the ID is found, once for all items.";

const fields = {
	engagementId: { ...engagement, property: { ...engagement.property, description } },
	...output('engagement'),
};

export const getEngagement = defineOperation({
	resource: 'engagement',
	operation: 'get',
	name: 'Get',
	action: 'Get engagement',
	description: 'Get one engagement (customer) by its ID or External ID',
	fields,
	async prepare(items, { client }) {
		const sought = items.filter((item) => item.engagement === undefined);
		return await findById(
			client,
			sought.map(({ values }) => values.engagementId),
		);
	},
	async read(item, _run, found) {
		const { engagementId: id } = item.values;
		const record = item.engagement ?? found.get(id);
		if (record !== undefined) return [item.output(record, 'engagement')];
		throw new InputError(
			`No engagement has the ID ${id}`,
			'Check the ID, or set Engagement to By External ID',
		);
	},
});
