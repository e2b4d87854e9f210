/**
 * Time zones. A local time is given as if it were UTC. An unknown zone counts as UTC: `isTimeZone` tells whether it is one.
 * Luxon, which n8n has, would take more than ten times as long to read the dates of a long list.
 */
import { DAY, HOUR } from './clock';

interface Zone {
	/** Prints the offset: several times faster than printing every part of a time. */
	format: Intl.DateTimeFormat;
	/** The latest local day, and the offsets before and after it, since printing one takes long. */
	day?: number;
	before: number;
	after: number;
}

const zones = new Map<string, Zone>();
const OFFSET = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/;

/** Whether a zone is known, e.g. `Europe/London`. */
export function isTimeZone(zone: string): boolean {
	return findZone(zone) !== undefined;
}

/** The local time of an instant (epoch milliseconds) in a zone, as if it were UTC. */
export function toLocalTime(instant: number, zone: string): number {
	if (zone === 'UTC') return instant;
	const [, sign, hours = 0, minutes = 0, seconds = 0] =
		OFFSET.exec(findZone(zone)?.format.format(instant) ?? '') ?? [];
	const offset = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
	return instant + (sign === '-' ? -offset : offset) * 1000;
}

/**
 * The instant (epoch milliseconds) of a local time in a zone, given as if it were UTC. A local time that the clocks skip
 * or repeat is read with the offset before the change. In no zone do the clocks change twice within three days, or is the
 * time more than 14 hours ahead of UTC, or 12 behind.
 */
export function toInstant(local: number, zone: string): number {
	const known = zone === 'UTC' ? undefined : findZone(zone);
	if (known === undefined) return local;
	const day = Math.floor(local / DAY);
	if (day !== known.day) {
		const offsetAt = (time: number) => toLocalTime(time, zone) - time;
		known.before = offsetAt(day * DAY - 14 * HOUR);
		known.after = offsetAt((day + 1) * DAY + 12 * HOUR);
		known.day = day;
	}
	const [early, late] = [local - known.before, local - known.after];
	const isShown = (instant: number) => toLocalTime(instant, zone) === local;
	return early !== late && !isShown(early) && isShown(late) ? late : early;
}

/** Undefined if there is no such zone. */
function findZone(zone: string): Zone | undefined {
	const known = zones.get(zone);
	if (known !== undefined) return known;
	try {
		const options = { timeZone: zone, timeZoneName: 'longOffset' } as const;
		const found = { format: new Intl.DateTimeFormat('en-US', options), before: 0, after: 0 };
		zones.set(zone, found);
		return found;
	} catch {
		return undefined;
	}
}
