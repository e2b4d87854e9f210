/**
 * What the service's lists look like. The list wrapper is not documented (interface section 4), so
 * every form that such services use is understood here, and nowhere else.
 */
import type { IDataObject } from 'n8n-workflow';

/** How a record of a kind is told from a wrapper, and from other records of its kind. */
export interface RecordKind {
	/** Fields of which a record has at least one, and a wrapper none. */
	own: readonly string[];
	/** Fields that a wrapper may have too: they tell a record where there is no list beside them. */
	weak?: readonly string[];
	/** Fields that together identify a record; the first of the alternatives that is there counts. */
	identity: ReadonlyArray<readonly string[]>;
}

/** The page fields of a list answer (interface section 2), as far as the service sent them. */
export interface PageFields {
	last?: boolean;
	totalPages?: number;
	totalElements?: number;
	number?: number;
	size?: number;
}

/** One list answer: its records, in order, and what it tells of its page. */
export interface RecordPage {
	records: IDataObject[];
	page: PageFields;
	/** The record came without a list. */
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
const PAGE_NAMES = ['page', 'pageable', 'pagination', 'paging', 'meta', 'metadata', '_meta'];
/** Lists beside the records that are none. */
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
/** `false` in one of these says that what was asked for did not work. */
const SUCCESS_NAMES = ['success', 'ok', 'succeeded', 'successful', 'isSuccess'];
const DEEPEST = 4;
/** Records have three or four. */
const MOST_LEVELS = 100;

/** An answer that cannot be read, and why. */
export class UnreadableAnswer {
	constructor(readonly why: string) {}
}

/** Reads a list answer of the service, in whatever wrapper it comes. */
export function readPage(body: unknown, kind: RecordKind): RecordPage | UnreadableAnswer {
	if (Array.isArray(body)) return withPage(body, [body]);
	if (!isObject(body)) return new UnreadableAnswer('it is not a list');
	if (isError(body)) return new UnreadableAnswer('it is an error');
	if (isRecord(body, kind)) return alone(body);
	const found = findList(body, kind, [body]);
	if (found !== undefined) return withPage(found.list, found.path);
	const single = wrappedRecord(body, kind);
	if (single !== undefined) return alone(single);
	if (isEmptyList(body)) return { records: [], page: pageFields([body]) };
	return new UnreadableAnswer('it holds no list');
}

function alone(record: IDataObject): RecordPage {
	return { records: [record], page: { last: true }, isAlone: true };
}

/** Reads an answer that is one record, bare, in a wrapper, or alone in a list. */
export function readRecord(body: unknown, kind: RecordKind): IDataObject | UnreadableAnswer {
	if (Array.isArray(body)) {
		return body.length === 1 ? readRecord(body[0], kind) : new UnreadableAnswer('it is a list');
	}
	if (!isObject(body)) return new UnreadableAnswer('it is not a record');
	if (isError(body)) return new UnreadableAnswer('it is an error');
	if (isRecord(body, kind)) return body;
	const inner = wrappedRecord(body, kind);
	if (inner !== undefined) return inner;
	const why =
		Object.keys(body).length === 0 ? 'it is empty' : 'it is not the record that was asked for';
	return new UnreadableAnswer(why);
}

/** What tells a record from others of its kind; undefined where the service sent no id. */
export function identityKey(record: IDataObject, kind: RecordKind): string | undefined {
	for (const fields of kind.identity) {
		const parts = fields.map((field) => record[field]);
		if (parts.every((part) => typeof part === 'string' || typeof part === 'number')) {
			return parts.join('\n');
		}
	}
	return undefined;
}

export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value holds more levels than n8n, which goes through items level by level, can take. */
export function isTooDeep(value: unknown, levels = MOST_LEVELS): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return levels === 0 || Object.values(value).some((inner) => isTooDeep(inner, levels - 1));
}

function isRecord(value: IDataObject, kind: RecordKind): boolean {
	const has = (field: string) => Object.hasOwn(value, field) && !Array.isArray(value[field]);
	if (kind.own.some(has)) return true;
	return (kind.weak ?? []).some(has) && !holdsRecords(value, kind);
}

