/**
 * Reads the service's responses. The list wrapper is undocumented
 * (docs/service.md#lists-and-pages), so every form that such services use is parsed, and only here.
 */
import type { IDataObject } from 'n8n-workflow';
import { isDeeperThan, isObject, parseJson } from '../../values/objects';
import { isAbsent, toText } from '../../values/text';
import { isSuccess, type Outcome } from '../http/exchange';
import { originalMessage } from '../n8nCompat';
import { PAGE_NAMES, pageFields, type PageFields, type RecordKind } from './request';

/** One page of a list: its records, in order, and its page fields. */
export interface RecordPage<T extends IDataObject = IDataObject> {
	records: T[];
	page: PageFields;
	/** The record came alone, not in a list. */
	isAlone?: boolean;
}

const RECORD_NAMES = 'content data items records results result value values list'.split(' ');
const WRAPPER_NAMES = [...RECORD_NAMES, '_embedded', 'response', 'payload', 'body'];
/** Lists that seldom hold the records. */
const SIDE_NAMES = 'sort orderBy links _links errors warnings messages'.split(' ');
const ERROR_NAMES = ['error', 'errors', 'errorCode', 'error_description', 'exception', 'fault'];
/** `false` in one of these means that the request failed. */
const SUCCESS_NAMES = ['success', 'ok', 'succeeded', 'successful', 'isSuccess'];
/** Wrappers around the records, outermost included. */
const MAX_DEPTH = 4;
/** A response with more objects than this is data that no list holds. */
const MAX_WRAPPERS = 500;
/** Records nested more deeply than this cannot be written as JSON again. */
const MAX_NESTING = 500;

const NOT_READY = { unreadable: 'the result is not ready yet (202)', advice: 'Try again later' };

/** Why a response cannot be read: each function here throws it. */
export class UnreadableResponse extends Error {}

/** The data in the text of a response, to be read in one of the ways below. */
export function parseBody(text: string): unknown {
	const body = parseJson(text);
	if (text.trim() === '') throw new UnreadableResponse('it is empty');
	if (/^\s*</.test(text)) throw new UnreadableResponse('it is a web page instead of data');
	if (body === undefined) throw new UnreadableResponse('it is not JSON or was cut off');
	if (isDeeperThan(body, MAX_NESTING)) throw new UnreadableResponse('it is nested too deeply');
	return body;
}

/**
 * What a response contains; whatever goes wrong in reading it, the response is unreadable. Where a read
 * `mayBeEarly`, a 202 says that its result is still being prepared: an empty body is no empty list.
 */
export function readResponse<T>(
	outcome: Outcome,
	read: (body: unknown) => T,
	mayBeEarly = false,
): { value: T; headers: Record<string, unknown> } | Outcome {
	if (!('status' in outcome) || !isSuccess(outcome.status)) return outcome;
	const { status, text, headers } = outcome;
	if (status === 202 && mayBeEarly) return { ...NOT_READY, text };
	try {
		return { value: read(parseBody(text)), headers };
	} catch (error) {
		return { unreadable: originalMessage(error), text };
	}
}

/** Reads a list, in any wrapper. */
export function readPage<T extends IDataObject>(body: unknown, kind: RecordKind<T>): RecordPage<T> {
	if (Array.isArray(body)) return withPage(body, []);
	if (!isObject(body)) throw new UnreadableResponse('it is not a list');
	if (isError(body, kind)) throw new UnreadableResponse('it is an error');
	const isOne = isRecord(body, kind);
	if (isOne && !mayWrapList(body, kind)) return alone(body);
	const found = findList(body, kind);
	if (found !== undefined) return withPage(found.list, found.path);
	const single = wrappedRecord(body, kind);
	if (single !== undefined) return alone(single);
	if (isOne) return alone(body);
	if (isEmptyList(body)) return { records: [], page: pageFields([body]) };
	throw new UnreadableResponse('it contains no list');
}

