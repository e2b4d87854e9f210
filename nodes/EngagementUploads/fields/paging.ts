/** Return All and Limit: how much of a list to return. */
import type { INodeProperties } from 'n8n-workflow';

import { parseBoolean, parseNumber } from '../values/scalars';
import { isEmpty } from '../values/text';
import type { Item } from './item';

const DEFAULT_LIMIT = 50;

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
		// Not `show: [false]`: the text “False” would not match it, and n8n drops hidden parameters.
		displayOptions: { hide: { returnAll: [true] } },
	},
];

/** The same for lists that can be sorted. */
export const sortablePagingFields = pagingFields.map((field) =>
	field.name === 'limit'
		? {
				...field,
				hint: "Without Sort, you get the first ones in the service's own order. For the newest, sort by a date, descending.",
			}
		: field,
);

/** Maximum number of records to return; undefined for all. */
export function limitOf(item: Item): number | undefined {
	if (item.read('returnAll', 'Return All', parseBoolean)) return undefined;
	return item.read('limit', 'Limit', (value, field) =>
		parseNumber(isEmpty(value) ? DEFAULT_LIMIT : value, field, 1, Infinity),
	);
}
