import { DateTime } from 'luxon';

/** A time (epoch ms): in a zone that it does not name, or without one, in UTC. Null stays null. */
export function printDate(time: number | null, zone: string | null): string | null {
	if (time === null) return null;
	if (zone === null) return new Date(time).toISOString();
	const date = DateTime.fromMillis(time, { zone });
	if (!date.isValid) throw new Error(`${zone} is not an IANA time zone`);
	return String(date.toISO({ includeOffset: false })).slice(0, 19);
}

/**
 * Epoch ms of a date filter `yyyy-mm-ddThh:mm:ss` (docs/service.md#dates) in a zone; null if
 * invalid.
 */
export function readDate(text: string, zone: string): number | null {
	if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(text)) return null;
	const date = DateTime.fromISO(text, { zone });
	return date.isValid ? date.toMillis() : null;
}
