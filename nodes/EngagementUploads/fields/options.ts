/** Options: everything that has a sensible default. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Query } from '../transport/url';
import { parseNumber, parseObject, parseBoolean, InputError } from '../values/input';

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
const LONGEST_TIMEOUT = 3600;
const MOST_PARALLEL = 64;

const known = {
	customBody: {
		displayName: 'Custom Body',
		name: 'customBody',
		type: 'json',
		default: '{}',
		description:
			'More fields to send, in JSON, e.g. {"locale": "en"}. They win over what the other fields say.',
	},
	customQuery: {
		displayName: 'Custom Query',
		name: 'customQuery',
		type: 'json',
		default: '{}',
		description:
			'More parameters for the address of the request, in JSON, e.g. {"status": "ACTIVE"}. They win over what the other fields say, except page and size.',
	},
	includeMissing: {
		displayName: 'Include Missing',
		name: 'includeMissing',
		type: 'boolean',
		default: false,
		description:
			'Whether to return an item with an empty upload ID for an engagement that has no upload yet. Otherwise it gives no item.',
	},
	pageSize: {
		displayName: 'Page Size',
		name: 'pageSize',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 100,
		description: 'How many records to get with each request. What comes out stays the same.',
	},
	parallelRequests: {
		displayName: 'Parallel Requests',
		name: 'parallelRequests',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 64 },
		default: 64,
		description:
			'Most requests to make at the same time. The node starts with fewer, and goes up while the service keeps up.',
	},
	timeout: {
		displayName: 'Timeout (Seconds)',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 60,
		description: 'How long the service may take to answer a request',
	},
	waitInterval: {
		displayName: 'Wait Interval (Seconds)',
		name: 'waitInterval',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 10,
		description:
			'With Wait for Completion: how long to pause before looking again for the new upload',
	},
	waitTimeout: {
		displayName: 'Wait Timeout (Minutes)',
		name: 'waitTimeout',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 15,
		description:
			'With Wait for Completion: how long to wait at the most. After that, the item is an error.',
	},
} satisfies Record<string, INodeProperties>;

export type OptionName = keyof typeof known;

/** The collection Options with the ones that apply. Every request has a time-out and a query. */
export function optionsField(...names: OptionName[]): INodeProperties {
	const applying: OptionName[] = [...names, 'customQuery', 'timeout'];
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: applying.sort().map((name) => known[name]),
	};
}

/** Reads the options of an item. @throws InputError */
export function optionsOf(entered: IDataObject): Options {
	const number = (name: OptionName, most = Infinity, least = 1, whole = true) => {
		const { displayName, default: standard } = known[name];
		return parseNumber(entered[name] ?? standard, displayName, least, most, whole);
	};
	return {
		pageSize: number('pageSize'),
		parallelRequests: number('parallelRequests', MOST_PARALLEL),
		timeout: number('timeout', LONGEST_TIMEOUT, 0.001, false) * SECOND,
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
		`Custom Query holds an object in “${name}”`,
		'Enter texts, numbers or lists of them in Custom Query',
	);
}
