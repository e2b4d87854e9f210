/** Local times, also where clocks change. */
import { toIsoTime } from '../../nodes/EngagementUploads/values/dates.ts';
import { toLocalTime } from '../../nodes/EngagementUploads/values/zones.ts';

const DAY = 24 * 3_600_000;

/** The slow way: by the offsets a day before and after the time itself, none of which is kept. */
function instantByItself(local: number, zone: string): number {
	const offsets = [local - DAY, local + DAY].map((near) => toLocalTime(near, zone) - near);
	const [early = NaN, late = NaN] = offsets.map((offset) => local - offset);
	const isShown = (instant: number) => toLocalTime(instant, zone) === local;
	return !isShown(early) && isShown(late) ? late : early;
}

it.each([
	['2026-03-29', 'Europe/London'],
	['2026-10-25', 'Europe/London'],
	['2026-11-01', 'America/New_York'],
	// Half an hour is repeated.
	['2026-04-05', 'Australia/Lord_Howe'],
	// A minute after midnight.
	['2010-03-27', 'Asia/Gaza'],
	// Its hours are never hours in UTC.
	['2026-03-01', 'Asia/Kolkata'],
	// A day is skipped.
	['2011-12-30', 'Pacific/Apia'],
])('kept offsets lead to the same instant, every five minutes, around %s in %s', (day, zone) => {
	const start = Date.parse(`${day}T00:00:00Z`) - DAY;
	for (let local = start; local < start + 3 * DAY; local += 5 * 60_000) {
		const sent = new Date(local).toISOString().slice(0, 19);
		const meant = new Date(instantByItself(local, zone)).toISOString();
		expect(`${sent} ${String(toIsoTime(sent, zone))}`).toBe(`${sent} ${meant}`);
	}
});
