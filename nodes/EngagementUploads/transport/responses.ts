/**
 * Reads the service's responses. How lists are wrapped is undocumented (docs/service.md#lists-and-pages),
 * so the usual forms are read, and only here. Invariant: a response that is not what was asked for is never
 * an empty success.
 */
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../values/objects';
import { readBoolean } from '../values/scalars';
import { isAbsent } from '../values/text';
import { isSuccess, type Answer } from './exchange';
import { originalMessage } from './n8nHttp';
import type { RecordKind } from './request';

/** One page of a list: its records, in order, and its page fields. */
export interface RecordPage<T extends IDataObject = IDataObject> {
	records: T[];
	page: PageFields;
	/** The response was a single record, not a list. */
	isAlone?: boolean;
}

/** The page fields of a list; those that the service did not send are undefined. */
export interface PageFields {
	last?: boolean;
	totalPages?: number;
	totalElements?: number;
	size?: number;
	/** The field by which the list is sorted. */
	sortedBy?: string;
}

/** Names of a list of records, or of an object around it. */
const RECORD_NAMES = ['content', 'data', 'items', 'results', '_embedded'];
/** Names of lists that do not contain the records. */
const SIDE_NAMES = ['sort', 'orderBy', 'links', '_links', 'errors', 'warnings', 'messages'];
/** Names of objects that may contain the page fields. */
const PAGE_NAMES = ['page', 'pageable', 'pagination', 'paging', 'meta', 'metadata', '_meta'];
/** Maximum number of wrappers around the records. */
const MAX_DEPTH = 3;

/** Says why a response cannot be read. */
export class UnreadableResponse extends Error {}

/** Reads a body. @throws UnreadableResponse if it is not what was asked for */
export type Reader<T> = (body: unknown) => T;

/** What readers get for a 204. */
const NO_CONTENT = undefined;

/**
 * What a successful response contains. Any other answer is returned as it is, and a success that cannot be
 * read as unreadable. To a GET, a 202 means that the result is still being prepared.
 */
export function readResponse<T>(
	answer: Answer,
	read: Reader<T>,
	method: 'GET' | 'POST' = 'GET',
): { value: T; headers: Record<string, unknown> } | Answer {
	if (!('status' in answer) || !isSuccess(answer.status)) return answer;
	const { status, headers, body } = answer;
	if (status === 202 && method === 'GET')
		return { end: 'unreadable', detail: 'the result is not ready yet (202)' };
	try {
		return { value: read(status === 204 ? NO_CONTENT : rejectText(body)), headers };
	} catch (error) {
		return { end: 'unreadable', detail: originalMessage(error), body };
	}
}

function rejectText(body: unknown): unknown {
	if (typeof body !== 'string') return body;
	if (body.trim() === '') throw new UnreadableResponse('it is empty');
	const isWebPage = /^\s*</.test(body);
	throw new UnreadableResponse(
		isWebPage ? 'it is a web page instead of data' : 'it is not JSON or was cut off',
	);
}

/** Reads a list: bare, in a wrapper, or a single record where a list of one is meant. */
export function readPage<T extends IDataObject>(body: unknown, kind: RecordKind<T>): RecordPage<T> {
	if (body === NO_CONTENT) return { records: [], page: {} };
	if (Array.isArray(body)) return { records: parseRecords(body), page: {} };
	if (!isObject(body)) throw new UnreadableResponse('it is not a list');
	if (isError(body)) throw new UnreadableResponse('it is an error');
	const list = findList(body, kind);
	const page = parsePageFields(body);
	if (list !== undefined) return { records: parseRecords(list), page };
	const record = findRecord(body, kind);
	if (record !== undefined) {
		// It is all there is, unless the service says otherwise.
		const saysEnd = page.last !== undefined || page.totalPages !== undefined;
		return { records: [record], page: saysEnd ? page : { last: true }, isAlone: true };
	}
	// Some services leave out an empty list.
	if (page.totalElements === 0 || page.totalPages === 0) return { records: [], page };
	throw new UnreadableResponse('it contains no list');
}

/** Reads a single record: bare, in a wrapper, or alone in a list. */
export function readRecord<T extends IDataObject>(body: unknown, kind: RecordKind<T>): T {
	if (body === NO_CONTENT) throw new UnreadableResponse('it is empty');
	if (isObject(body) && isError(body)) throw new UnreadableResponse('it is an error');
	const list = Array.isArray(body) ? body : isObject(body) ? findList(body, kind) : undefined;
	if (list?.length === 0) throw new UnreadableResponse('it is empty');
	if (list !== undefined && list.length > 1) throw new UnreadableResponse('it is a list');
	const record: unknown = list === undefined ? body : list[0];
	if (!isObject(record)) throw new UnreadableResponse('it is not a record');
	const found = findRecord(record, kind);
	if (found === undefined) throw new UnreadableResponse('it is not the requested record');
	const isAnonymous = kind.identity.flat().every((field) => isAbsent(found[field]));
	if (kind.needsIdentity === true && isAnonymous) throw new UnreadableResponse('it has no ID');
	return found;
}

