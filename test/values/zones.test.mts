import { isTimeZone, toInstant, toLocalTime } from '../../nodes/EngagementUploads/values/zones.ts';
import { ZONES } from './times.mts';

const DAY = 24 * 3_600_000;

describe('formatting, which is slow,', () => {
	const format = jest.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
	const formatted = (convert: () => void) => {
		format.mockClear();
		convert();
		return format.mock.calls.length;
	};
	afterAll(() => jest.restoreAllMocks());

	it('is not needed in UTC', () => {
		expect(formatted(() => toInstant(0, 'UTC'))).toBe(0);
	});

	it('is needed once for each of the last 10,000 days', () => {
		const read = (first: number, days = 1) =>
			formatted(() => {
				for (let day = first; day < first + days; day += 1) toLocalTime(day * DAY, 'Asia/Tokyo');
			});
		expect(read(0, 10_000)).toBe(20_000);
		expect(read(0, 10_000)).toBe(0);
		expect(read(10_000)).toBe(2);
		expect(read(0)).toBe(2);
		expect(read(10_000)).toBe(0);
	});
});

describe('a local time', () => {
	it.each([
		['2026-03-29T00:59:59', 'Europe/London', '2026-03-29T00:59:59Z'],
		['2026-03-29T02:00:00', 'Europe/London', '2026-03-29T01:00:00Z'],
		['2026-03-29T12:00:00.250', 'Europe/London', '2026-03-29T11:00:00.250Z'],
		['2026-10-25T00:30:00', 'Europe/London', '2026-10-24T23:30:00Z'],
		['2026-10-25T02:00:00.250', 'Europe/London', '2026-10-25T02:00:00.250Z'],
		['2026-10-24T12:00:00', 'Europe/London', '2026-10-24T11:00:00Z'],
		['2026-11-01T12:00:00', 'America/New_York', '2026-11-01T17:00:00Z'],
		['2026-10-31T12:00:00', 'America/New_York', '2026-10-31T16:00:00Z'],
		['2026-04-05T12:00:00', 'Australia/Lord_Howe', '2026-04-05T01:30:00Z'],
		['1969-12-31T23:59:59.750', 'Europe/London', '1969-12-31T22:59:59.750Z'],
	])('on or next to a day of a clock change (%s in %s) is %s', (local, inZone, iso) => {
		const instant = Date.parse(iso);
		expect(toInstant(Date.parse(`${local}Z`), inZone)).toBe(instant);
		expect(new Date(toLocalTime(instant, inZone)).toISOString().slice(0, local.length)).toBe(local);
	});

	it.each([
		['2026-03-29T01:30:00', 'Europe/London', '2026-03-29T01:30:00Z'],
		['2026-10-25T01:30:00', 'Europe/London', '2026-10-25T00:30:00Z'],
		['2026-03-08T02:30:00', 'America/New_York', '2026-03-08T07:30:00Z'],
		['2026-11-01T01:30:00', 'America/New_York', '2026-11-01T05:30:00Z'],
	])('that the clocks skip or repeat (%s in %s) is %s', (local, inZone, iso) => {
		expect(toInstant(Date.parse(`${local}Z`), inZone)).toBe(Date.parse(iso));
	});
});

it.each(ZONES)('%s is a zone', (zone) => expect(isTimeZone(zone)).toBe(true));

it.each(['', 'Europe/Nowhere', 'London time'])('“%s” is not a zone', (zone) => {
	expect(isTimeZone(zone)).toBe(false);
});
