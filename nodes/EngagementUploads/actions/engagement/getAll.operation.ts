/** Engagement > Get Many (interface section 4.1). */
import type { INodeProperties } from 'n8n-workflow';
import { filterQueries } from '../../fields/idFilter';
import { optionsField } from '../../fields/options';
import { outputFields } from '../../fields/output';
import { limitOf, pagingFields } from '../../fields/paging';
import { orderByOf, sortField } from '../../fields/sort';
import { parseList } from '../../values/input';
import { CLIENT_ID } from '../../transport/address';
import { engagement } from '../../api/kinds';
import { readLists } from '../../transport/list';
import { reads } from '../operation';
import { shownFor } from '../shown';

const filtersField: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add filter',
	default: {},
	options: [
		{
			displayName: 'External Engagement IDs',
			name: 'externalEngagementIds',
			type: 'string',
			default: '',
			placeholder: 'e.g. CUSTOMER-42, CUSTOMER-43',
			description: 'Only engagements with these IDs of your own, separated by commas',
		},
	],
};

const sortFields = sortField([
	{ name: 'Connector ID', value: 'connectorId' },
	{ name: 'Created At', value: 'createdAt' },
	{ name: 'Engagement ID', value: 'Id' },
	{ name: 'External Engagement ID', value: 'externalEngagementId' },
	{ name: 'Name', value: 'name' },
	{ name: 'Status', value: 'status' },
	{ name: 'Type', value: 'type' },
]);

export const fields = shownFor('engagement', 'getAll', [
	...pagingFields,
	filtersField,
	sortFields,
	...outputFields,
	optionsField('pageSize', 'parallelRequests'),
]);

const PATH = `/v1/clients/${CLIENT_ID}/engagements`;
const MOST_EXTERNAL_IDS = 50;
const NAME = 'externalEngagementId';

export const operation = reads((item) => {
	const filter = {
		name: NAME,
		field: 'External Engagement IDs',
		ids: item.readFrom(
			'filters',
			'externalEngagementIds',
			'External Engagement IDs',
			(value, field) => parseList(value, field, NAME),
		),
		most: MOST_EXTERNAL_IDS,
	};
	const extent = { pageSize: item.options.pageSize, limit: limitOf(item) };
	const shape = item.outputMapper('engagement');
	const callFor = item.caller('GET');
	const queries = filterQueries(item, PATH, { orderBy: orderByOf(item) }, filter);
	const calls = queries.map((query) => callFor(PATH, 'get the engagements', query));
	return async () => {
		const engagements = await readLists(item.run.service, calls, engagement, { ...extent, shape });
		item.addListHints(engagements.length, extent.limit);
		return engagements;
	};
});
