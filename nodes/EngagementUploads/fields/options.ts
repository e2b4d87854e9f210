/** The collection Options: every setting that has a sensible default. */
import type { IDataObject } from 'n8n-workflow';
import type { Query } from '../transport/request';
import { MINUTE, SECOND } from '../values/clock';
import { InputError, quote } from '../values/inputError';
import { parseObject } from '../values/objects';
import { parseText } from '../values/text';
import { collection, field, flag, number, type Fields, type Parse, type Values } from './field';

/** How many records a page has unless the user chooses. */
export const PAGE_SIZE = 500;

export const pageSize = number(
	'Page Size',
	'Number of records per request. Does not affect the output.',
	{ default: PAGE_SIZE, min: 1 },
);

export const timeout = number('Timeout (Seconds)', 'Maximum time for a request', {
	default: 60,
	min: 0.001,
	max: 3600,
	unit: SECOND,
});

const json = <T>(displayName: string, description: string, parse: Parse<T>) =>
	field({ displayName, type: 'json', default: '{}', description }, parse);

const whileWaiting = { displayOptions: { show: { '/waitForCompletion': [true] } } };

/** All options of the action node; times in milliseconds. */
const all = {
	customBody: json(
		'Custom Body',
		'Additional fields for the request body, as a JSON object, e.g. {"locale": "en"}. They override fields of the same name.',
		parseObject,
	),
	customQuery: json(
		'Custom Query',
		'Additional query parameters, as a JSON object, e.g. {"name": "value"}. They override fields of the same name; page and size stay as they are.',
		parseQuery,
	),
	includeMissing: flag(
		'Include Missing',
		'Whether to return an item with an empty upload ID for each engagement without an upload, and for each external ID without an engagement',
	),
	pageSize,
	parallelRequests: number(
		'Parallel Requests',
		'Maximum number of parallel requests. The node starts with fewer and adds more as the service allows.',
		{ default: 64, min: 1, max: 64 },
	),
	timeout,
	waitInterval: number(
		'Wait Interval (Seconds)',
		'Time between two checks for the new upload',
		{ default: 10, min: 0.001, unit: SECOND },
		whileWaiting,
	),
	waitTimeout: number(
		'Wait Timeout (Minutes)',
		'Maximum time to wait. After that, the item fails.',
		{ default: 15, min: 0, unit: MINUTE },
		whileWaiting,
	),
} satisfies Fields;

type All = typeof all;
export type Options = Values<All>;

const common = ['customQuery', 'parallelRequests', 'timeout'] as const;
type Common = (typeof common)[number];

/** The options that apply to every request, and the custom body of writes. */
export type RequestOptions = Values<Pick<All, Common>> & { customBody?: IDataObject };

/** The options of an operation: those that all have, and the ones that are named. */
export function options<Name extends keyof All = Common>(...names: Name[]) {
	const fields = Object.fromEntries([...names, ...common].map((name) => [name, all[name]]));
	return collection('Options', 'Add option', fields as Pick<All, Name | Common>);
}

/** What applies to requests if no option was entered. */
export const defaultOptions: RequestOptions = options().parse({}, 'Options', 'UTC');

function parseQuery(value: unknown, label: string): Query {
	const entered = Object.entries(parseObject(value, label) ?? {});
	const own = entered.filter(([name]) => name !== 'page' && name !== 'size');
	const query = Object.fromEntries(
		own.map(([name, each]) => [name, queryValue(name, each, label)]),
	);
	// Checks that it can be encoded.
	parseText(Object.entries(query).join('&'), label);
	return query;
}

function queryValue(name: string, value: unknown, label: string): string | undefined {
	if (value === null || value === undefined) return undefined;
	if (Array.isArray(value)) return value.map((each) => queryValue(name, each, label)).join(',');
	if (typeof value !== 'object') return String(value);
	throw new InputError(
		`${label} contains an object in ${quote(name)}`,
		`Enter strings, numbers or lists of them in ${label}`,
	);
}
