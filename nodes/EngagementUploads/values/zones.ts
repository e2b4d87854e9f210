/**
 * Time zones. A local time is given as if it were UTC. Luxon, which n8n has, would take more than ten times as
 * long to read the dates of a long list.
 */
import { DAY } from './clock';

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
 * The instant (epoch milliseconds) of a local time in a zone, given as if it were UTC. A local time that the clocks skip
 * or repeat is read with the offset before the change. In no zone do the clocks change twice within two days.
 */
export function toInstant(local: number, zone: string): number {
	if (zone === 'UTC') return local;
	const offsetAt = (time: number) => toLocalTime(time, zone) - time;
	const early = local - offsetAt(local - DAY);
	const late = local - offsetAt(local + DAY);
	const isShown = (instant: number) => toLocalTime(instant, zone) === local;
	return early !== late && !isShown(early) && isShown(late) ? late : early;
}

/** A format that prints the offset: several times faster than one that prints every part of a time. */
function getFormat(zone: string): Intl.DateTimeFormat {
	const options = { timeZone: zone, timeZoneName: 'longOffset' } as const;
	const format = formats.get(zone) ?? new Intl.DateTimeFormat('en-US', options);
	formats.set(zone, format);
	return format;
}
