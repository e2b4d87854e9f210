/** Times in the service's formats, and local times in IANA zones (docs/service.md#dates). */
import { InputError, quote } from './inputError';
import { isObject } from './objects';
import { isAbsent, isEmpty, toText } from './text';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** A bare day, or what n8n's date picker stores for one. */
const WHOLE_DAY = /^\d{4}-\d{2}-\d{2}([T ]00:00(:00([.,]0+)?)?)?$/i;
/**
 * ISO 8601, extended format; the service also sends offsets without a colon and short fractions.
 */
const TIME =
	/^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|([+-]\d{2})(?::?(\d{2}))?)?$/i;
/**
 * A time on a day that every month has, so nothing is left to check. Most times are like this, and
 * to recognise them is ten times faster than to parse them, which counts in a list of a million.
 */
const PLAIN_TIME =
	/^[1-9]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3}Z)?$/;
const SECONDS_LENGTH = 'yyyy-mm-ddThh:mm:ss'.length;
const EPOCH_MILLISECONDS = /^\d{12,14}$/;
/** Only four-digit years count as times. */
const EARLIEST = Date.parse('1000-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T00:00:00Z');
const PLAUSIBLE = [Date.UTC(1980), Date.UTC(3000)] as const;
const DAY_LENGTH = 24 * 3_600_000;
const SECOND = 1000;

/**
 * Epoch milliseconds of a time from the service; without an offset, it is in `zone`. Undefined if
 * the value is not a time.
 */
export function parseTime(value: unknown, zone: string): number | undefined {
	if (typeof value === 'number') return inRange(value);
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	return inRange(EPOCH_MILLISECONDS.test(text) ? Number(text) : timeIn(text, zone)?.epoch);
}

/** The same; undefined for what services print for “never”, such as 1970 or 9999. */
export function parsePlausibleTime(value: unknown, zone: string): number | undefined {
	const time = parseTime(value, zone);
	return time !== undefined && time > PLAUSIBLE[0] && time < PLAUSIBLE[1] ? time : undefined;
}

/**
 * A time from the service as ISO 8601 in UTC; calendar days and other values are returned
 * unchanged.
 */
export function toIsoTime(value: unknown, zone: string): unknown {
	if (typeof value === 'string' && PLAIN_TIME.test(value)) {
		if (value.length > SECONDS_LENGTH) return value;
		if (zone === 'UTC') return `${value}.000Z`;
	}
	if (typeof value === 'string' && DAY.test(value.trim())) return value.trim();
	const epoch = parseTime(value, zone);
	return epoch === undefined ? (isAbsent(value) ? null : value) : new Date(epoch).toISOString();
}

/**
 * A calendar day from the service as `yyyy-mm-dd`: the day as sent. Epoch milliseconds mean a
 * day that begins or ends in UTC, or else in `zone`. Other values are returned unchanged.
 */
export function toCalendarDay(value: unknown, zone: string): unknown {
	const epoch = parseTime(value, zone);
	if (epoch === undefined) return isAbsent(value) ? null : value;
	const text = toText(value).trim();
	if (DAY.test(text.slice(0, 10))) return text.slice(0, 10);
	const local = [epoch, toLocalTime(epoch, zone)].find(isDayEdge) ?? epoch;
	return new Date(local).toISOString().slice(0, 10);
}

/** Whether a time is in the first or the last second of a day. */
function isDayEdge(local: number): boolean {
	return (((local + SECOND) % DAY_LENGTH) + DAY_LENGTH) % DAY_LENGTH < 2 * SECOND;
}

/** An instant in the format of the service's date filters, `yyyy-mm-ddThh:mm:ss`, in its zone. */
export function formatFilterTime(epoch: number, zone: string): string {
	return new Date(toLocalTime(epoch, zone)).toISOString().slice(0, 19);
}

/** A date entered by the user; `day` is the calendar day as entered. */
export interface EnteredDate {
	/** epoch milliseconds */
	epoch: number;
	/** `yyyy-mm-dd` */
	day: string;
}

/**
 * Parses ISO 8601 in its extended format, epoch milliseconds, or a date object from an expression;
 * without an offset, it is in `zone`. Undefined if the value is not a date.
 */
export function parseDate(value: unknown, zone: string): EnteredDate | undefined {
	if (Object.prototype.toString.call(value) === '[object Date]')
		return instant((value as Date).getTime(), zone);
	// A date object of Luxon prints as ISO 8601. n8n has its own copy of it: `instanceof` fails.
	const isLuxon = isObject(value) && value.isLuxonDateTime === true;
	const isText = isLuxon || typeof value === 'string' || typeof value === 'number';
	const text = isText ? String(value).trim() : '';
	if (EPOCH_MILLISECONDS.test(text)) return instant(Number(text), zone);
	const date = timeIn(text, zone);
	return inRange(date?.epoch) === undefined ? undefined : date;
}

function inRange(epoch: number | undefined): number | undefined {
	return epoch !== undefined && epoch >= EARLIEST && epoch <= LATEST ? epoch : undefined;
}

function instant(epoch: number, zone: string): EnteredDate | undefined {
	if (inRange(epoch) === undefined) return undefined;
	return { epoch, day: formatFilterTime(epoch, zone).slice(0, 10) };
}

