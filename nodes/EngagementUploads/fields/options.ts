/** Options: every setting that has a sensible default. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { ApiRequest } from '../transport/client';
import type { Query } from '../transport/url';
import { InputError } from '../values/inputError';
import { mergeDeep, parseObject } from '../values/objects';
import { parseBoolean, parseNumber } from '../values/scalars';
import { isEmpty } from '../values/text';
import { collectionField } from './collections';

/** The options of an item; times in milliseconds. */
export interface Options {
	pageSize: number;
	parallelRequests: number;
	timeout: number;
	includeMissing: boolean;
	waitTimeout: number;
	waitInterval: number;
	customBody?: IDataObject;
	customQuery: Query;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const MAX_TIMEOUT = 3600;
const MAX_PARALLEL = 64;

const known = {
	customBody: {
		displayName: 'Custom Body',
		name: 'customBody',
		type: 'json',
		default: '{}',
		description:
			'More fields for the request body, as a JSON object, e.g. {"locale": "en"}. These override the other fields.',
	},
	customQuery: {
		displayName: 'Custom Query',
		name: 'customQuery',
		type: 'json',
		default: '{}',
		description:
			'More query parameters, as a JSON object, e.g. {"status": "ACTIVE"}. These override the other fields, except page and size.',
	},
	includeMissing: {
		displayName: 'Include Missing',
		name: 'includeMissing',
		type: 'boolean',
		default: false,
		description:
			'Whether to return an item with an empty upload ID for each engagement without an upload. Otherwise there is no item for it.',
	},
	pageSize: {
		displayName: 'Page Size',
		name: 'pageSize',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 100,
		description: 'Number of records per request. Does not affect the output.',
	},
	parallelRequests: {
		displayName: 'Parallel Requests',
		name: 'parallelRequests',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 64 },
		default: 64,
		description:
			'Maximum number of parallel requests. The node starts with fewer and increases as the service allows. Writes run in parallel only when On Error is set to continue.',
	},
	timeout: {
		displayName: 'Timeout (Seconds)',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 60,
		description: 'Maximum time for a request',
	},
	waitInterval: {
		displayName: 'Wait Interval (Seconds)',
		name: 'waitInterval',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 10,
		description: 'With Wait for Completion: time between two checks for the new upload',
	},
	waitTimeout: {
		displayName: 'Wait Timeout (Minutes)',
		name: 'waitTimeout',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 15,
		description: 'With Wait for Completion: maximum time to wait; after that, the item fails',
	},
} satisfies Record<string, INodeProperties>;

export type OptionName = keyof typeof known;

export const { pageSize: pageSizeOption, timeout: timeoutOption } = known;

/** The collection Options with the options that apply. Every request has a timeout and a query. */
export function optionsField(...names: OptionName[]): INodeProperties {
	const applying: OptionName[] = [...names, 'customQuery', 'timeout'];
	const options = applying.sort().map((name) => known[name]);
	return collectionField('Options', 'options', 'Add option', options);
}

/** Every option: its name and its label. */
export const optionLabels = Object.entries(known).map(
	([name, { displayName }]) => [name, displayName] as const,
);

/** Reads the options of an item. @throws InputError */
export function optionsOf(entered: IDataObject): Options {
	const number = (name: OptionName, max = Infinity, min = 1, whole = true) => {
		const { displayName, default: defaultValue } = known[name];
		const value = isEmpty(entered[name]) ? defaultValue : entered[name];
		return parseNumber(value, displayName, min, max, whole);
	};
	return {
		pageSize: number('pageSize'),
		parallelRequests: number('parallelRequests', MAX_PARALLEL),
		timeout: number('timeout', MAX_TIMEOUT, 0.001, false) * SECOND,
		includeMissing: parseBoolean(entered.includeMissing, known.includeMissing.displayName),
		waitTimeout: number('waitTimeout', Infinity, 0, false) * MINUTE,
		waitInterval: number('waitInterval', Infinity, 0.001, false) * SECOND,
		customBody: parseObject(entered.customBody, known.customBody.displayName),
		customQuery: queryOf(parseObject(entered.customQuery, known.customQuery.displayName)),
	};
}

function queryOf(entered: IDataObject = {}): Query {
	const own = Object.entries(entered).filter(([name]) => name !== 'page' && name !== 'size');
	return Object.fromEntries(own.map(([name, value]) => [name, queryValue(name, value)]));
}

function queryValue(name: string, value: unknown): string | undefined {
	if (value === null || value === undefined) return undefined;
	if (Array.isArray(value)) return value.map((entry) => queryValue(name, entry)).join(',');
	if (typeof value !== 'object') return String(value);
	throw new InputError(
		`Custom Query contains an object in “${name}”`,
		'Enter strings, numbers or lists of them in Custom Query',
	);
}

/** A request with an item's options. */
export function withOptions<T extends IDataObject>(
	request: ApiRequest<T>,
	{ timeout, customQuery, customBody }: Options,
	itemIndex: number,
): ApiRequest<T> {
	return {
		...request,
		query: { ...request.query, ...customQuery },
		...(request.method === 'POST' && { body: mergeDeep(request.body, customBody) }),
		timeout,
		itemIndex,
	};
}
