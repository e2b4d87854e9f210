import { DateTime } from 'luxon';
import type { DateForm } from './settings.mts';

/** A time (epoch ms) in this format and zone; null stays null. */
export function printDate(
	time: number | null,
	form: DateForm,
	zone: string,
): string | number | null {
	if (time === null || form === 'epoch') return time;
	if (form === 'millisZ') return new Date(time).toISOString();
	const date = DateTime.fromMillis(time, { zone });
	if (!date.isValid) throw new Error(`${zone} is not an IANA time zone`);
	const local = String(date.toISO({ includeOffset: false }));
	const seconds = local.slice(0, 19);
	if (form === 'plain') return seconds;
	if (form === 'offset') return seconds + date.toFormat('ZZZ');
	if (form === 'named')
		return `${seconds}${date.offset === 0 ? 'Z' : date.toFormat('ZZ')}[${zone}]`;
	const fraction = local.slice(19).replace(/\.?0+$/, '');
	return seconds + fraction + date.toFormat('ZZ');
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
