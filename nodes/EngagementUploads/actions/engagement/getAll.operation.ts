/** Engagement > Get Many (docs/service.md#engagements). */
import * as api from '../../api/endpoints';
import { collectionField } from '../../fields/collections';
import type { Item } from '../../fields/item';
import type { ListFilter } from '../../fields/listFilter';
import { optionsField } from '../../fields/options';
import { outputFields } from '../../fields/output';
import { sortablePagingFields } from '../../fields/paging';
import { orderByOf, sortField } from '../../fields/sort';
import { parseList } from '../../values/lists';
import { lists } from '../lists';
import type { Operation } from '../operation';

const filtersField = collectionField('Filters', 'filters', 'Add filter', [
	{
		displayName: 'External Engagement IDs',
		name: 'externalEngagementIds',
		type: 'string',
		default: '',
		placeholder: 'e.g. CUSTOMER-42, CUSTOMER-43',
		description: 'Only engagements with these external IDs (your own IDs), separated by commas',
	},
]);

const sort = sortField([
	{ name: 'Connector ID', value: 'connectorId' },
	{ name: 'Created At', value: 'createdAt' },
	{ name: 'Engagement ID', value: 'Id' },
	{ name: 'External Engagement ID', value: 'externalEngagementId' },
	{ name: 'Name', value: 'name' },
	{ name: 'Status', value: 'status' },
	{ name: 'Type', value: 'type' },
]);

export const getManyEngagements: Operation = {
	resource: 'engagement',
	operation: 'getAll',
	name: 'Get Many',
	action: 'Get many engagements',
	description: 'Get a list of engagements (customers), or a single one by its External ID',
	fields: [
		...sortablePagingFields,
		filtersField,
		sort,
		...outputFields('engagementId, name, Owner.email'),
		optionsField('pageSize', 'parallelRequests'),
	],
	execute: lists('engagement', (item, execution) => {
		const request = api.listEngagements({ orderBy: orderByOf(item) });
		const requests = execution.listRequests(item, request, readFilter(item));
		return { requests: async () => requests, pageSize: item.options.pageSize };
	}),
};

function readFilter(item: Item): ListFilter {
	item.checkNames(filtersField);
	const field = 'External Engagement IDs';
	const name = 'externalEngagementId';
	const ids = item.readFrom('filters', 'externalEngagementIds', field, (value) =>
		parseList(value, field, name, 'separate'),
	);
	return { name, field, ids, maxIds: api.MAX_EXTERNAL_IDS };
}
