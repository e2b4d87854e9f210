/**
 * Parses the service's responses. The list wrapper is undocumented
 * (docs/service.md#lists-and-pages), so every form that such services use is parsed, and only here.
 */
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../values/objects';
import { toText } from '../values/text';
import { PAGE_NAMES, pageFields, type PageFields } from './pageFields';

/** How to tell a record from a wrapper, and from other records of its kind. */
export interface RecordKind<T extends IDataObject = IDataObject> {
	/** Every record has at least one of these fields; no wrapper has any. */
	distinctive: readonly string[];
	/**
	 * Fields that a wrapper may also have: they identify a record only if there is no list next to
	 * them.
	 */
	ambiguous?: readonly string[];
	/** Fields that together identify a record; the first complete alternative counts. */
	identity: ReadonlyArray<readonly string[]>;
	/** Never set; ties the kind to the type of its records. */
	readonly type?: T;
}

/** One page of a list: its records, in order, and its page fields. */
export interface RecordPage<T extends IDataObject = IDataObject> {
	records: T[];
	page: PageFields;
	/** The record came alone, not in a list. */
	isAlone?: boolean;
}

const RECORD_NAMES = [
	'content',
	'data',
	'items',
	'records',
	'results',
	'result',
	'value',
	'values',
	'list',
];
const WRAPPER_NAMES = [...RECORD_NAMES, '_embedded', 'response', 'payload', 'body'];
/** Lists that do not hold the records. */
const NOT_RECORDS = new Set([
	'sort',
	'orderBy',
	'links',
	'_links',
	'errors',
	'warnings',
	'messages',
]);
const ERROR_NAMES = ['error', 'errors', 'errorCode', 'error_description', 'exception', 'fault'];
/** `false` in one of these means that the request failed. */
const SUCCESS_NAMES = ['success', 'ok', 'succeeded', 'successful', 'isSuccess'];
const MAX_DEPTH = 4;

/** A response that cannot be parsed, and why. */
export class UnreadableResponse {
	constructor(readonly why: string) {}
}

/** Parses a list, in any wrapper. */
export function readPage<T extends IDataObject>(
	body: unknown,
	kind: RecordKind<T>,
): RecordPage<T> | UnreadableResponse {
	if (Array.isArray(body)) return withPage(body, []);
	if (!isObject(body)) return new UnreadableResponse('it is not a list');
	if (isError(body)) return new UnreadableResponse('it is an error');
	if (isRecord(body, kind)) return alone(body);
	const found = findList(body, kind, [body]);
	if (found !== undefined) return withPage(found.list, found.path);
	const single = wrappedRecord(body, kind);
	if (single !== undefined) return alone(single);
	if (isEmptyList(body)) return { records: [], page: pageFields([body]) };
	return new UnreadableResponse('it contains no list');
}

function alone<T extends IDataObject>(record: T): RecordPage<T> {
	return { records: [record], page: { last: true }, isAlone: true };
}

/** Parses a single record, bare, in a wrapper, or alone in a list. */
export function readRecord<T extends IDataObject>(
	body: unknown,
	kind: RecordKind<T>,
): T | UnreadableResponse {
	if (Array.isArray(body)) {
		return body.length === 1 ? readRecord(body[0], kind) : new UnreadableResponse('it is a list');
	}
	if (!isObject(body)) return new UnreadableResponse('it is not a record');
	if (isError(body)) return new UnreadableResponse('it is an error');
	if (isRecord(body, kind)) return body;
	const inner = wrappedRecord(body, kind);
	if (inner !== undefined) return inner;
	const why = Object.keys(body).length === 0 ? 'it is empty' : 'it is not the requested record';
	return new UnreadableResponse(why);
}

/** What distinguishes a record from others of its kind; undefined if the service sent no ID. */
export function identityKey(record: IDataObject, kind: RecordKind): string | undefined {
	for (const fields of kind.identity) {
		const parts = fields.map((field) => record[field]);
		if (parts.every((part) => typeof part === 'string' || typeof part === 'number')) {
			return parts.join('\n');
		}
	}
	return undefined;
}

function isRecord<T extends IDataObject>(value: IDataObject, kind: RecordKind<T>): value is T {
	const has = (field: string) => Object.hasOwn(value, field) && !Array.isArray(value[field]);
	if (kind.distinctive.some(has)) return true;
	return kind.ambiguous?.some(has) === true && !holdsRecords(value, kind);
}

function holdsRecords(value: IDataObject, kind: RecordKind): boolean {
	return Object.entries(value).some(
		([name, list]) =>
			Array.isArray(list) && (RECORD_NAMES.includes(name) || holdsRecord(list, kind)),
	);
}