function holdsRecords(value: IDataObject, kind: RecordKind): boolean {
	return Object.entries(value).some(
		([name, list]) =>
			Array.isArray(list) &&
			(RECORD_NAMES.includes(name) ||
				list.some((entry) => isObject(entry) && isRecord(entry, kind))),
	);
}

/** An error that came with a success status. A record may carry an `error` of its own. */
function isError(body: IDataObject): boolean {
	if (Object.hasOwn(body, 'uploadId')) return false;
	if (Number(body.statusCode) >= 400) return true;
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
	/** The objects around the list, the innermost first: page fields may stand in any of them. */
	path: IDataObject[];
}

function findList(body: IDataObject, kind: RecordKind, path: IDataObject[]): FoundList | undefined {
	const lists = Object.entries(body).filter(
		(entry): entry is [string, unknown[]] => Array.isArray(entry[1]) && !NOT_RECORDS.has(entry[0]),
	);
	const telling =
		lists.find(([, list]) => list.some((entry) => isObject(entry) && isRecord(entry, kind))) ??
		lists.find(([name]) => RECORD_NAMES.includes(name)) ??
		lists.find(([, list]) => list.length === 0 && !Object.hasOwn(body, 'message'));
	if (telling !== undefined) return { list: telling[1], path };
	if (path.length >= DEEPEST) return undefined;
	for (const inner of wrappersIn(body)) {
		if (isRecord(inner, kind)) continue;
		const found = findList(inner, kind, [inner, ...path]);
		if (found !== undefined) return found;
	}
	return undefined;
}

function wrappedRecord(body: IDataObject, kind: RecordKind): IDataObject | undefined {
	return wrappersIn(body).find((inner) => isRecord(inner, kind));
}

/** Known names of wrappers first, then the others, without the page's own objects and errors. */
function wrappersIn(body: IDataObject): IDataObject[] {
	const others = Object.keys(body).filter(
		(name) => !WRAPPER_NAMES.includes(name) && !PAGE_NAMES.includes(name) && !NOT_RECORDS.has(name),
	);
	const isWrapper = (name: string) => Object.hasOwn(body, name);
	const names = [
		...WRAPPER_NAMES.filter(isWrapper),
		...others.filter((name) => !ERROR_NAMES.includes(name)),
	];
	return names
		.map((name) => body[name])
		.filter((inner): inner is IDataObject => isObject(inner) && !isError(inner));
}

/** `{}`, `{ content: null }` or page fields that tell of no record. */
function isEmptyList(body: IDataObject): boolean {
	const telling = Object.keys(body).filter(
		(name) => !PAGE_NAMES.includes(name) && !NOT_RECORDS.has(name),
	);
	const fields = pageFields([body]);
	const tellsOfPages = fields.last !== undefined || fields.totalPages !== undefined;
	const empty = telling.every((name) => isNothing(body[name]));
	if ((fields.totalElements ?? 0) > 0) return false;
	return empty || (tellsOfPages && (body.numberOfElements ?? 0) === 0);
}

function isHollow(value: IDataObject): boolean {
	return Object.keys(value).length === 0;
}

function withPage(
	list: unknown[],
	path: Array<IDataObject | unknown[]>,
): RecordPage | UnreadableAnswer {
	const records = list.filter((entry) => entry !== null);
	if (!records.every(isObject))
		return new UnreadableAnswer('its list holds something other than records');
	return { records, page: pageFields(path.filter(isObject)) };
}

function pageFields(objects: IDataObject[]): PageFields {
	const sources = objects.flatMap((object) => [object, ...PAGE_NAMES.map((name) => object[name])]);
	const fields: PageFields = {};
	for (const source of sources) {
		if (!isObject(source)) continue;
		if (typeof source.last === 'boolean') fields.last ??= source.last;
		fields.totalPages ??= count(source.totalPages);
		fields.totalElements ??= count(source.totalElements);
		fields.number ??= count(source.number) ?? count(source.pageNumber);
		fields.size ??= count(source.size) ?? count(source.pageSize);
	}
	return fields;
}

function count(value: unknown): number | undefined {
	return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}
