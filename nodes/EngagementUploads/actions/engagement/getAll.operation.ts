/** Engagement > Get Many (docs/service.md#engagements). */
import * as api from '../../service/endpoints';
import { readEngagementId, type Engagement } from '../../service/records';
import type { ValueOf } from '../../fields/field';
import { engagementFilters, fieldMatcher } from '../../fields/filters';
import { options } from '../../fields/options';
import { output } from '../../fields/output';
import { sortablePaging } from '../../fields/paging';
import { sort } from '../../fields/sort';
import { readBoolean } from '../../values/scalars';
import { toText } from '../../values/text';
import { defineOperation } from '../operation';

const fields = {
	...sortablePaging,
	filters: engagementFilters,
	...output('engagement'),
	options: options('pageSize'),
	sort: sort({
		'Connector ID': 'connectorId',
		'Created At': 'createdAt',
		'Engagement ID': 'Id',
		'External Engagement ID': 'externalEngagementId',
		Name: 'name',
		Status: 'status',
		Type: 'type',
	}),
};

export const getManyEngagements = defineOperation({
	resource: 'engagement',
	operation: 'getAll',
	name: 'Get Many',
	action: 'Get many engagements',
	description: 'Get a list of engagements (customers)',
	fields,
	async read(item) {
		const { filters, sort: orderBy } = item.values;
		const query = { externalEngagementId: filters.externalEngagementIds?.join(), orderBy };
		return await item.list(api.listEngagements(query), 'engagement', engagementMatcher(filters));
	},
});

/** Applies the filters, of which the service has one. */
export function engagementMatcher(filters: ValueOf<typeof engagementFilters>) {
	const { engagementIds, externalEngagementIds, relationshipManagers, refreshable } = filters;
	return fieldMatcher(
		{
			engagementId: engagementIds,
			externalEngagementId: externalEngagementIds,
			relationshipManager: relationshipManagers,
			dataRefreshEnabled: refreshable === undefined ? undefined : [String(refreshable)],
		},
		(record: Engagement) => ({
			...record,
			engagementId: toText(readEngagementId(record)),
			dataRefreshEnabled: readBoolean(record.dataRefreshEnabled),
		}),
	);
}
