/**
 * Times, as services send them and people enter them (docs/service.md#dates). Invariant: a value that is not
 * a time is never taken for one. There is one way to read a time, and one to print it.
 */
import { DAY, HOUR, MINUTE, SECOND } from './clock';
import { InputError, quote } from './inputError';
import { isObject } from './objects';
import { isAbsent, isEmpty } from './text';
import { isTimeZone, toInstant, toLocalTime } from './zones';

/**
 * ISO 8601 in its extended format; also with a blank for the `T`, or an offset without a colon. Few groups, since a
 * long list has two times in each record, and most of the work is to take the groups out.
 */
const TIME =
	/^(\d{4}-\d{2}-\d{2})(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?)\s?(Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/i;
/** There were no uploads before, so an earlier date stands for none. */
const FIRST = Date.UTC(1980);
const END = Date.UTC(3000);
/** A number from this one on is no time: it may be a date such as 20260105101530. */
const MAX_EPOCH = 1e13;
/** What users can mean, and what a date filter can express. */
const EARLIEST = Date.UTC(1000);
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59);

interface Time {
	/** epoch milliseconds */
	epoch: number;
	/** The day of a text, as it stands there. */
	day?: string;
	/** Whether the text has no time of day. */
	isDay?: boolean;
	/** The offset of a text in milliseconds; undefined if there is none. */
	offset?: number;
}

/**
 * A time from the service in epoch milliseconds; undefined if the value is not a time. Without an
 * offset, it is in `zone`.
 */
export function parseTime(value: unknown, zone: string): number | undefined {
	return readTime(value, zone)?.epoch;
}

/** Like `parseTime`, but undefined for what services print for “never”, too. */
export function parsePlausibleTime(value: unknown, zone: string): number | undefined {
	const time = parseTime(value, zone);
	return time !== undefined && time >= FIRST && time < END ? time : undefined;
}

/** A time from the service as ISO 8601 in UTC; a calendar day, or what is not a time, as sent. */
export function toIsoTime(value: unknown, zone: string): unknown {
	const time = readTime(value, zone);
	if (time === undefined) return isAbsent(value) ? null : value;
	return time.isDay ? time.day : printTime(time.epoch);
}

/**
 * A calendar day from the service as `yyyy-mm-dd`; what is not a time, as sent. Epoch milliseconds and
 * times in UTC mean the day that begins or ends then, in UTC or else in `zone`.
 */
export function toCalendarDay(value: unknown, zone: string): unknown {
	const time = readTime(value, zone);
	if (time === undefined) return isAbsent(value) ? null : value;
	const { epoch, day, offset } = time;
	if (day !== undefined && offset !== 0) return day;
	const local = [epoch, toLocalTime(epoch, zone)].find(isDayEdge) ?? epoch;
	return printTime(local).slice(0, 10);
}

/** Whether a time is in the first or the last second of a day. */
function isDayEdge(local: number): boolean {
	return (((local + SECOND) % DAY) + DAY) % DAY < 2 * SECOND;
}

/** An instant in the format of the service's date filters, `yyyy-mm-ddThh:mm:ss`, in its zone. */
export function formatFilterTime(epoch: number, zone: string): string {
	return printTime(Math.min(toLocalTime(epoch, zone), LATEST)).slice(0, 19);
}

function readTime(value: unknown, zone: string): Time | undefined {
	if (typeof value === 'number') return readEpoch(value);
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	return readIso(text, zone) ?? readEpoch(Number(text));
}

/** From milliseconds or seconds; undefined for other numbers, such as 20260105. */
function readEpoch(number: number): Time | undefined {
	const epoch = Math.round(number < FIRST ? number * SECOND : number);
	return epoch >= FIRST && epoch < MAX_EPOCH ? { epoch } : undefined;
}

/** The time in a text; without an offset, it is in `zone`. */
function readIso(text: string, zone: string): Time | undefined {
	const match = TIME.exec(text);
	if (match === null) return undefined;
	const [, day = '', time, suffix] = match;
	const isDay = time === undefined;
	const local = startOf(day) + (isDay ? 0 : sinceMidnight(time));
	if (Number.isNaN(local)) return undefined;
	if (suffix === undefined) return { epoch: toInstant(local, zone), day, isDay };
	const offset = readOffset(suffix);
	return { epoch: local - offset, day, isDay, offset };
}

/** A time such as `10:15`, `10:15:30` or `10:15:30.123456`, in whole milliseconds since midnight. */
function sinceMidnight(time: string): number {
	const minute = pairAt(time, 0) * 60 + pairAt(time, 3);
	const second = time.length > 5 ? pairAt(time, 6) : 0;
	const milliseconds = time.length > 8 ? Number(time.slice(9, 12).padEnd(3, '0')) : 0;
	return minute * MINUTE + second * SECOND + milliseconds;
}

