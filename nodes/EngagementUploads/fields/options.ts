/** The collection Options: what has a sensible default. */
import type { IDataObject } from 'n8n-workflow';
import { parseObject } from '../values/objects';
import { collection, field, number, type Values } from './field';

/** How many records a page has unless the user chooses. */
export const PAGE_SIZE = 500;

export const pageSize = number(
	'Page Size',
	'Number of records per request. Does not affect the output.',
	{ default: PAGE_SIZE, min: 1 },
);

const customBody = field<IDataObject | undefined>(
	{
		displayName: 'Custom Body',
		type: 'json',
		default: '{}',
		description:
			'Additional fields for the request body, as a JSON object, e.g. {"locale": "en"}. They override fields of the same name.',
	},
	parseObject,
);

const all = { customBody, pageSize };
type All = typeof all;

/** The options of the operations that have any. */
export type Options = Partial<Values<All>>;

export function options<Name extends keyof All>(name: Name) {
	return collection('Options', 'Add option', { [name]: all[name] } as Pick<All, Name>);
}
