/** Engagement > Get Many (docs/service.md#engagements). */
import * as api from '../../api/endpoints';
import type { Engagement } from '../../api/records';
import { engagementFilters, externalIds } from '../../fields/engagement';
import type { Item } from '../../fields/item';
import { options } from '../../fields/options';
import { output } from '../../fields/output';
import { sortablePaging } from '../../fields/paging';
import { sort } from '../../fields/sort';
import type { Query } from '../../transport/address';
import type { Execution, OperationFields } from '../execution';
import { lists, type Listing, type Operation } from '../operation';

const fields = {
	...sortablePaging,
	filters: engagementFilters,
	sort: sort({
		'Connector ID': 'connectorId',
		'Created At': 'createdAt',
		'Engagement ID': 'Id',
		'External Engagement ID': 'externalEngagementId',
		Name: 'name',
		Status: 'status',
		Type: 'type',
	}),
	...output('engagementId, name, Owner.email'),
	options: options('pageSize'),
};

export const getManyEngagements = {
	resource: 'engagement',
	operation: 'getAll',
	name: 'Get Many',
	action: 'Get many engagements',
	description: 'Get a list of engagements (customers), or a single one by its External ID',
	...lists('engagement', fields, (item, execution) => {
		const listing = engagementListing(item, execution, { orderBy: item.values.sort });
		return async () => listing;
	}),
} as const satisfies Operation;

type FilteredFields = OperationFields & { filters: typeof engagementFilters };

/** The engagement list with its filters: what the service filters, and what the node does. */
export function engagementListing(
	item: Item<FilteredFields>,
	execution: Pick<Execution, 'listRequests'>,
	query?: Query,
): Listing<Engagement> {
	const { externalEngagementIds, refreshable } = item.values.filters;
	const requests = execution.listRequests(item, api.listEngagements(query), {
		name: 'externalEngagementId',
		field: externalIds.property.displayName,
		ids: externalEngagementIds,
		maxIds: api.MAX_EXTERNAL_IDS,
	});
	if (refreshable === undefined) return { requests };
	return {
		requests,
		matches: ({ dataRefreshEnabled: value }) =>
			(value === true || value === 'true') === refreshable,
	};
}
