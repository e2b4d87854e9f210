/**
 * Reads the service's responses. How lists are wrapped is undocumented (docs/service.md#lists-and-pages),
 * so the usual forms are read, and only here. Invariant: a page is a list of records of its kind, or an
 * error. An empty list is believed only if nothing else in the response says otherwise.
 */
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../values/objects';
import { isAbsent } from '../values/text';
import {
	hasOtherMessage,
	innerEnvelopes,
	isSideName,
	PAGE_NAMES,
	parsePageFields,
	RECORD_NAMES,
	saysFailure,
	squash,
	type PageFields,
} from './envelope';
import type { Ending } from './failures';
import { isSuccess, originalMessage } from './n8nHttp';
import { recordId, type RecordKind } from './request';

/** One page of a list: its records, in order, and its page fields. */
export interface RecordPage<T extends IDataObject = IDataObject> {
	records: T[];
	page: PageFields;
}

/** Maximum number of wrappers around the records. */
const MAX_DEPTH = 3;

/** Says why a response cannot be read. */
export class UnreadableResponse extends Error {}

/** Reads a body. @throws UnreadableResponse if it is not what was asked for */
export type Reader<T> = (body: unknown) => T;

/** What readers get for a 204. */
const NO_CONTENT = undefined;

/**
 * What a successful response contains. Any other ending is returned as it is, and a success that cannot be
 * read as unreadable. In response to a GET, a 202 means that the result is still being prepared.
 */
export function readResponse<T>(
	ending: Ending,
	read: Reader<T>,
	method: 'GET' | 'POST' = 'GET',
): { value: T; headers: Record<string, unknown> } | Ending {
	if (!('status' in ending) || !isSuccess(ending.status)) return ending;
	const { status, headers, body } = ending;
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
	if (Array.isArray(body)) return { records: parseRecords(body, kind), page: {} };
	if (!isObject(body)) throw new UnreadableResponse('it is not a list');
	const list = findList(body, kind);
	const hasRecords = list?.some((each) => isObject(each) && isKnown(each, kind));
	rejectError(body, kind, hasRecords);
	const page = parsePageFields(body);
	if (list !== undefined) return { records: parseRecords(list, kind), page };
	const record = findRecord(body, kind);
	if (record !== undefined && isKnown(record, kind)) {
		// It is all there is, unless the service says otherwise.
		const saysEnd = page.last !== undefined || page.totalPages !== undefined;
		return { records: parseRecords([record], kind), page: saysEnd ? page : { last: true } };
	}
	// Some services leave out an empty list, or send null in its place.
	const hasNone = page.totalElements === 0 || page.totalPages === 0 || hasNull(body, kind);
	if (hasNone && !hasMessage(body, kind)) return { records: [], page };
	throw new UnreadableResponse('it contains no list');
}

/** Reads a single record: bare, in a wrapper, or alone in a list. */
export function readRecord<T extends IDataObject>(body: unknown, kind: RecordKind<T>): T {
	if (body === NO_CONTENT) throw new UnreadableResponse('it is empty');
	if (isObject(body)) rejectError(body, kind);
	const list = Array.isArray(body) ? body : isObject(body) ? findList(body, kind) : undefined;
	if (list?.length === 0) throw new UnreadableResponse('it is empty');
	if (list !== undefined && list.length > 1) throw new UnreadableResponse('it is a list');
	const record: unknown = list === undefined ? body : list[0];
	if (!isObject(record)) throw new UnreadableResponse('it is not a record');
	const found = findRecord(record, kind);
	if (found === undefined) {
		const isEmpty = hasNull(record, kind) && !hasMessage(record, kind);
		throw new UnreadableResponse(isEmpty ? 'it is empty' : 'it is not the requested record');
	}
	const isAnonymous = kind.identity.flat().every((field) => isAbsent(found[field]));
	if (kind.needsIdentity === true && isAnonymous) throw new UnreadableResponse('it has no ID');
	rejectOtherNames([found], kind);
	return found;
}

/** @throws UnreadableResponse if a response with status 200 says that the request has failed */
function rejectError(body: IDataObject, kind: RecordKind, hasRecords = false): void {
	const isError = envelopes(body, kind).some((each) => saysFailure(each, hasRecords));
	if (isError) throw new UnreadableResponse('it is an error');
}

/** Whether null stands in the place of a list or record. */
function hasNull(body: IDataObject, kind: RecordKind): boolean {
	const around = envelopes(body, kind);
	return around.some((each) => RECORD_NAMES.some((name) => each[name] === null));
}

/** Whether a message says that something may be wrong. */
function hasMessage(body: IDataObject, kind: RecordKind): boolean {
	return envelopes(body, kind).some(hasOtherMessage);
}

