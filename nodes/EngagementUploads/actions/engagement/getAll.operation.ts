/** Engagement > Get Many (docs/service.md#engagements). */
import * as api from '../../service/endpoints';
import { readEngagementId, type Engagement } from '../../service/records';
import type { ValueOf } from '../../fields/field';
import { engagementFilters, externalEngagementIds, fieldMatcher } from '../../fields/filters';
import { options } from '../../fields/options';
import { output } from '../../fields/output';
import { sortablePaging } from '../../fields/paging';
import { sort } from '../../fields/sort';
import type { ServiceClient } from '../../transport/client';
import type { Query } from '../../transport/request';
import { readBoolean } from '../../values/scalars';
import { toText } from '../../values/text';
import type { CommonValues, Item } from '../item';
import { needsValues, watched, type Listing, type Watch } from '../listing';
import { defineOperation } from '../operation';
import { splitFilter } from '../splitFilter';

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
	kind: 'engagement',
	list: (item, { client }) => engagementListing(item, client, { orderBy: item.values.sort }),
});

type FilteredItem = Item<CommonValues & { filters: ValueOf<typeof engagementFilters> }>;

/** The engagement list with its filters, of which the node applies those that the service lacks. */
export function engagementListing(
	item: FilteredItem,
	client: ServiceClient,
	query?: Query,
): Listing<Engagement> {
	const { externalEngagementIds: ids, refreshable, ...others } = item.values.filters;
	const requests = splitFilter(item, client, api.listEngagements, {
		name: 'externalEngagementId',
		label: externalEngagementIds.property.displayName,
		ids,
		maxIds: api.MAX_EXTERNAL_IDS,
		query,
	});
	const accepted = {
		engagementId: others.engagementIds,
		status: others.statuses,
		relationshipManager: others.relationshipManagers,
	};
	const wanted = [refreshable, ...Object.values(accepted)];
	if (wanted.every((each) => each === undefined)) return { requests };
	const hasAccepted = fieldMatcher(accepted);
	const isAccepted = (enabled: unknown) =>
		refreshable === undefined || (readBoolean(enabled) ?? false) === refreshable;
	const matches = (record: Engagement) =>
		isAccepted(record.dataRefreshEnabled) &&
		hasAccepted({ ...record, engagementId: toText(readEngagementId(record)) });
	const watches: Watch[] =
		refreshable === undefined ? [] : [needsValues('dataRefreshEnabled', 'Refreshable')];
	return watched({ requests, matches }, watches);
}
