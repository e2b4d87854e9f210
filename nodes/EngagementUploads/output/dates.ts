/** Times as the service prints them and reads them (interface sections 2 and 8, field notes). */
import { DateTime } from 'luxon';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** ISO 8601, extended form; the service also prints offsets without a colon and short fractions. */
const TIME =
	/^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d{1,9}))?\s?(Z|[+-]\d{2}(?::?\d{2})?)?$/i;
const EPOCH_MILLISECONDS = /^\d{12,14}$/;

/**
 * Epoch milliseconds of a time that the service printed; one without offset is in `zone`.
 * Undefined for what is no time.
 */
export function epochOf(value: unknown, zone: string): number | undefined {
	if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	if (EPOCH_MILLISECONDS.test(text)) return Number(text);
	const iso = normalised(text);
	if (iso === undefined) return undefined;
	const time = DateTime.fromISO(iso, { zone });
	return time.isValid ? time.toMillis() : undefined;
}

/** A time of the service as ISO 8601 in UTC; a calendar day and what is no time stay as they are. */
export function isoOf(value: unknown, zone: string): unknown {
	if (typeof value === 'string' && DAY.test(value.trim())) return value.trim();
	const epoch = epochOf(value, zone);
	if (epoch === undefined) return value ?? null;
	const date = new Date(epoch);
	return Number.isNaN(date.getTime()) ? value : date.toISOString();
}

/** An instant in the form of the service's date filters, `yyyy-mm-ddThh:mm:ss`, in its zone. */
export function filterTime(epoch: number, zone: string): string {
	return DateTime.fromMillis(epoch, { zone }).toFormat("yyyy-MM-dd'T'HH:mm:ss");
}

/** Whether a zone is known, e.g. `Europe/London`. */
export function isZone(zone: string): boolean {
	return DateTime.local({ zone }).isValid;
}

/** What a user entered as a date; `day` is the calendar day as entered. */
export interface EnteredDate {
	/** epoch milliseconds */
	epoch: number;
	/** `yyyy-mm-dd` */
	day: string;
}

/**
 * Reads ISO 8601 in its extended form, or a date object of an expression; without an offset it is in
 * `zone`. Undefined for what is no date.
 */
export function enteredDate(value: unknown, zone: string): EnteredDate | undefined {
	if (isLuxon(value))
		return value.isValid
			? { epoch: value.toMillis(), day: value.toFormat('yyyy-MM-dd') }
			: undefined;
	if (Object.prototype.toString.call(value) === '[object Date]') {
		return dateOf(DateTime.fromMillis((value as Date).getTime(), { zone }));
	}
	const text = typeof value === 'string' ? value.trim() : '';
	const iso = DAY.test(text) ? text : /[ ,]/.test(text) ? undefined : normalised(text);
	return iso === undefined ? undefined : dateOf(DateTime.fromISO(iso, { zone, setZone: true }));
}

function dateOf(time: DateTime): EnteredDate | undefined {
	return time.isValid ? { epoch: time.toMillis(), day: time.toFormat('yyyy-MM-dd') } : undefined;
}

/** n8n brings a Luxon of its own, so `instanceof` does not tell. */
function isLuxon(value: unknown): value is DateTime {
	return (
		typeof value === 'object' &&
		value !== null &&
		(value as { isLuxonDateTime?: unknown }).isLuxonDateTime === true
	);
}

function normalised(text: string): string | undefined {
	if (DAY.test(text)) return text;
	const match = TIME.exec(text);
	if (match === null) return undefined;
	const [, day, time, fraction = '', offset = ''] = match;
	return `${day}T${time}${fraction && `.${fraction.slice(0, 3).padEnd(3, '0')}`}${offset.toUpperCase()}`;
}

/** The local time of an instant in a zone, taken by its word as milliseconds. */
export function naiveTime(epoch: number, zone: string): number {
	return DateTime.fromMillis(epoch, { zone }).setZone('utc', { keepLocalTime: true }).toMillis();
}
