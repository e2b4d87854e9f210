/** Connector > Get Many (interface section 4.9). Filters apply to what the service returns. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { connectorList, isRefreshable } from '../../fields/connector';
import { optionsField } from '../../fields/options';
import { outputFields } from '../../fields/output';
import { limitOf, pagingFields } from '../../fields/paging';
import { isEmpty, parseOption, parseBoolean } from '../../values/input';
import { connectorType } from '../../output/simplified';
import { connector } from '../../api/kinds';
import { readList } from '../../transport/list';
import { reads } from '../operation';
import type { Item } from '../execution';
import { shownFor } from '../shown';

const filtersField: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add filter',
	default: {},
	options: [
		{
			displayName: 'Refreshable',
			name: 'refreshable',
			type: 'boolean',
			default: true,
			description:
				'Whether to return only connectors whose data can be refreshed without the customer (on), or only the others (off)',
		},
		{
			displayName: 'Type',
			name: 'type',
			type: 'options',
			options: [
				{
					name: 'Offline',
					value: 'offline',
					description: 'Used through an application that the customer downloads',
				},
				{
					name: 'Online',
					value: 'online',
					description: 'Used through a page on which the customer logs in',
				},
			],
			default: 'online',
			description: 'How the accounting package is connected',
		},
	],
};

export const fields = shownFor('connector', 'getAll', [
	...pagingFields,
	filtersField,
	...outputFields,
	optionsField('parallelRequests'),
]);

export const operation = reads((item) => {
	const fits = filterOf(item);
	const limit = limitOf(item);
	const shape = item.outputMapper('connector');
	const call = item.caller('GET')(connectorList.path, connectorList.purpose);
	return async () => {
		const connectors = await readList(item.run.service, call, connector);
		const shown = connectors.filter(fits).slice(0, limit);
		item.addListHints(shown.length, limit);
		return shown.map((record) => shape(record));
	};
});

function filterOf(item: Item): (record: IDataObject) => boolean {
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
