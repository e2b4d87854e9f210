/** Connector > Get Many (docs/service.md#connectors). Filters apply to what the service returns. */
import * as api from '../../api/endpoints';
import type { Connector } from '../../api/records';
import { collectionField } from '../../fields/collections';
import type { Item } from '../../fields/item';
import { optionsField } from '../../fields/options';
import { outputFields } from '../../fields/output';
import { pagingFields } from '../../fields/paging';
import { isRefreshable } from '../../lookups/connectors';
import { connectorType } from '../../output/simplified';
import { parseBoolean, parseOption } from '../../values/scalars';
import { isEmpty } from '../../values/text';
import { lists } from '../lists';
import type { Operation } from '../operation';

const filtersField = collectionField('Filters', 'filters', 'Add filter', [
	{
		displayName: 'Refreshable',
		name: 'refreshable',
		type: 'boolean',
		default: true,
		description:
			'Whether to return only connectors that can refresh data without the customer (on), or only the others (off)',
	},
	{
		displayName: 'Type',
		name: 'type',
		type: 'options',
		options: [
			{
				name: 'Offline',
				value: 'offline',
				description: 'The customer downloads an application',
			},
			{
				name: 'Online',
				value: 'online',
				description: 'The customer logs in on a web page',
			},
		],
		default: 'online',
		description: 'How the accounting package is connected',
	},
]);

export const getManyConnectors: Operation = {
	resource: 'connector',
	operation: 'getAll',
	name: 'Get Many',
	action: 'Get many connectors',
	description: 'Get a list of the supported accounting packages',
	fields: [
		...pagingFields,
		filtersField,
		...outputFields('name, title, isRefreshable'),
		optionsField('parallelRequests'),
	],
	execute: lists('connector', (item, execution) => ({
		requests: async () => [execution.request(item, api.listConnectors())],
		matches: readFilter(item),
	})),
};

function readFilter(item: Item): (record: Connector) => boolean {
	item.checkNames(filtersField);
	const type = item.readFrom('filters', 'type', 'Type', (value, field) =>
		isEmpty(value) ? undefined : parseOption(value, field, ['online', 'offline']),
	);
	const refreshable = item.readFrom('filters', 'refreshable', 'Refreshable', (value, field) =>
		isEmpty(value) ? undefined : parseBoolean(value, field),
	);
	return (record) =>
		(type === undefined || connectorType(record) === type) &&
		(refreshable === undefined || isRefreshable(record) === refreshable);
}