function alone<T extends IDataObject>(record: T): RecordPage<T> {
	return { records: [record], page: { last: true }, isAlone: true };
}

/** Reads a single record, bare, in a wrapper, or alone in a list. */
export function readRecord<T extends IDataObject>(response: unknown, kind: RecordKind<T>): T {
	const isOne = Array.isArray(response) && response.length === 1;
	const body: unknown = isOne ? response[0] : response;
	if (Array.isArray(body)) throw new UnreadableResponse('it is a list');
	if (!isObject(body)) throw new UnreadableResponse('it is not a record');
	if (isError(body, kind)) throw new UnreadableResponse('it is an error');
	if (Object.keys(body).length === 0) throw new UnreadableResponse('it is empty');
	const record = isRecord(body, kind) ? body : innerRecord(body, kind);
	if (record === undefined) throw new UnreadableResponse('it is not the requested record');
	const isAnonymous = kind.identity.flat().every((field) => isAbsent(record[field]));
	if (kind.needsIdentity && isAnonymous) throw new UnreadableResponse('it has no ID');
	return record;
}

function has(value: unknown, fields: readonly string[] = []): value is IDataObject {
	return (
		isObject(value) &&
		fields.some((field) => Object.hasOwn(value, field) && !Array.isArray(value[field]))
	);
}

function isRecord<T extends IDataObject>(value: unknown, kind: RecordKind<T>): value is T {
	if (has(value, kind.distinctive)) return true;
	if (!has(value, kind.ambiguous)) return false;
	return !listsIn(value).some(
		([name, list]) => RECORD_NAMES.includes(name) || holdsRecord(list, kind),
	);
}

/** Whether an object has nothing but lists, and fields that a wrapper may have too. */
function mayWrapList(body: IDataObject, { ambiguous = [] }: RecordKind): boolean {
	const names = unknownNames(body).filter((name) => !ambiguous.includes(name));
	return names.length > 0 && names.every((name) => Array.isArray(body[name]));
}

function holdsRecord(list: unknown[], kind: RecordKind): boolean {
	return list.some((entry) => isRecord(entry, kind));
}

function listsIn(body: IDataObject): Array<[string, unknown[]]> {
	return Object.keys(body)
		.filter((name) => Array.isArray(body[name]))
		.map((name) => [name, body[name] as unknown[]]);
}

/** An error with a success status. A record may have a field `error` of its own. */
function isError(body: IDataObject, kind: RecordKind): boolean {
	if (Object.hasOwn(body, 'uploadId')) return false;
	if (Number(toText(body.statusCode)) >= 400) return true;
	if (typeof body.status === 'number' && body.status >= 400) return true;
	if (SUCCESS_NAMES.some((name) => Object.hasOwn(body, name) && body[name] === false)) return true;
	return ERROR_NAMES.some((name) => {
		if (!Object.hasOwn(body, name) || isNothing(body[name])) return false;
		return Object.hasOwn(body, 'message') || !isListOf(body[name], kind);
	});
}

/** Whether a value is a list of nothing but records, whatever its name. */
function isListOf(value: unknown, kind: RecordKind): boolean {
	return Array.isArray(value) && value.every((entry) => has(entry, kind.distinctive));
}

/** `null`, `0`, `''`, `[]`, `{}` and the like. */
function isNothing(value: unknown): boolean {
	if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
	return value === null || value === false || ['0', ''].includes(String(value));
}

interface FoundList {
	list: unknown[];
	/** The objects around the list, innermost first; each may hold page fields. */
	path: Path;
}

type Path = [IDataObject, ...IDataObject[]];

