/** Local times, also where clocks change. */
import { toInstant } from '../../nodes/EngagementUploads/values/zones.ts';

it.each([
	// The clocks skip or repeat these hours.
	['2026-03-29T01:30:00', 'Europe/London', '2026-03-29T01:30:00Z'],
	['2026-10-25T01:30:00', 'Europe/London', '2026-10-25T00:30:00Z'],
	['2026-11-01T12:00:00', 'America/New_York', '2026-11-01T17:00:00Z'],
	['2026-04-05T12:00:00', 'Australia/Lord_Howe', '2026-04-05T01:30:00Z'],
])('on a day of a clock change, %s in %s is %s', (local, inZone, iso) => {
	expect(toInstant(Date.parse(`${local}Z`), inZone)).toBe(Date.parse(iso));
});
