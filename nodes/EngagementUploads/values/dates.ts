/**
 * Times, as services send them and people enter them (docs/service.md#dates). Invariant: a value that is not
 * a time is never taken for one.
 */
import { DAY, MINUTE, SECOND, timeOfDay } from './clock';
import { InputError, quote } from './inputError';
import { isObject } from './objects';
import { isAbsent, isEmpty } from './text';
import { toInstant, toLocalTime } from './zones';

const CALENDAR_DAY = /^\d{4}-\d{2}-\d{2}$/;
/** A bare day, or what n8n's date picker stores for one. */
const WHOLE_DAY = /^\d{4}-\d{2}-\d{2}([T ]00:00(:00([.,]0+)?)?)?$/i;
/** ISO 8601 in its extended format; also with a blank for the `T`, or an offset without a colon. */
const TIME =
	/^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|([+-]\d{2})(?::?(\d{2}))?)?$/i;
const IN_UTC = /(z|[+-]00(:?00)?)$/i;
const NUMBER = /^\d+(\.\d+)?$/;
const EPOCH_MILLISECONDS = /^\d{12,13}$/;
const MAX_EPOCH = 1e13;
/** Only four-digit years count as times. */
const EARLIEST = Date.parse('1000-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T00:00:00Z');
/** There were no uploads before, so an earlier date stands for none. */
const FIRST = Date.UTC(2000);
/** More than a year ahead is no date either. */
const MAX_AHEAD = 366 * DAY;

/**
 * A time from the service in epoch milliseconds; undefined if the value is not a time. Without an
 * offset, it is in `zone`.
 */
export function parseTime(value: unknown, zone: string): number | undefined {
	if (typeof value === 'number') return parseEpoch(value);
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	return NUMBER.test(text) ? parseEpoch(Number(text)) : inRange(parseIso(text, zone)?.epoch);
}

/** Like `parseTime`, but undefined for what services print for “never”, too. */
export function parsePlausibleTime(value: unknown, zone: string): number | undefined {
	const time = parseTime(value, zone);
	const isPlausible = time !== undefined && time >= FIRST && time <= timeOfDay() + MAX_AHEAD;
	return isPlausible ? time : undefined;
}

/** Epoch milliseconds, also from seconds; undefined for other numbers, such as 20260105. */
function parseEpoch(epoch: number): number | undefined {
	const time = epoch < FIRST ? epoch * SECOND : epoch;
	return time >= FIRST && time < MAX_EPOCH ? time : undefined;
}

/** A time from the service as ISO 8601 in UTC; a calendar day, or what is not a time, as sent. */
export function toIsoTime(value: unknown, zone: string): unknown {
	const epoch = parseTime(value, zone);
	if (epoch === undefined) return isAbsent(value) ? null : value;
	const text = String(value).trim();
	return CALENDAR_DAY.test(text) ? text : new Date(epoch).toISOString();
}

/**
 * A calendar day from the service as `yyyy-mm-dd`; what is not a time, as sent. Epoch milliseconds and
 * times in UTC mean the day that begins or ends then, in UTC or else in `zone`.
 */
export function toCalendarDay(value: unknown, zone: string): unknown {
	const epoch = parseTime(value, zone);
	if (epoch === undefined) return isAbsent(value) ? null : value;
	const text = String(value).trim();
	const day = text.slice(0, 10);
	if (CALENDAR_DAY.test(day) && !IN_UTC.test(text)) return day;
	const local = [epoch, toLocalTime(epoch, zone)].find(isDayEdge) ?? epoch;
	return new Date(local).toISOString().slice(0, 10);
}

/** Whether a time is in the first or the last second of a day. */
function isDayEdge(local: number): boolean {
	return (((local + SECOND) % DAY) + DAY) % DAY < 2 * SECOND;
}

