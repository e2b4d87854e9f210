/**
 * Reads the service's responses. How lists are wrapped is undocumented (docs/service.md#lists-and-pages), so three
 * rules decide, and only here:
 *
 * - A record is what has its ID: the response itself, or what stands under one of four usual names.
 * - A list is the response itself, the list under one of these names, or else its only list of objects, empty ones aside;
 *   `data` or `_embedded` may stand around it. At least one of them is a record; an empty list stands beside page fields, or beside nothing but true, 0 and empty values.
 * - A list is an error if the response says so beside it.
 *
 * Anything else is an error, which quotes the response.
 */
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../values/objects';
import { readBoolean } from '../values/scalars';
import { isUnset } from '../values/text';
import type { Ending } from './failures';
import { isSuccess, originalMessage } from './n8nHttp';
import { expected, isRecord, recordId, type RecordKind } from './request';

/** Usual names of a list, or of what stands around a record. */
const USUAL_NAMES = ['content', 'data', 'items', 'results'];

/** The page fields of a list; those that the service did not send are undefined. */
export interface PageFields {
	last?: boolean;
	totalPages?: number;
}

/** One page of a list: its records, in order, and its page fields. */
export interface RecordPage<T extends IDataObject = IDataObject> {
	records: T[];
	page: PageFields;
}

/** Says why a response cannot be read, and perhaps what to do. */
class UnreadableResponse extends Error {
	constructor(
		message: string,
		readonly advice?: string,
	) {
		super(message);
	}
}

/** Reads a body. @throws UnreadableResponse if it is not what was asked for */
export type Reader<T> = (body: unknown) => T;

/** What readers get for a 204. */
const NO_CONTENT = undefined;

/** What a successful response contains. Any other ending is returned as it is, and a success that cannot be read as unreadable. */
export function readResponse<T>(
	ending: Ending,
	read: Reader<T>,
): { value: T; headers: Record<string, unknown> } | Ending {
	if (!('status' in ending) || !isSuccess(ending.status)) return ending;
	const { status, headers, body } = ending;
	try {
		return { value: read(status === 204 ? NO_CONTENT : rejectText(body)), headers };
	} catch (error) {
		const advice = error instanceof UnreadableResponse ? error.advice : undefined;
		return { end: 'unreadable', detail: originalMessage(error), advice, body };
	}
}

function rejectText(body: unknown): unknown {
	if (typeof body !== 'string') return body;
	const isEmpty = body.trim() === '';
	throw new UnreadableResponse(isEmpty ? 'it is empty' : 'it is not JSON, or was cut off');
}

/** Reads a page of a list. */
export function readPage<T extends IDataObject>(body: unknown, kind: RecordKind<T>): RecordPage<T> {
	if (body === NO_CONTENT) return { records: [], page: {} };
	const records = findList(body);
	if (!records?.every(isObject)) throw new UnreadableResponse('it is not a list of records');
	const beside = besideList(body);
	if ([body, beside].some(saysError)) throw new UnreadableResponse('it is an error');
	if (records.length === 0 && !mayBeEmpty(body, beside))
		throw new UnreadableResponse(
			'its list is empty, but the fields beside it do not look like those of an empty list',
		);
	if (records.length > 0 && !records.some((each) => isRecord(each, kind)))
		throw new UnreadableResponse(`none of its records has ${expected(kind)}`);
	return { records: records as T[], page: readPageFields(beside) };
}

/** Reads a single record. One that is known by something else than its ID is not believed beside an error. */
export function readRecord<T extends IDataObject>(body: unknown, kind: RecordKind<T>): T {
	if (body === NO_CONTENT && kind.mayBeEmpty) return {} as T;
	const hasNoValue = isObject(body) && isUnset(Object.values(body));
	if (body === NO_CONTENT || (kind.ifEmpty !== undefined && hasNoValue))
		throw new UnreadableResponse('it is empty', kind.ifEmpty);
	const inner = isObject(body) ? USUAL_NAMES.map((name) => body[name]) : [];
	const record = [body, ...inner]
		.map((each) => (Array.isArray(each) && each.length === 1 ? (each[0] as unknown) : each))
		.find((each) => isRecord(each, kind));
	if (record === undefined) throw new UnreadableResponse(`it has no ${expected(kind)}`);
	if (recordId(record, kind) === undefined && [body, record].some(saysError))
		throw new UnreadableResponse('it is an error');
	return record;
}

function findList(body: unknown): unknown[] | undefined {
	if (Array.isArray(body)) return body;
	const fields = listFields(body);
	const named = USUAL_NAMES.map((name) => fields[name]).find(Array.isArray);
	const lists = Object.values(fields).filter(isListOfObjects);
	const filled = lists.filter(({ length }) => length > 0);
	const [only, ...others] = filled.length > 0 ? filled : lists.slice(0, 1);
	return named ?? (others.length === 0 ? only : undefined);
}

/** What may stand between a response and its list: the second is HAL's. */
const WRAPPERS = ['data', '_embedded'];

/** What stands around a list: the response, or its `data` or `_embedded`. */
function listFields(body: unknown): IDataObject {
	const fields = isObject(body) ? body : {};
	return WRAPPERS.map((name) => fields[name]).find(isObject) ?? fields;
}

/** What stands beside a list, in all that is around it. */
function besideList(body: unknown): IDataObject {
	const inner = listFields(body);
	const outer = Object.entries(isObject(body) ? body : {}).filter(([, value]) => value !== inner);
	return { ...Object.fromEntries(outer), ...inner };
}

/** Page fields of an empty list. */
const PAGE_FIELDS = ['page', 'number', 'size', 'last', 'totalPages', 'totalElements'];

/** Whether what stands beside an empty list agrees with that. */
function mayBeEmpty(body: unknown, beside: IDataObject): boolean {
	if (Array.isArray(body) || PAGE_FIELDS.some((name) => Object.hasOwn(beside, name))) return true;
	return Object.values(beside).every((each) => isUnset(each) || each === true || each === 0);
}

const isListOfObjects = (value: unknown): value is unknown[] =>
	Array.isArray(value) && value.every(isObject);

/** Whether a response says that the request has failed. */
function saysError(body: unknown): boolean {
	const { error, errors, success } = isObject(body) ? body : {};
	const hasError = [error, errors].some((each) => !isUnset(each) && readBoolean(each) !== false);
	return hasError || readBoolean(success) === false;
}

/** The page fields beside a list, or in its `page`. */
function readPageFields(beside: IDataObject): PageFields {
	const fields = { ...(isObject(beside.page) && beside.page), ...beside };
	const { last, totalPages } = fields;
	return {
		last: typeof last === 'boolean' ? last : undefined,
		totalPages: typeof totalPages === 'number' ? totalPages : undefined,
	};
}
