/** Time zones. A local time is given as if it were UTC. */

const HOUR = 3_600_000;
export const DAY_LENGTH = 24 * HOUR;

const formats = new Map<string, Intl.DateTimeFormat>();
const OFFSET = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/;

/** Whether a zone is known, e.g. `Europe/London`. */
export function isTimeZone(zone: string): boolean {
	try {
		getFormat(zone);
		return true;
	} catch {
		return false;
	}
}

/** The local time of an instant (epoch milliseconds) in a zone, as if it were UTC. */
export function toLocalTime(instant: number, zone: string): number {
	if (zone === 'UTC') return instant;
	const [, sign, hours = 0, minutes = 0, seconds = 0] =
		OFFSET.exec(getFormat(zone).format(instant)) ?? [];
	const offset = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
	return instant + (sign === '-' ? -offset : offset) * 1000;
}

/**
 * The instant (epoch milliseconds) of a local time in a zone, given as if it were UTC. A local time
 * that the clocks skip or repeat is read with the offset before the change.
 */
export function toInstant(local: number, zone: string): number {
	if (zone === 'UTC') return local;
	const [before, after] = offsetsAround(Math.floor(local / DAY_LENGTH), zone);
	const [early, late] = [local - before, local - after];
	const isShown = (instant: number) => toLocalTime(instant, zone) === local;
	return early !== late && !isShown(early) && isShown(late) ? late : early;
}

/** Milliseconds between a zone and UTC, before and after a calendar day. */
type Offsets = readonly [before: number, after: number];

/** Of each day, the offsets are kept: finding one costs as much as printing ten dates. */
const offsets = new Map<string, Map<number, Offsets>>();
/** About ten years, in each zone. */
const MAX_DAYS = 4000;

/** The offsets around a day, counted from 1970. The clocks of a zone change once in such a time at the most. */
function offsetsAround(day: number, zone: string): Offsets {
	const kept = offsets.get(zone) ?? new Map<number, Offsets>();
	const known = kept.get(day);
	if (known !== undefined) return known;
	const offsetAt = (time: number) => toLocalTime(time, zone) - time;
	const found = [offsetAt((day - 1) * DAY_LENGTH), offsetAt((day + 2) * DAY_LENGTH)] as const;
	if (kept.size >= MAX_DAYS) kept.clear();
	offsets.set(zone, kept.set(day, found));
	return found;
}

/** Of each zone, the hours in UTC of the hours that were asked for. */
const hours = new Map<string, Map<string, string | undefined>>();
/** More than a year, in each zone. */
const MAX_HOURS = 10_000;

/**
 * An hour of a zone, as `yyyy-mm-ddThh`, in UTC; undefined if its minutes are others there, or the clocks
 * change in it. Many times of a long list share an hour, and it takes a quarter of the time of `toInstant`.
 */
export function toUtcHour(hour: string, zone: string): string | undefined {
	const kept = hours.get(zone) ?? new Map<string, string | undefined>();
	if (kept.has(hour)) return kept.get(hour);
	const start = Date.parse(`${hour}:00:00Z`);
	const [first, last] = [toInstant(start, zone), toInstant(start + HOUR - 1, zone)];
	const isWhole = first % HOUR === 0 && last - first === HOUR - 1;
	const found = isWhole ? new Date(first).toISOString().slice(0, 13) : undefined;
	if (kept.size >= MAX_HOURS) kept.clear();
	hours.set(zone, kept.set(hour, found));
	return found;
}

/** A format that prints the offset: several times faster than one that prints every part of a time. */
function getFormat(zone: string): Intl.DateTimeFormat {
	const options = { timeZone: zone, timeZoneName: 'longOffset' } as const;
	const format = formats.get(zone) ?? new Intl.DateTimeFormat('en-US', options);
	formats.set(zone, format);
	return format;
}
