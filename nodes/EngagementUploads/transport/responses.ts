/**
 * Reads the service's responses. How lists are wrapped is undocumented (docs/service.md#lists-and-pages),
 * so the usual forms are read, and only here. Invariant: a page is a list of records of its kind, or an
 * error. An empty list is believed only if nothing else in the response says otherwise.
 */
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../values/objects';
import { isUnset } from '../values/text';
import { WEB_PAGE, type Ending } from './classify';
import {
	findComplaint,
	findDoubt,
	isVerdict,
	parsePageFields,
	RECORD_NAMES,
	saysNone,
	type PageFields,
} from './envelope';
import { isSuccess, originalMessage } from './n8nHttp';
import { isCertain, isRecord, recordId, type RecordKind } from './request';

/** One page of a list: its records, in order, and its page fields. */
export interface RecordPage<T extends IDataObject = IDataObject> {
	records: T[];
	page: PageFields;
	/** What says that the request has failed, beside records of a list. */
	complaint?: IDataObject;
}

/** Maximum number of wrappers around the records. */
const MAX_DEPTH = 3;
/** Maximum number of fields that an error names. */
const MAX_NAMES = 5;

/** Says why a response cannot be read, and perhaps what to do. */
export class UnreadableResponse extends Error {
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
		const advice = error instanceof UnreadableResponse ? error.advice : undefined;
		return { end: 'unreadable', detail: originalMessage(error), advice, body };
	}
}

function rejectText(body: unknown): unknown {
	if (typeof body !== 'string') return body;
	if (body.trim() === '') throw new UnreadableResponse('it is empty');
	throw new UnreadableResponse(
		WEB_PAGE.test(body) ? 'it is a web page instead of data' : 'it is not JSON or was cut off',
	);
}

/**
 * Reads a list: bare, in wrappers, or a single record where a list of one is meant.
 * @param named what the request named, in lower case, which says nothing about an empty list
 */
export function readPage<T extends IDataObject>(
	body: unknown,
	kind: RecordKind<T>,
	named: ReadonlySet<string> = new Set(),
): RecordPage<T> {
	if (body === NO_CONTENT) return { records: [], page: {} };
	const page = isObject(body) ? parsePageFields(body) : {};
	const [list, ...others] = findLists(body, kind);
	if (others.length > 0) throw new UnreadableResponse('it contains several lists');
	if (list !== undefined) return { records: toRecords(list), page, complaint: findNear(body) };
	// Beside an empty list, an object under another name may repeat what was asked for.
	const isNone = saysNone(body, page);
	const record = findRecord(
		body,
		(value) => isCertain(value, kind),
		(name) => (isNone ? RECORD_NAMES.includes(name) : !isVerdict(name)),
	);
	if (record !== undefined) {
		// It is all there is, unless the service says otherwise.
		const saysEnd = page.last !== undefined || page.totalPages !== undefined;
		return { records: [record as T], page: saysEnd ? page : { last: true } };
	}
	if (!isNone) throw new UnreadableResponse(describeDeparture(body, kind));
	const doubt = findDoubt(body, named);
	if (doubt === undefined) return { records: [], page };
	throw new UnreadableResponse(`besides an empty list, it contains ${showName(doubt)}`);
}

/** A complaint beside a list, or around it. */
function findNear(body: unknown): IDataObject | undefined {
	const nested = isObject(body) ? Object.values(body).map(findComplaint) : [];
	return findComplaint(body) ?? nested.find((each) => each !== undefined);
}

/** Where a response to a write may have the record. */
const WRITTEN_NAMES = ['content', 'data', 'items', 'results'];

/**
 * Reads a single record: bare, in wrappers, or alone in a list. One without an ID, or with only an `id`, is not
 * believed beside an error.
 */
export function readRecord<T extends IDataObject>(
	body: unknown,
	kind: RecordKind<T>,
	method: 'GET' | 'POST' = 'GET',
): T {
	if (body === NO_CONTENT && kind.mayBeEmpty) return {} as T;
	const hasNoValue = isObject(body) && isUnset(Object.values(body));
	if (body === NO_CONTENT || (kind.ifEmpty !== undefined && hasNoValue))
		throw new UnreadableResponse('it is empty', kind.ifEmpty);
	const isUsual = (name: string) =>
		method === 'GET' ? !isVerdict(name) : WRITTEN_NAMES.includes(name);
	const found =
		findRecord(body, (value) => isCertain(value, kind), isUsual) ??
		findRecord(body, (value) => isRecord(value, kind), isUsual) ??
		findAlone(body, kind);
	if (found === undefined) throw new UnreadableResponse(describeDeparture(body, kind));
	if (recordId({ ...found, id: undefined }, kind) !== undefined) return found as T;
	const complaint = findComplaint(body) ?? findComplaint(found);
	if (complaint === undefined) return found as T;
	throw new UnreadableResponse(
		`besides the record, it contains ${Object.keys(complaint).join(' and ')}`,
	);
}

