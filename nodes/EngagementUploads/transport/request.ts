/** What a request to an endpoint of the service is, its URL, and which records it returns. */
import type { IDataObject } from 'n8n-workflow';
import { InputError } from '../values/inputError';
import { isObject } from '../values/objects';
import { CLIENT_ID } from './address';
import type { Failure } from './failures';

/** A parameter that a list can do without: its order, or the size of its pages. */
export type Optional = 'orderBy' | 'size';

export type Query = Record<string, string | number | boolean | undefined>;

/** A request to an endpoint (docs/service.md), and the kind of records it returns. */
export interface ApiRequest<T extends IDataObject = IDataObject> {
	/** What it is for; completes “Could not …”. */
	purpose: string;
	method: 'GET' | 'POST';
	path: string;
	query?: Query;
	body?: IDataObject;
	kind: RecordKind<T>;
	/** The parameters of `query` that each record of the list shows to be honoured or not. */
	filters?: Readonly<Record<string, Filter>>;
	/** Whether a record is the one that was asked for, or written, with this body. */
	fits?(record: T, body: IDataObject): boolean;
}

/** A request, and how it is sent this time. */
export interface Call<T extends IDataObject = IDataObject> extends ApiRequest<T> {
	/** The input item that it is for, which an error then names. */
	itemIndex?: number;
	/** milliseconds; the client's own by default */
	timeout?: number;
	/** Whether a failure is worth a retry if that is safe; by default, each is. A caller may prefer to ask for less. */
	retries?(failure: Failure): boolean;
	/** What a list can do without if the service may have refused it; by default, only the page size. */
	optional?: readonly Optional[];
	/** Once it is aborted, the request is neither sent nor retried, and ends if it is in progress. */
	signal?: AbortSignal;
}

/** What a record is: what has its ID. The service's own kinds are in service/records.ts. */
export interface RecordKind<T extends IDataObject = IDataObject> {
	/** What identifies a record: the first of these fields, or groups of fields, that it has. */
	id: ReadonlyArray<string | readonly string[]>;
	/** What tells a record without such a field from anything else, or one whose ID is called `id`, as many are. */
	sign?: { expected: string; isIn(value: IDataObject): boolean };
	/** A response without content (204) is a record without fields. */
	mayBeEmpty?: true;
	/** What to tell the user if there is no record, or one without any value. */
	ifEmpty?: string;
	/** The names of its fields that are lists of something else. */
	lists?: readonly string[];
	/** Never set: it only ties the kind to the type of its records. */
	readonly type?: T;
}

/** A kind whose records are of use only if they have this field, too. */
export function having<T extends IDataObject>(kind: RecordKind<T>, name: string): RecordKind<T> {
	return { ...kind, id: kind.id.map((names) => [...new Set([names, name].flat())]) };
}

/** Whether an object is a record of a kind. */
export function isRecord<T extends IDataObject>(value: unknown, kind: RecordKind<T>): value is T {
	return (
		isObject(value) && (recordId(value, kind) !== undefined || kind.sign?.isIn(value) === true)
	);
}

/** Whether something is a record even without its `id`, which envelopes, links and errors have, too. */
export function isCertain(value: unknown, kind: RecordKind): boolean {
	return isObject(value) && isRecord({ ...value, id: undefined }, kind);
}

/** The ID that tells a record from others of its kind, in lower case; undefined if it has none. */
export function recordId(record: IDataObject, kind: RecordKind): string | undefined {
	for (const names of kind.id) {
		const parts = [names].flat().map((name) => record[name]);
		if (parts.every(isId)) return parts.join('\n').toLowerCase();
	}
	return undefined;
}

/** Blank texts and 0 stand for no ID. */
function isId(value: unknown): boolean {
	return typeof value === 'string' ? value.trim() !== '' : typeof value === 'number' && value !== 0;
}

/** What a request names: the IDs in its path, and the values in its query, in lower case. */
export function namedIn({ path: target, query = {} }: ApiRequest, clientId: string): Set<string> {
	const parts = target.split('/').slice(2).map(decodeURIComponent);
	const ids = parts
		.map((part) => (part === CLIENT_ID ? clientId : part))
		.filter((id) => /\d/.test(id));
	const values = Object.values(query).flatMap((value) => String(value).split(','));
	return new Set([...ids, ...values].map((each) => each.toLowerCase()));
}

/** Whether records are held to a filter of the request. */
export function hasFilter({ query = {}, filters = {} }: ApiRequest): boolean {
	return Object.keys(filters).some((name) => query[name] !== undefined);
}

/** Tells which records have what a query parameter asks for. */
export type Filter = (asked: string, zone: string) => (record: IDataObject) => boolean;

/** Tells which records a request asks for, as far as they show it: the service may ignore a filter. */
export function fitting({ query = {}, filters = {} }: ApiRequest, zone: string) {
	const rules = Object.entries(filters).flatMap(([name, filter]) =>
		query[name] === undefined ? [] : [filter(String(query[name]), zone)],
	);
	return (record: IDataObject) => rules.every((fits) => fits(record));
}

/** Maximum length of a URL. */
const MAX_URL_LENGTH = 2000;
const UUID_LENGTH = 36;
const PAGE_QUERY_LENGTH = 40;

/** A path with encoded segments, so that user input stays one segment. */
export function path(texts: TemplateStringsArray, ...parts: Array<string | number>): string {
	return String.raw({ raw: texts }, ...parts.map(encodeURIComponent));
}

/** A path with a query; commas in lists and colons in times stay readable. */
function withQuery(target: string, query: Query): string {
	const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
	const search = pairs.map(
		([name, value]) => `${encodeURIComponent(name)}=${encodeValue(String(value))}`,
	);
	return `${target}${search.length > 0 ? '?' : ''}${search.join('&')}`;
}

/** The URL of a request. @throws InputError if it is too long */
export function requestUrl(base: string, target: string, query: Query = {}): string {
	const url = withQuery(`${base}${target}`, query);
	if (urlLength(url) <= MAX_URL_LENGTH) return url;
	throw new InputError(
		`The values entered are too long for one request (${urlLength(url)} of at most ${MAX_URL_LENGTH} characters)`,
		'Shorten them, or split them across several items',
	);
}

/** The length of a URL with the client ID filled in. */
function urlLength(url: string): number {
	return url.includes(CLIENT_ID) ? url.length - CLIENT_ID.length + UUID_LENGTH : url.length;
}

/** How many characters the longest allowed URL has left after this one and its page parameters. */
export function remainingLength(base: string, target: string, query: Query = {}): number {
	return MAX_URL_LENGTH - urlLength(withQuery(`${base}${target}`, query)) - PAGE_QUERY_LENGTH;
}

function encodeValue(value: string): string {
	return encodeURIComponent(value).replace(/%2C/g, ',').replace(/%3A/g, ':');
}