/** An instant in the format of the service's date filters, `yyyy-mm-ddThh:mm:ss`, in its zone. */
export function formatFilterTime(epoch: number, zone: string): string {
	return new Date(toLocalTime(epoch, zone)).toISOString().slice(0, 19);
}

/** A date entered by the user; `day` is the calendar day as entered. */
interface EnteredDate {
	/** epoch milliseconds */
	epoch: number;
	/** `yyyy-mm-dd` */
	day: string;
}

/**
 * A date from ISO 8601, epoch milliseconds, or a date object of an expression; undefined if the value is
 * not a date. Without an offset, it is in `zone`.
 */
function parseDate(value: unknown, zone: string): EnteredDate | undefined {
	if (Object.prototype.toString.call(value) === '[object Date]')
		return toEnteredDate((value as Date).getTime(), zone);
	// A date object of Luxon prints as ISO 8601. n8n has its own copy of it: `instanceof` fails.
	const isLuxon = isObject(value) && value.isLuxonDateTime === true;
	const isText = isLuxon || typeof value === 'string' || typeof value === 'number';
	const text = isText ? String(value).trim() : '';
	if (EPOCH_MILLISECONDS.test(text)) return toEnteredDate(parseEpoch(Number(text)), zone);
	const date = parseIso(text, zone);
	return inRange(date?.epoch) === undefined ? undefined : date;
}

/** A time with a year of four digits; undefined for any other. */
function inRange(epoch: number | undefined): number | undefined {
	return epoch !== undefined && epoch >= EARLIEST && epoch <= LATEST ? epoch : undefined;
}

function toEnteredDate(epoch: number | undefined, zone: string): EnteredDate | undefined {
	if (epoch === undefined || inRange(epoch) === undefined) return undefined;
	return { epoch, day: formatFilterTime(epoch, zone).slice(0, 10) };
}

/** The time in a text; without an offset, it is in `zone`. */
function parseIso(text: string, zone: string): EnteredDate | undefined {
	const match = TIME.exec(CALENDAR_DAY.test(text) ? `${text}T00:00` : text);
	if (match === null) return undefined;
	const [, day = '', time = '', seconds = '00', fraction = '', offset, hours, minutes] = match;
	const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
	const local = Date.parse(`${day}T${time}:${seconds}Z`) + milliseconds;
	// `Date` rolls over days that the month does not have, and the hour 24.
	if (new Date(local).getUTCDate() !== Number(day.slice(-2))) return undefined;
	const epoch = offset === undefined ? toInstant(local, zone) : local - parseOffset(hours, minutes);
	return Number.isNaN(epoch) ? undefined : { epoch, day };
}

function parseOffset(hours = '+00', minutes = '00'): number {
	if (Math.abs(Number(hours)) > 23 || Number(minutes) > 59) return NaN;
	return (Number(hours) * 60 + Number(`${hours.charAt(0)}${minutes}`)) * MINUTE;
}

/** A date in a field; undefined if nothing was entered. Without an offset, it is in `zone`. */
export function parseOptionalDate(value: unknown, field: string, zone: string) {
	if (isEmpty(value)) return undefined;
	const date = parseDate(value, zone);
	if (date !== undefined) return date;
	throw new InputError(
		`${field} ${quote(value)} is not a date`,
		`Enter a date such as 2026-03-01 or 2026-03-01T10:15:00 in ${field}`,
	);
}

/** Like `parseOptionalDate`, for the end of a range: a calendar day, or its midnight, includes that day. */
export function parseOptionalEnd(value: unknown, field: string, zone: string) {
	const date = parseOptionalDate(value, field, zone);
	const isWholeDay = typeof value === 'string' && WHOLE_DAY.test(value.trim());
	if (date === undefined || !isWholeDay) return date;
	// Where the clocks go back at midnight, 23:59:59 comes twice.
	const nextDay = Date.parse(`${date.day}T00:00:00Z`) + DAY;
	return { ...date, epoch: toInstant(nextDay, zone) - SECOND };
}
