/** Return All and Limit: how much of a list comes out. */
import type { INodeProperties } from 'n8n-workflow';
import type { Item } from '../actions/execution';
import { parseNumber, parseBoolean } from '../values/input';

export const pagingFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	},
];

/** The most records to return; undefined for all. */
export function limitOf(item: Item): number | undefined {
	if (item.read('returnAll', 'Return All', parseBoolean)) return undefined;
	return item.read('limit', 'Limit', (value, field) =>
		parseNumber(value ?? 50, field, 1, Infinity),
	);
}
