/** What a request to an endpoint of the service is, its URL, and which records it returns. */
import type { IDataObject } from 'n8n-workflow';
import { InputError } from '../values/inputError';
import { isObject } from '../values/objects';

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
}

/** A request, and how it is sent this time. */
export interface Call<T extends IDataObject = IDataObject> extends ApiRequest<T> {
	/** Statuses after which it is not sent again. */
	final?: readonly number[];
	/** What a list can do without if the service may have refused it; by default, only the page size. */
	optional?: readonly Optional[];
	/** Once it is aborted, the request is neither sent nor retried, and ends if it is in progress. */
	signal?: AbortSignal;
}

/** What a record is: what has its ID. The service's own kinds are in service/records.ts. */
export interface RecordKind<T extends IDataObject = IDataObject> {
	/** The fields that together identify a record. */
	id: readonly string[];
	/** What tells a record without such a field from anything else. */
	recognisedBy?: { expected: string; isIn(value: IDataObject): boolean };
	/** A response without content (204) is a record without fields. */
	mayBeEmpty?: true;
	/** What to tell the user if there is no record, or one without any value. */
	ifEmpty?: string;
	/** Never set: it only ties the kind to the type of its records. */
	readonly type?: T;
}

/** Whether an object is a record of a kind. */
export function isRecord<T extends IDataObject>(value: unknown, kind: RecordKind<T>): value is T {
	return (
		isObject(value) &&
		(recordId(value, kind) !== undefined || kind.recognisedBy?.isIn(value) === true)
	);
}

/** What a record of a kind must have, for messages. */
export function expected({ id, recognisedBy }: RecordKind): string {
	return recognisedBy?.expected ?? id.join(' + ');
}

/** The ID that tells a record from others of its kind, in lower case; undefined if it has none. */
export function recordId(record: IDataObject, { id }: RecordKind): string | undefined {
	let key = '';
	// Without arrays, since each record of a long list comes here.
	for (const name of id) {
		const part = record[name];
		if (!isId(part)) return undefined;
		key = key === '' ? String(part) : `${key}\n${part}`;
	}
	return key === '' ? undefined : key.toLowerCase();
}

/** Blank texts and 0 stand for no ID. */
function isId(value: unknown): value is string | number {
	return typeof value === 'string' ? value.trim() !== '' : typeof value === 'number' && value !== 0;
}

/** How the editor calls what becomes a parameter, and may be long. */
const LABELS: Readonly<Record<string, string>> = {
	engagementId: 'Engagement IDs',
	externalEngagementId: 'External Engagement IDs',
	orderBy: 'Sort',
	scopeName: 'Scope',
};

/** Maximum length of a URL. */
const MAX_URL_LENGTH = 2000;

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
	if (url.length <= MAX_URL_LENGTH) return url;
	const lengthOf = (name: string) => String(query[name] ?? '').length;
	const [longest = ''] = Object.keys(query).toSorted(
		(one, other) => lengthOf(other) - lengthOf(one),
	);
	const field = LABELS[longest] ?? 'What was entered';
	throw new InputError(
		`${field} is too long for one request (${url.length} of at most ${MAX_URL_LENGTH} characters)`,
		'Shorten it, or split it across several items',
	);
}

function encodeValue(value: string): string {
	return encodeURIComponent(value).replace(/%2C/g, ',').replace(/%3A/g, ':');
}
