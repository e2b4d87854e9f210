import { readDate } from './dates.mts';
import type { OrderField } from './listing.mts';
import { refuse, Refusal } from './refusal.mts';
import { parseJson, type SimRequest } from './request.mts';
import type { Settings } from './settings.mts';

type Query = Readonly<Record<string, string>>;

const DEFAULT_PAGE_SIZE = '20';

/** Rejects parameters that are undocumented, empty or repeated. */
export function checkQuery(request: SimRequest, known: readonly string[]): void {
	const names = Object.keys(request.query);
	for (const name of names) {
		if (!known.includes(name)) refuse(`Unknown query parameter ${name}`);
		if (request.query[name] === '') refuse(`Query parameter ${name} is empty`);
	}
	const mark = request.url.indexOf('?');
	const given = mark < 0 ? 0 : [...new URLSearchParams(request.url.slice(mark + 1))].length;
	if (given !== names.length) refuse('A query parameter is given more than once');
}

/** An integer in plain digits. */
export function readInteger(text: string, name: string): number {
	if (!/^\d{1,15}$/.test(text)) refuse(`${name} must be an integer, not ${text}`);
	return Number(text);
}

/** A comma-separated list of integers. */
export function readIntegers(text: string, name: string): number[] {
	return text.split(',').map((item) => readInteger(item, name));
}

/** Rejects anything that is not a UUID. */
export function readUuid(text: string, name: string): string {
	const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
	if (!uuid.test(text)) refuse(`${name} must be a UUID, not ${text}`);
	return text;
}

/** The requested page, from `page` and `size`. */
export function readPage(query: Query) {
	const number = readInteger(query.page ?? '0', 'page');
	const size = readInteger(query.size ?? DEFAULT_PAGE_SIZE, 'size');
	if (size < 1) refuse('size must be at least 1');
	return { number, size };
}

/** The fields of `orderBy`, which must be fields of the record. */
export function readOrder(
	query: Query,
	fields: readonly string[],
	settings: Settings,
): OrderField[] {
	if (query.orderBy === undefined) return [];
	if (typeof settings.orderBy === 'number')
		throw new Refusal(settings.orderBy, 'orderBy is not supported');
	const order = query.orderBy.split(',').map((item) => {
		const descending = item.startsWith('-');
		const field = descending ? item.slice(1) : item;
		if (!fields.includes(field)) refuse(`Cannot sort by ${field}`);
		return { field, descending };
	});
	return settings.orderBy === 'honoured' ? order : [];
}

/** A date filter in epoch ms: the first or last time that it lets through. */
export function readBound(
	query: Query,
	name: string,
	side: 'from' | 'to',
	{ filterZone, printZone, boundsInclusive }: Settings,
): number | undefined {
	const text = query[name];
	if (text === undefined) return undefined;
	const time = readDate(text, filterZone ?? printZone ?? 'UTC');
	if (time === null) refuse(`${name} must have the format yyyy-mm-ddThh:mm:ss, not ${text}`);
	if (boundsInclusive) return time;
	return side === 'from' ? time + 1 : time - 1;
}

type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON object in a request's body; undefined if it has none. */
export function readBody({ method, headers, body }: SimRequest): Fields | undefined {
	if (body === undefined) return undefined;
	if (method === 'GET') refuse('A GET request has no body');
	const type = headers['content-type'] ?? '';
	if (!/^application\/json\s*(;|$)/i.test(type)) {
		throw new Refusal(415, `Content-Type must be application/json, not "${type}"`);
	}
	const value = parseJson(body);
	if (value === undefined) refuse('The body is not valid JSON');
	return isFields(value) ? value : refuse('The body must be a JSON object');
}

/** The fields of a body, with their types; nested ones in an object. */
interface Known {
	readonly [name: string]: 'string' | 'boolean' | Known;
}

/** Rejects fields that are undocumented or have the wrong type. */
export function checkFields(
	fields: Fields,
	known: Known,
	extra: readonly string[],
	prefix = '',
): void {
	for (const [name, value] of Object.entries(fields)) {
		const [type, path] = [known[name], prefix + name];
		if (typeof type === 'object') {
			if (!isFields(value)) refuse(`Body field ${path} must be an object`);
			checkFields(value, type, extra, `${path}.`);
		} else if (type === undefined) {
			if (!extra.includes(path)) refuse(`Unknown body field ${path}`);
		} else if (typeof value !== type) refuse(`Body field ${path} must be of type ${type}`);
	}
}

/** An optional string. */
export function readText(fields: unknown, name: string): string | undefined {
	const value = isFields(fields) ? fields[name] : undefined;
	return typeof value === 'string' ? value : undefined;
}

/** Rejects a schedule without a frequency and a first day (docs/service.md#schedule). */
export function checkSchedule(fields: Fields): void {
	const frequency = readText(fields, 'scheduleFrequency') ?? '';
	if (!/^[0-5]$/.test(frequency)) refuse('scheduleFrequency must be one of "0" to "5"');
	const startDate = readText(fields, 'scheduleStartDate') ?? '';
	const time = startDate.includes('T') ? startDate : `${startDate}T00:00:00`;
	if (readDate(time, 'UTC') === null)
		refuse('scheduleStartDate must be yyyy-mm-dd or yyyy-mm-ddThh:mm:ss');
}
