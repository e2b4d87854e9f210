import { DateTime, IANAZone } from 'luxon';
import type { DateForm } from './settings.mts';

const QUARTER_HOUR = 15 * 60_000;
const offsets = new Map<string, number>();

// Offsets only change at quarter hours; calling Intl for every time would dominate the cost
// of a page.
function offsetMinutes(zone: string, time: number): number {
	if (zone === 'UTC') return 0;
	const key = `${zone} ${Math.floor(time / QUARTER_HOUR)}`;
	let offset = offsets.get(key);
	if (offset === undefined) {
		offset = IANAZone.create(zone).offset(time);
		if (Number.isNaN(offset)) throw new Error(`${zone} is not an IANA time zone`);
		if (offsets.size > 50_000) offsets.clear();
		offsets.set(key, offset);
	}
	return offset;
}

function offsetText(minutes: number, separator: string): string {
	const size = Math.abs(minutes);
	const [hours, rest] = [Math.floor(size / 60), size % 60].map((n) => String(n).padStart(2, '0'));
	return `${minutes < 0 ? '-' : '+'}${hours}${separator}${rest}`;
}

/** A time (epoch ms) in this format and zone; null stays null. */
export function printDate(
	time: number | null,
	form: DateForm,
	zone: string,
): string | number | null {
	if (time === null || form === 'epoch') return time;
	if (form === 'millisZ') return new Date(time).toISOString();
	const offset = offsetMinutes(zone, time);
	const local = new Date(time + offset * 60_000).toISOString();
	const seconds = local.slice(0, 19);
	if (form === 'plain') return seconds;
	if (form === 'named') return `${seconds}${offset ? offsetText(offset, ':') : 'Z'}[${zone}]`;
	if (form === 'offset') return seconds + offsetText(offset, '');
	const fraction = local.slice(19, 23).replace(/\.?0+$/, '');
	return seconds + fraction + offsetText(offset, ':');
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