/** The only entry of the only list. */
function findAlone(body: unknown, kind: RecordKind): IDataObject | undefined {
	const [record, ...others] = findLists(body, kind).flatMap((list) => toRecords(list));
	if (others.length > 0) throw new UnreadableResponse('it is a list');
	return record;
}

/** The lists that contain a record of this kind. Under an unusual name, it must be certain that it is one. */
function findLists(body: unknown, kind: RecordKind, isUsual = true, depth = 0): unknown[][] {
	const isOne = isUsual ? isRecord : isCertain;
	if (Array.isArray(body)) return body.some((each) => isOne(each, kind)) ? [body] : [];
	if (!isObject(body) || depth === MAX_DEPTH) return [];
	return Object.entries(body).flatMap(([name, value]) =>
		isVerdict(name) || kind.lists?.includes(name) === true
			? []
			: findLists(value, kind, RECORD_NAMES.includes(name), depth + 1),
	);
}

/** A record that is no entry of a list. @throws UnreadableResponse if there are several */
function findRecord(
	body: unknown,
	isWanted: (value: IDataObject) => boolean,
	isUsual: (name: string) => boolean = (name) => !isVerdict(name),
	depth = 1,
): IDataObject | undefined {
	if (!isObject(body)) return undefined;
	if (isWanted(body)) return body;
	if (depth === MAX_DEPTH) return undefined;
	const [record, ...more] = Object.entries(body)
		.filter(([name]) => isUsual(name))
		.map(([, value]) => findRecord(value, isWanted, isUsual, depth + 1))
		.filter((each) => each !== undefined);
	if (more.length === 0) return record;
	throw new UnreadableResponse('it contains several records, but not as a list');
}

/** The entries of a list, some of which may lack their ID. */
function toRecords<T extends IDataObject>(list: unknown[]): T[] {
	const records = list.filter((entry) => entry !== null);
	if (records.every(isObject)) return records as T[];
	throw new UnreadableResponse('its list contains something other than records');
}

/** Where a record was expected, and what is there instead. */
function describeDeparture(body: unknown, kind: RecordKind): string {
	const { place, value } = findFirst(body);
	if (!isObject(value)) return `${place} is not a record`;
	if (isUnset(Object.values(value))) return `${place} is empty`;
	const names = Object.keys(value).filter(isPlain);
	// An ID in another spelling, such as `upload_id`, says it all.
	const ids = kind.id.flat();
	const spellings = ids.map(squash);
	const alike = names.filter((name) => !ids.includes(name) && spellings.includes(squash(name)));
	const shown = alike.length > 0 ? alike : names.slice(0, MAX_NAMES);
	const expected =
		kind.sign?.expected ?? kind.id.map((each) => [each].flat().join(' + ')).join(' or ');
	const where = place === 'it' ? '' : `${place}: `;
	return `${where}expected ${expected}, got ${shown.join(', ') || 'other fields'}`;
}

/** A name in lower case and without separators, the same in most spellings. */
const squash = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');
/** Whether the name of a field can be shown. */
const isPlain = (name: string) => /^[\w.$-]{1,40}$/.test(name);
const showName = (name: string) => (isPlain(name) ? name : 'another field');

/** The first record of the first list that has any; or else all. */
function findFirst(body: unknown, place = '', depth = 0): { place: string; value: unknown } {
	const index = Array.isArray(body) ? body.findIndex(isObject) : -1;
	if (Array.isArray(body) && index >= 0)
		return { place: `${place || 'list'}[${index}]`, value: body[index] };
	const fields = isObject(body) && depth < MAX_DEPTH ? Object.entries(body) : [];
	for (const [name, value] of fields) {
		if (isVerdict(name) || typeof value !== 'object') continue;
		const found = findFirst(value, place === '' ? name : `${place}.${name}`, depth + 1);
		if (found.place.endsWith(']')) return found;
	}
	return { place: 'it', value: body };
}
