/** Engagement > Get (docs/service.md#engagements): by external ID; or by ID, from the engagement list. */
import * as api from '../../service/endpoints';
import { engagement } from '../../fields/locators';
import { options } from '../../fields/options';
import { output } from '../../fields/output';
import { findById } from '../../lookups/engagements';
import { InputError } from '../../values/inputError';
import { defineOperation } from '../operation';

const description =
	"A customer's record. By External ID (your own ID for the customer) takes one request. By ID reads the list of engagements until the ID is found, once for all items.";

const fields = {
	engagementId: { ...engagement, property: { ...engagement.property, description } },
	...output('engagement'),
	options: options('pageSize'),
};

export const getEngagement = defineOperation({
	resource: 'engagement',
	operation: 'get',
	name: 'Get',
	action: 'Get engagement',
	description: 'Get one engagement (customer) by its ID or External ID',
	fields,
	async readTogether(items, { customQuery, pageSize, timeout }, run) {
		const sought = items.filter((item) => item.engagement === undefined);
		const request = { ...api.listEngagements(customQuery), timeout };
		const ids = sought.map(({ values }) => String(values.engagementId));
		const found = await findById(run.client, request, ids, pageSize);
		await run.readEach(items, async (item) => {
			const { engagementId: id } = item.values;
			const record = item.engagement ?? found.get(String(id));
			if (record !== undefined) return [item.output(record, 'engagement')];
			throw new InputError(
				`No engagement has the ID ${id}`,
				'Check the ID, or set Engagement to By External ID',
			);
		});
	},
});
