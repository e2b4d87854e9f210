import { isTimeZone, toInstant, toLocalTime } from '../../nodes/EngagementUploads/values/dates.ts';
import { ZONES } from './times.mts';

it.each([
	['2026-03-29T00:59:59', 'Europe/London', '2026-03-29T00:59:59Z'],
	['2026-03-29T02:00:00', 'Europe/London', '2026-03-29T01:00:00Z'],
	['2026-10-25T02:00:00.250', 'Europe/London', '2026-10-25T02:00:00.250Z'],
	['2026-11-01T12:00:00', 'America/New_York', '2026-11-01T17:00:00Z'],
	['2026-04-05T12:00:00', 'Australia/Lord_Howe', '2026-04-05T01:30:00Z'],
	['1969-12-31T23:59:59.750', 'Europe/London', '1969-12-31T22:59:59.750Z'],
])('on or next to a day of a clock change, %s in %s is %s', (local, inZone, iso) => {
	const instant = Date.parse(iso);
	expect(toInstant(Date.parse(`${local}Z`), inZone)).toBe(instant);
	expect(new Date(toLocalTime(instant, inZone)).toISOString().slice(0, local.length)).toBe(local);
});

it.each([
	['2026-03-29T01:30:00', 'Europe/London', '2026-03-29T01:30:00Z'],
	['2026-10-25T01:30:00', 'Europe/London', '2026-10-25T00:30:00Z'],
	['2026-03-08T02:30:00', 'America/New_York', '2026-03-08T07:30:00Z'],
	['2026-11-01T01:30:00', 'America/New_York', '2026-11-01T05:30:00Z'],
])('a local time that the clocks skip or repeat, %s in %s, is %s', (local, inZone, iso) => {
	expect(toInstant(Date.parse(`${local}Z`), inZone)).toBe(Date.parse(iso));
});

it('only IANA zones are zones', () => {
	for (const zone of ZONES) expect(isTimeZone(zone)).toBe(true);
	for (const text of ['', 'Europe/Nowhere', 'London time']) expect(isTimeZone(text)).toBe(false);
});