/** The list of records, or an empty list if there is none. */
function findList(body: IDataObject, kind: RecordKind): FoundList | undefined {
	let aside: FoundList | undefined;
	let empty: FoundList | undefined;
	for (const path of wrappersIn(body, kind)) {
		const lists = listsIn(path[0]);
		const usual = lists.filter(([name]) => !SIDE_NAMES.includes(name));
		const records =
			usual.find(([, entries]) => holdsRecord(entries, kind)) ??
			(empty ? undefined : usual.find(([name]) => RECORD_NAMES.includes(name)));
		if (records !== undefined) return { list: records[1], path };
		// The name of a list may mislead.
		const other = lists.find(([, list]) => list.length > 0 && isListOf(list, kind));
		if (other !== undefined) aside ??= { list: other[1], path };
		// An empty list may be next to the records.
		const none = usual.find(([, entries]) => entries.every((entry) => entry === null));
		if (none !== undefined && !Object.hasOwn(path[0], 'message')) empty ??= { list: none[1], path };
	}
	return aside ?? empty;
}

/** The objects that may be wrappers, outermost first, each with those around it. */
function wrappersIn(body: IDataObject, kind: RecordKind): Path[] {
	const paths: Path[] = [[body]];
	for (const path of paths) {
		if (path.length === MAX_DEPTH) break;
		for (const inner of objectsIn(path[0])) {
			if (paths.length >= MAX_WRAPPERS) break;
			if (!isRecord(inner, kind) && !isError(inner, kind)) paths.push([inner, ...path]);
		}
	}
	return paths;
}

function wrappedRecord<T extends IDataObject>(
	body: IDataObject,
	kind: RecordKind<T>,
): T | undefined {
	return objectsIn(body)
		.filter((inner) => isRecord(inner, kind))
		.find((inner) => !isError(inner, kind));
}

/** The record in several wrappers, or alone in a list within them. */
function innerRecord<T extends IDataObject>(body: IDataObject, kind: RecordKind<T>): T | undefined {
	const { list = [] } = findList(body, kind) ?? {};
	if (list.length === 1) return list.find((entry) => isRecord(entry, kind));
	const found = wrappersIn(body, kind).map(([wrapper]) => wrappedRecord(wrapper, kind));
	return found.find((record) => record !== undefined);
}

/**
 * The objects in an object that may hold records: those with usual names first, and last those with
 * the page fields, which may hold the records too.
 */
function objectsIn(body: IDataObject): IDataObject[] {
	const usual = WRAPPER_NAMES.filter((name) => Object.hasOwn(body, name));
	const others = unknownNames(body).filter((name) => isObject(body[name]));
	return [...new Set([...usual, ...others.slice(0, MAX_WRAPPERS), ...PAGE_NAMES])]
		.map((name) => body[name])
		.filter(isObject);
}

/** The fields that neither describe the page nor stand beside the records. */
function unknownNames(body: IDataObject): string[] {
	return Object.keys(body).filter(
		(name) => !PAGE_NAMES.includes(name) && !SIDE_NAMES.includes(name),
	);
}

/** `{}`, `{ content: null }`, or page fields without records: some services leave out empty lists. */
function isEmptyList(body: IDataObject): boolean {
	const { last, totalElements, totalPages } = pageFields([body]);
	if ((totalElements ?? 0) > 0) return false;
	if ([body.numberOfElements, totalElements, totalPages].includes(0)) return true;
	const isPage = last === true && (body.numberOfElements ?? 0) === 0;
	// An unknown object may hold records.
	const holdsNone = (value: unknown) => isNothing(value) || (isPage && typeof value !== 'object');
	return unknownNames(body).every((name) => holdsNone(body[name]));
}

/** Any object in the list counts as a record, since the service may leave out every known field. */
function withPage<T extends IDataObject>(list: unknown[], path: IDataObject[]): RecordPage<T> {
	const records = list.filter((entry) => entry !== null);
	if (areObjects<T>(records)) return { records, page: pageFields(path) };
	throw new UnreadableResponse('its list contains something other than records');
}

function areObjects<T extends IDataObject>(entries: unknown[]): entries is T[] {
	return entries.every(isObject);
}