/** The time in a text; without an offset, it is in `zone`. */
function timeIn(text: string, zone: string): EnteredDate | undefined {
	const match = TIME.exec(DAY.test(text) ? `${text}T00:00` : text);
	if (match === null) return undefined;
	const [, day = '', time = '', seconds = '00', fraction = '', offset, hours, minutes] = match;
	const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
	const local = Date.parse(`${day}T${time}:${seconds}Z`) + milliseconds;
	// `Date` rolls over days that the month does not have, and the hour 24.
	if (new Date(local).getUTCDate() !== Number(day.slice(-2))) return undefined;
	const epoch = offset === undefined ? toInstant(local, zone) : local - offsetOf(hours, minutes);
	return Number.isNaN(epoch) ? undefined : { epoch, day };
}

function offsetOf(hours = '+00', minutes = '00'): number {
	if (Math.abs(Number(hours)) > 23 || Number(minutes) > 59) return NaN;
	return (Number(hours) * 60 + Number(`${hours.charAt(0)}${minutes}`)) * 60_000;
}

/** A date as entered; undefined if nothing was entered. `zone` is for dates without an offset. */
export function parseOptionalDate(value: unknown, field: string, zone: string) {
	if (isEmpty(value)) return undefined;
	const date = parseDate(value, zone);
	if (date !== undefined) return date;
	throw new InputError(
		`${field} ${quote(value)} is not a date`,
		`Enter a date such as 2026-03-01 or 2026-03-01T10:15:00 in ${field}`,
	);
}

/** The same for the end of a range, where a calendar day or its midnight means its last second. */
export function parseOptionalEnd(value: unknown, field: string, zone: string) {
	const date = parseOptionalDate(value, field, zone);
	const isWhole = typeof value === 'string' && WHOLE_DAY.test(value.trim());
	if (date === undefined || !isWhole) return date;
	// Where the clocks go back at midnight, 23:59:59 comes twice.
	const nextDay = Date.parse(`${date.day}T00:00:00Z`) + DAY_LENGTH;
	return { ...date, epoch: toInstant(nextDay, zone) - SECOND };
}

/** The three formats of HTTP dates, all in GMT. */
const HTTP_DATE = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .*\d{2}:\d{2}:\d{2}/i;
/** From this many seconds on (the year 2001), a `Retry-After` is a time, in epoch seconds. */
const EPOCH = 1e9;
/** A `Retry-After` beyond a year counts as a year, so that it can be shown as a date. */
const MAX_READABLE = 365 * DAY_LENGTH;

/**
 * Milliseconds to wait according to a `Retry-After` header (seconds, or a time); undefined if it is
 * missing or makes no sense. A date is compared with the service's own clock (`Date` header).
 */
export function parseRetryAfter(value: unknown, date: unknown, now: number): number | undefined {
	const text = headerText(value);
	const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
	if (seconds !== undefined && seconds < EPOCH) return Math.min(seconds * SECOND, MAX_READABLE);
	const at = seconds === undefined ? parseHttpDate(text) : seconds * SECOND;
	if (at === undefined) return undefined;
	return Math.min(Math.max(0, at - (parseHttpDate(date) ?? now)), MAX_READABLE);
}

/** The date in a header, in epoch milliseconds; undefined if it is none, or far beyond any clock. */
export function parseHttpDate(value: unknown): number | undefined {
	const text = headerText(value);
	if (!HTTP_DATE.test(text)) return undefined;
	return inRange(Date.parse(/GMT$/i.test(text) ? text : `${text} GMT`));
}

function headerText(value: unknown): string {
	return String((Array.isArray(value) ? value[0] : value) ?? '').trim();
}

const formats = new Map<string, Intl.DateTimeFormat>();
const OFFSET = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/;

/** Whether a zone is known, e.g. `Europe/London`. */
export function isTimeZone(zone: string): boolean {
	try {
		formatOf(zone);
		return true;
	} catch {
		return false;
	}
}

/** The local time of an instant (epoch milliseconds) in a zone, as if it were UTC. */
export function toLocalTime(instant: number, zone: string): number {
	if (zone === 'UTC') return instant;
	const [, sign, hours = 0, minutes = 0, seconds = 0] =
		OFFSET.exec(formatOf(zone).format(instant)) ?? [];
	const offset = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
	return instant + (sign === '-' ? -offset : offset) * SECOND;
}

/**
 * The instant (epoch milliseconds) of a local time in a zone, given as if it were UTC. A local time
 * that the clocks skip or repeat is read with the offset before the change.
 */
export function toInstant(local: number, zone: string): number {
	if (zone === 'UTC') return local;
	const [early = local, late = early] = [local - DAY_LENGTH, local + DAY_LENGTH].map(
		(near) => local - (toLocalTime(near, zone) - near),
	);
	const isShown = (instant: number) => toLocalTime(instant, zone) === local;
	return early !== late && !isShown(early) && isShown(late) ? late : early;
}

/** Printing a zone's offset with each time is several times faster than printing every part. */
function formatOf(zone: string): Intl.DateTimeFormat {
	const format =
		formats.get(zone) ??
		new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
	formats.set(zone, format);
	return format;
}