/** An error with a success status. A record may have a field `error` of its own. */
function isError(body: IDataObject): boolean {
	if (Object.hasOwn(body, 'uploadId')) return false;
	if (Number(toText(body.statusCode)) >= 400) return true;
	if (typeof body.status === 'number' && body.status >= 400) return true;
	if (SUCCESS_NAMES.some((name) => Object.hasOwn(body, name) && body[name] === false)) return true;
	return ERROR_NAMES.some((name) => Object.hasOwn(body, name) && !isNothing(body[name]));
}

function isNothing(value: unknown): boolean {
	if (Array.isArray(value)) return value.length === 0;
	return (
		value === null ||
		value === false ||
		value === 0 ||
		value === '' ||
		(isObject(value) && isHollow(value))
	);
}

interface FoundList {
	list: unknown[];
	/** The objects around the list, innermost first; each may hold page fields. */
	path: IDataObject[];
}

function findList(body: IDataObject, kind: RecordKind, path: IDataObject[]): FoundList | undefined {
	const lists = Object.entries(body).filter(
		(entry): entry is [string, unknown[]] => Array.isArray(entry[1]) && !NOT_RECORDS.has(entry[0]),
	);
	const records =
		lists.find(([, list]) => holdsRecord(list, kind)) ??
		lists.find(([name]) => RECORD_NAMES.includes(name));
	if (records !== undefined) return { list: records[1], path };
	const empty = lists.find(
		([, list]) => list.every((entry) => entry === null) && !Object.hasOwn(body, 'message'),
	);
	const inWrapper = path.length < MAX_DEPTH ? findInWrappers(body, kind, path) : undefined;
	// An empty list may be next to the records.
	if (empty === undefined || (inWrapper !== undefined && holdsRecord(inWrapper.list, kind)))
		return inWrapper;
	return { list: empty[1], path };
}

function findInWrappers(
	body: IDataObject,
	kind: RecordKind,
	path: IDataObject[],
): FoundList | undefined {
	for (const inner of wrappersIn(body)) {
		if (isRecord(inner, kind)) continue;
		const found = findList(inner, kind, [inner, ...path]);
		if (found !== undefined) return found;
	}
	// The records may be in the same object as the page fields.
	const pages = PAGE_NAMES.map((name) => body[name]).filter(isObject);
	return pages
		.map((inner) => findList(inner, kind, [inner, ...path]))
		.find((found) => found !== undefined && holdsRecord(found.list, kind));
}

function holdsRecord(list: unknown[], kind: RecordKind): boolean {
	return list.some((entry) => isObject(entry) && isRecord(entry, kind));
}

function wrappedRecord<T extends IDataObject>(
	body: IDataObject,
	kind: RecordKind<T>,
): T | undefined {
	return wrappersIn(body).find((inner) => isRecord(inner, kind));
}

/** Objects that may be wrappers: those with known names first, without page objects and errors. */
function wrappersIn(body: IDataObject): IDataObject[] {
	return [...new Set([...WRAPPER_NAMES, ...Object.keys(body)])]
		.filter((name) => !PAGE_NAMES.includes(name) && !NOT_RECORDS.has(name))
		.map((name) => body[name])
		.filter((inner): inner is IDataObject => isObject(inner) && !isError(inner));
}

/** `{}`, `{ content: null }`, or page fields that say there are no records. */
function isEmptyList(body: IDataObject): boolean {
	const names = Object.keys(body).filter(
		(name) => !PAGE_NAMES.includes(name) && !NOT_RECORDS.has(name),
	);
	const fields = pageFields([body]);
	const hasPageFields = fields.last !== undefined || fields.totalPages !== undefined;
	const empty = names.every((name) => isNothing(body[name]));
	if ((fields.totalElements ?? 0) > 0) return false;
	if (empty || !hasPageFields || (body.numberOfElements ?? 0) !== 0) return empty;
	// Unknown objects may hold records, unless the page fields say that there are none.
	const statesNone = [body.numberOfElements, fields.totalElements, fields.totalPages].includes(0);
	return (
		statesNone || names.every((name) => isNothing(body[name]) || typeof body[name] !== 'object')
	);
}

function isHollow(value: IDataObject): boolean {
	return Object.keys(value).length === 0;
}

function withPage<T extends IDataObject>(
	list: unknown[],
	path: IDataObject[],
): RecordPage<T> | UnreadableResponse {
	const records = list.filter((entry) => entry !== null);
	if (!areRecords<T>(records))
		return new UnreadableResponse('its list contains something other than records');
	return { records, page: pageFields(path) };
}

/**
 * Any object in a list of records counts as one, since the service may leave out every known field.
 */
function areRecords<T extends IDataObject>(entries: unknown[]): entries is T[] {
	return entries.every(isObject);
}
