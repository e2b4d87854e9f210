import fc from 'fast-check';
import { DateTime } from 'luxon';
import { parseDate, parseOptionalEnd } from '../../nodes/EngagementUploads/values/dates.ts';
import { epoch, zone } from './times.mts';

describe('a date entered by the user', () => {
	it.each([
		['2026-03-01', '2026-03-01T05:00:00Z', '2026-03-01'],
		['2026-03-01T23:15', '2026-03-02T04:15:00Z', '2026-03-01'],
		[' 2026-07-01 10:15:30.5 ', '2026-07-01T14:15:30.500Z', '2026-07-01'],
		['2026-03-01T00:30:00.000+02:00', '2026-02-28T22:30:00Z', '2026-03-01'],
		['2026-03-01T23:30:00-08:00', '2026-03-02T07:30:00Z', '2026-03-01'],
		[1_772_334_930_123, '2026-03-01T03:15:30.123Z', '2026-02-28'],
		['1772334930123', '2026-03-01T03:15:30.123Z', '2026-02-28'],
		[new Date('2026-03-01T03:00:00Z'), '2026-03-01T03:00:00Z', '2026-02-28'],
	])('as %j is an instant, and a day as entered', (entered, iso, day) => {
		expect(parseDate(entered, 'America/New_York')).toEqual({ epoch: Date.parse(iso), day });
	});

	it('as a date object from an expression keeps its own zone, in every locale', () => {
		const now = DateTime.fromISO('2026-03-01T23:30:00', { zone: 'Asia/Tokyo' });
		const date = { epoch: now.toMillis(), day: '2026-03-01' };
		// n8n has its own copy of Luxon, whose objects are not instances of ours.
		const foreign = Object.assign(Object.create(null) as object, {
			isLuxonDateTime: true,
			toString: () => now.toISO(),
		});
		for (const entered of [now, now.setLocale('ar-EG'), foreign])
			expect(parseDate(entered, 'America/New_York')).toEqual(date);
	});

	it.each([
		...['', 'tomorrow', '01.03.2026', '03/01/2026', '20260301', '2026-3-1', '2026-02-30', '2026'],
		...['2026-03-01T10', '2026-03-01T10:61:00', '2026-03-01T10:15.5Z', '0001-01-01', '10:15'],
		...['Sun, 01 Mar 2026 10:15:30 GMT', '1772360130', '202603011015', 20_260_301, -1e12, 1e15],
		...[null, undefined, true, {}, [], ['2026-03-01'], new Date(NaN), DateTime.fromISO('nonsense')],
		{ toString: () => '2026-03-01' },
	])('is not in %p', (entered) => {
		expect(parseDate(entered, 'UTC')).toBeUndefined();
	});

	it('is parsed from every form of ISO 8601', () => {
		const property = fc.property(epoch, zone, zone, (time, inZone, workflowZone) => {
			const date = DateTime.fromMillis(time, { zone: inZone });
			const entered = parseDate(date.toISO(), workflowZone);
			expect(entered).toEqual({ epoch: time, day: date.toISODate() });
			expect(parseDate(new Date(time).toISOString(), workflowZone)?.epoch).toBe(time);
		});
		fc.assert(property);
	});
});

it.each([
	['2026-03-01', 'America/New_York', '2026-03-02T04:59:59Z'],
	// As the picker saves a day.
	['2026-10-24T00:00:00', 'Asia/Beirut', '2026-10-24T21:59:59Z'],
	['2026-03-01T00:00:01', 'America/New_York', '2026-03-01T05:00:01Z'],
	// The clocks change at midnight.
	['2026-04-04', 'America/Santiago', '2026-04-05T03:59:59Z'],
	['2026-09-05', 'America/Santiago', '2026-09-06T03:59:59Z'],
])('the end of a range: %s in %s', (day, zone, end) => {
	expect(parseOptionalEnd(day, 'To', zone)?.epoch).toBe(Date.parse(end));
});
