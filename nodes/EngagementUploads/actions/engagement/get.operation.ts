/** Engagement > Get (docs/service.md#engagements): by external ID; or by ID, from the engagement list. */
import * as api from '../../service/endpoints';
import { engagement } from '../../fields/engagement';
import { options } from '../../fields/options';
import { output } from '../../fields/output';
import { findById } from '../../lookups/engagements';
import { InputError } from '../../values/inputError';
import { groupByOptions, type ItemOf } from '../item';
import { defineOperation } from '../operation';
import type { Run } from '../run';

const description =
	"A customer's record. By External ID, which is your own ID for the customer, is one request. For By ID, the list of engagements is read until the ID is found, once for all items.";

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
	lookupTakesOptions: true,
	async execute(items, run) {
		const groups = groupByOptions(items);
		await Promise.all(groups.map(async (group) => await readGroup(group, run)));
	},
});

type Group = ReturnType<typeof groupByOptions<ItemOf<typeof fields>>>[number];

/** Items with the same options, which share the list. */
async function readGroup({ items, options: same }: Group, run: Run): Promise<void> {
	const sought = items.filter((item) => item.engagement === undefined);
	const request = { ...api.listEngagements(same.customQuery), timeout: same.timeout };
	const ids = sought.map(({ values }) => String(values.engagementId));
	const found = await findById(run.client, request, ids, same.pageSize);
	await run.readEach(items, async (item) => {
		const { engagementId: id } = item.values;
		const record = item.engagement ?? found.get(String(id));
		if (record === undefined) throw notFound(id);
		return [item.output(record, 'engagement')];
	});
}

function notFound(id: number): InputError {
	return new InputError(
		`No engagement has the ID ${id}`,
		'Check the ID, or set Engagement to By External ID',
	);
}