/** The list in a wrapper: under a usual name, or the only one that may contain records. */
function findList(body: IDataObject, kind: RecordKind, depth = 1): unknown[] | undefined {
	if (depth > MAX_DEPTH || hasField(body, kind.distinctive)) return undefined;
	for (const name of RECORD_NAMES) {
		const value = body[name];
		if (Array.isArray(value)) return value;
		if (value === null) return [];
		const inner = isObject(value) ? findList(value, kind, depth + 1) : undefined;
		if (inner !== undefined) return inner;
	}
	const known = [...kind.distinctive, ...(kind.ambiguous ?? []), ...kind.identity.flat()];
	const mayBeRecords = (value: unknown): value is IDataObject[] =>
		Array.isArray(value) && value.every((each) => isObject(each) && hasField(each, known));
	const others = Object.entries(body).filter(([name]) => !SIDE_NAMES.includes(name));
	const lists = others.map(([, value]): unknown => value).filter(mayBeRecords);
	const filled = lists.filter((list) => list.length > 0);
	const [list, ...more] = filled.length > 0 ? filled : lists;
	return more.length === 0 ? list : undefined;
}

/** A record, perhaps in a wrapper. */
function findRecord<T extends IDataObject>(
	body: IDataObject,
	kind: RecordKind<T>,
	depth = 1,
): T | undefined {
	if (isRecord(body, kind)) return body;
	if (depth === MAX_DEPTH) return undefined;
	return Object.entries(body)
		.filter(([name]) => !PAGE_NAMES.includes(name) && !SIDE_NAMES.includes(name))
		.map(([, value]) => (isObject(value) ? findRecord(value, kind, depth + 1) : undefined))
		.find((each) => each !== undefined);
}

function isRecord<T extends IDataObject>(value: IDataObject, kind: RecordKind<T>): value is T {
	if (hasField(value, kind.distinctive)) return true;
	return hasField(value, kind.ambiguous ?? []) && findList(value, kind) === undefined;
}

/** Whether an object has one of these fields, and not as a list, as a wrapper may. */
function hasField(value: IDataObject, names: readonly string[]): boolean {
	return names.some((name) => Object.hasOwn(value, name) && !Array.isArray(value[name]));
}

/** Whether a successful response is an error after all. An upload may have errors of its own. */
function isError({ status, statusCode, success, error, errors, uploadId }: IDataObject): boolean {
	if (uploadId !== undefined) return false;
	const hasErrorStatus = [status, statusCode].some(
		(each) => typeof each === 'number' && each >= 400,
	);
	const hasErrors = Array.isArray(errors) && errors.length > 0;
	const hasError = isObject(error) || (typeof error === 'string' && error !== '');
	return hasErrorStatus || hasErrors || hasError || success === false;
}

/** The entries of a list. Any object is a record, since the service may leave out every known field. */
function parseRecords<T extends IDataObject>(list: unknown[]): T[] {
	const records = list.filter((entry) => entry !== null);
	if (records.every(isObject)) return records as T[];
	throw new UnreadableResponse('its list contains something other than records');
}

/** The page fields in an object, or in objects inside it; the first of each name counts. */
function parsePageFields(body: IDataObject): PageFields {
	const wrappers = [body, ...RECORD_NAMES.map((name) => body[name])].filter(isObject);
	const sources = wrappers.flatMap((each) => [each, ...PAGE_NAMES.map((name) => each[name])]);
	const fields: PageFields = {};
	for (const source of sources.filter(isObject)) {
		// A number is that of the last page.
		if (typeof source.last !== 'number') fields.last ??= readBoolean(source.last);
		fields.totalPages ??= readCount(source.totalPages);
		fields.totalElements ??= readCount(source.totalElements);
		fields.size ??= readCount(source.size) ?? readCount(source.pageSize);
		fields.sortedBy ??= findSortField(source);
	}
	return fields;
}

/** The `property` of a list, or of its `sort`, which may be an object or a list of them. */
function findSortField(source: IDataObject): string | undefined {
	const orders = [source, source.sort].flat();
	const names = orders.map((order) => (isObject(order) ? order.property : undefined));
	return names.find((name) => typeof name === 'string');
}

/** Some services send numbers as text. */
function readCount(value: unknown): number | undefined {
	const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
	return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : undefined;
}
