/**
 * Local times in IANA zones, based on the runtime's own zone data, since a verified n8n package has
 * no dependencies. A local time that the clocks skip or repeat is read with the offset before the
 * change.
 */

const formats = new Map<string, Intl.DateTimeFormat>();
const DAY = 24 * 3_600_000;
const steadyOffsets = new Map<string, number | undefined>();
const MAX_CACHED_DAYS = 10_000;

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
	const steady = steadyOffset(Math.floor(instant / DAY), zone);
	return steady === undefined ? formatted(instant, zone) : instant + steady;
}

/**
 * Caches the offset of days (since 1970, UTC) without a clock change, because formatting is slow.
 */
function steadyOffset(day: number, zone: string): number | undefined {
	const key = `${day} ${zone}`;
	if (steadyOffsets.has(key)) return steadyOffsets.get(key);
	const [first = 0, last = 0] = [day * DAY, (day + 1) * DAY].map(
		(instant) => formatted(instant, zone) - instant,
	);
	if (steadyOffsets.size >= MAX_CACHED_DAYS) steadyOffsets.clear();
	steadyOffsets.set(key, first === last ? first : undefined);
	return steadyOffsets.get(key);
}

function formatted(instant: number, zone: string): number {
	const parts = formatOf(zone).formatToParts(instant);
	const part = (type: string) => Number(parts.find((each) => each.type === type)?.value);
	const time = [part('hour'), part('minute'), part('second')] as const;
	const local = Date.UTC(part('year'), part('month') - 1, part('day'), ...time);
	return local + (((instant % 1000) + 1000) % 1000);
}

/** The instant (epoch milliseconds) of a local time in a zone, given as if it were UTC. */
export function toInstant(local: number, zone: string): number {
	if (zone === 'UTC') return local;
	const [early = local, late = early] = [local - DAY, local + DAY].map(
		(near) => local - (toLocalTime(near, zone) - near),
	);
	const isShown = (instant: number) => toLocalTime(instant, zone) === local;
	return !isShown(early) && isShown(late) ? late : early;
}

function formatOf(zone: string): Intl.DateTimeFormat {
	const format =
		formats.get(zone) ??
		new Intl.DateTimeFormat('en-US', {
			timeZone: zone,
			calendar: 'gregory',
			numberingSystem: 'latn',
			hourCycle: 'h23',
			year: 'numeric',
			month: 'numeric',
			day: 'numeric',
			hour: 'numeric',
			minute: 'numeric',
			second: 'numeric',
		});
	formats.set(zone, format);
	return format;
}
