/** Engagement > Get Many (docs/service.md#engagements). */
import * as api from '../../service/endpoints';
import { readEngagementId, type Engagement } from '../../service/records';
import type { ValueOf } from '../../fields/field';
import { engagementFilters, externalEngagementIds, fieldMatcher } from '../../fields/filters';
import { options } from '../../fields/options';
import { output } from '../../fields/output';
import { sortablePaging } from '../../fields/paging';
import { sort } from '../../fields/sort';
import type { Query } from '../../transport/request';
import { readBoolean } from '../../values/scalars';
import { toText } from '../../values/text';
import type { CommonValues, Item } from '../item';
import { requireField, splitFilter, unfoundIds, withChecks, type Listing } from '../listing';
import { defineOperation } from '../operation';
import type { Run } from '../run';

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
	list: (item, run) => engagementListing(item, run, { orderBy: item.values.sort }),
});

type FilteredItem = Item<CommonValues & { filters: ValueOf<typeof engagementFilters> }>;

/** The engagement list with its filters, of which the node applies those that the service lacks. */
export function engagementListing(
	item: FilteredItem,
	{ hints }: Run,
	query?: Query,
): Listing<Engagement> {
	const { filters, options: own } = item.values;
	const { externalEngagementIds: ids, refreshable } = filters;
	const requests = splitFilter(item, api.listEngagements, {
		name: 'externalEngagementId',
		label: externalEngagementIds.property.displayName,
		ids,
		maxIds: api.MAX_EXTERNAL_IDS,
		query,
	});
	const accepted = {
		engagementId: filters.engagementIds,
		status: filters.statuses,
		relationshipManager: filters.relationshipManagers,
	};
	if (Object.values(filters).every((each) => each === undefined)) return { requests };
	const hasAccepted = fieldMatcher(accepted);
	const isAccepted = (enabled: unknown) =>
		refreshable === undefined || (readBoolean(enabled) ?? false) === refreshable;
	const matches = (record: Engagement) =>
		isAccepted(record.dataRefreshEnabled) &&
		hasAccepted({ ...record, engagementId: toText(readEngagementId(record)) });
	const isSent = ids !== undefined && !Object.hasOwn(own.customQuery, 'externalEngagementId');
	return withChecks(
		{ requests, matches },
		refreshable === undefined ? undefined : requireField('dataRefreshEnabled', 'Refreshable'),
		isSent ? unfoundIds(ids, hints) : undefined,
	);
}