/** A response and the objects in it that are not records, but may be around them or about them. */
function envelopes(body: IDataObject, kind: RecordKind, depth = 1): IDataObject[] {
	if (isKnown(body, kind)) return [];
	const inner = depth < MAX_DEPTH ? innerEnvelopes(body) : [];
	return [body, ...inner.flatMap((each) => envelopes(each, kind, depth + 1))];
}

/** Whether an object is certainly a record of its kind, whatever else it says. */
function isKnown(value: IDataObject, kind: RecordKind): boolean {
	if (!hasField(value, kind.distinctive)) return false;
	return kind.identity.length === 0 || recordId(value, kind) !== undefined;
}

/**
 * The list in a wrapper: under a usual name, or the only one that may contain records. An empty one is believed
 * only if no other list contains anything.
 */
function findList(body: IDataObject, kind: RecordKind, depth = 1): unknown[] | undefined {
	if (depth > MAX_DEPTH || hasField(body, kind.distinctive)) return undefined;
	const named = RECORD_NAMES.map((name) => body[name])
		.map((value) => (isObject(value) ? findList(value, kind, depth + 1) : value))
		.filter(Array.isArray);
	const filled = named.find((list) => list.length > 0);
	if (filled !== undefined) return filled;
	const known = [...kind.distinctive, ...(kind.ambiguous ?? []), ...kind.identity.flat()];
	const others = Object.entries(body)
		.filter(([name]) => !RECORD_NAMES.includes(name) && !isSideName(name))
		.map(([, value]): unknown => value)
		.filter((value): value is IDataObject[] => Array.isArray(value) && value.every(isObject));
	const isEmpty = others.every((list) => list.length === 0);
	const [empty] = named;
	if (isEmpty && empty !== undefined) return empty;
	const [list, ...more] = isEmpty
		? others
		: others.filter((each) => each.length > 0 && each.every((entry) => hasField(entry, known)));
	return more.length === 0 ? list : undefined;
}

/** A record, perhaps in a wrapper. @throws UnreadableResponse if there are several */
function findRecord<T extends IDataObject>(
	body: IDataObject,
	kind: RecordKind<T>,
	depth = 1,
): T | undefined {
	if (isRecord(body, kind)) return body;
	if (depth === MAX_DEPTH) return undefined;
	const found = Object.entries(body)
		.filter(([name]) => !PAGE_NAMES.includes(name) && !isSideName(name))
		.map(([, value]) => (isObject(value) ? findRecord(value, kind, depth + 1) : undefined))
		.filter((each) => each !== undefined);
	const certain = found.filter((each) => isKnown(each, kind));
	const [record, ...more] = certain.length > 0 ? certain : found;
	if (more.length === 0) return record;
	throw new UnreadableResponse('it contains several records, but not as a list');
}

function isRecord<T extends IDataObject>(value: IDataObject, kind: RecordKind<T>): value is T {
	if (hasField(value, kind.distinctive)) return true;
	return hasField(value, kind.ambiguous ?? []) && findList(value, kind) === undefined;
}

/** Whether an object has one of these fields, and not as a list, as a wrapper may. */
function hasField(value: IDataObject, names: readonly string[]): boolean {
	return names.some((name) => Object.hasOwn(value, name) && !Array.isArray(value[name]));
}

/** The entries of a list, some of which may lack fields. @throws UnreadableResponse if it is another list */
function parseRecords<T extends IDataObject>(list: unknown[], kind: RecordKind<T>): T[] {
	const records = list.filter((entry) => entry !== null);
	if (!records.every(isObject) || (list.length > 0 && records.length === 0))
		throw new UnreadableResponse('its list contains something other than records');
	rejectOtherNames(records, kind);
	const ids = kind.identity.flat();
	const usual = ids.length > 0 ? ids : [...kind.distinctive, ...(kind.ambiguous ?? [])];
	const { needed = [usual] } = kind;
	const missing = needed.find(
		(names) => !records.some((record) => names.some((name) => !isAbsent(record[name]))),
	);
	if (records.length === 0 || missing === undefined) return records as T[];
	throw new UnreadableResponse(`none of its records has the field ${missing.join(' or ')}`);
}

/** @throws UnreadableResponse if records have the fields of their kind, but spelled as in `upload_id` */
function rejectOtherNames(records: IDataObject[], { fields = [] }: RecordKind): void {
	// Names of one word are the same in most spellings.
	const documented = fields.filter((name) => /[a-z][A-Z]/.test(name));
	if (records.some((record) => documented.some((name) => Object.hasOwn(record, name)))) return;
	const known = new Set(fields.map(squash));
	const others = records
		.flatMap((record) => Object.keys(record))
		.filter((name) => known.has(squash(name)) && !fields.includes(name));
	if (others.length === 0) return;
	const shown = [...new Set(others)].slice(0, 3).join(', ');
	throw new UnreadableResponse(`its records have differently spelled fields (${shown})`);
}