/** An offset such as `Z`, `+01`, `+0130` or `-01:30`, in milliseconds. */
function readOffset(suffix: string): number {
	const minutes = Number(suffix.slice(1, 3)) * 60 + Number(suffix.slice(3).replace(':', ''));
	return (suffix.startsWith('-') ? -minutes : minutes) * MINUTE;
}

/** The latest day that was read or printed, since `Date` takes long, and lists are mostly in the order of their dates. */
let latest = { day: '1970-01-01', start: 0 };

/** The start of a calendar day, as if it were in UTC; NaN for one that does not exist. */
function startOf(day: string): number {
	if (day === latest.day) return latest.start;
	const start = Date.parse(day);
	// `Date` rolls over days that the month does not have.
	return Number.isNaN(start) || dayFrom(start) !== day ? NaN : start;
}

/** The calendar day that starts then, in UTC. */
function dayFrom(start: number): string {
	if (start !== latest.start) latest = { day: new Date(start).toISOString().slice(0, 10), start };
	return latest.day;
}

/** A time as ISO 8601 in UTC. */
function printTime(epoch: number): string {
	const start = Math.floor(epoch / DAY) * DAY;
	const time = epoch - start;
	return `${dayFrom(start)}${hours(time / HOUR)}${minutes(time / MINUTE)}${seconds(time / SECOND)}${fractions(time)}`;
}

const hours = partTexts(24, 2, (digits) => `T${digits}:`);
const minutes = partTexts(60, 2, (digits) => `${digits}:`);
const seconds = partTexts(60, 2, (digits) => `${digits}.`);
const fractions = partTexts(1000, 3, (digits) => `${digits}Z`);

/** A part of a time as text, with what stands beside it: each piece of a text takes time and memory in a long list. */
function partTexts(count: number, width: number, print: (digits: string) => string) {
	const texts = Array.from({ length: count }, (_, part) =>
		print(String(part).padStart(width, '0')),
	);
	return (part: number) => texts[Math.floor(part) % count] ?? '';
}

const ZERO = '0'.charCodeAt(0);

/** The number of the two digits at a place in a text, without taking them out of it. */
function pairAt(text: string, place: number): number {
	return (text.charCodeAt(place) - ZERO) * 10 + text.charCodeAt(place + 1) - ZERO;
}

/**
 * A date from ISO 8601, epoch milliseconds, or a date object of an expression; undefined if the value is
 * not a date. Without an offset, it is in `zone`.
 */
function readEntered(value: unknown, zone: string): Time | undefined {
	if (Object.prototype.toString.call(value) === '[object Date]')
		return { epoch: (value as Date).getTime() };
	// A date object of Luxon prints as ISO 8601. n8n has its own copy of it: `instanceof` fails.
	const isLuxon = isObject(value) && value.isLuxonDateTime === true;
	if (!isLuxon && typeof value !== 'string' && typeof value !== 'number') return undefined;
	const text = String(value).trim();
	return readIso(text, zone) ?? (Number(text) >= FIRST ? readEpoch(Number(text)) : undefined);
}

/** A date in a field; undefined if nothing was entered. Without an offset, it is in `zone`. */
function parseEntered(value: unknown, field: string, zone: string): Time | undefined {
	if (isEmpty(value)) return undefined;
	const time = readEntered(value, zone);
	if (time === undefined || !(time.epoch >= EARLIEST && time.epoch <= LATEST)) {
		throw new InputError(
			`${field} ${quote(value)} is not a date`,
			`Enter a date such as 2026-03-01 or 2026-03-01T10:15:00 in ${field}`,
		);
	}
	if (time.day === undefined || time.offset !== undefined || isTimeZone(zone)) return time;
	throw new InputError(
		`${field} ${quote(value)} has no offset, and the time zone ${quote(zone)} of the workflow is unknown`,
		`Choose a time zone in Workflow settings > Timezone, or enter an offset in ${field}, as in 2026-03-01T10:15:00+01:00`,
	);
}

/** A date in a field, and the calendar day as entered. */
export function parseOptionalDate(value: unknown, field: string, zone: string) {
	const time = parseEntered(value, field, zone);
	if (time === undefined) return undefined;
	const { epoch, day = formatFilterTime(epoch, zone).slice(0, 10) } = time;
	return { epoch, day };
}

/** The end of a range, which is not part of it: for a calendar day, the start of the next one. */
export function parseOptionalEnd(value: unknown, field: string, zone: string) {
	const time = parseEntered(value, field, zone);
	if (time === undefined) return undefined;
	const { epoch, day = '', isDay } = time;
	return { epoch: isDay ? toInstant(startOf(day) + DAY, zone) : epoch };
}
