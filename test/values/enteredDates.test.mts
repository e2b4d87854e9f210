import fc from 'fast-check';
import { DateTime } from 'luxon';
import { parseDate, parseOptionalEnd } from '../../nodes/EngagementUploads/values/dates.ts';
import { epoch, zone } from './times.mts';

describe('a date entered by the user', () => {
	it.each([
		['2026-03-01', '2026-03-01T05:00:00Z', '2026-03-01'],
		['2026-03-01T10:15', '2026-03-01T15:15:00Z', '2026-03-01'],
		['2026-03-01T23:15:30', '2026-03-02T04:15:30Z', '2026-03-01'],
		[' 2026-07-01T10:15:30 ', '2026-07-01T14:15:30Z', '2026-07-01'],
		['2026-03-01T10:15:30.5', '2026-03-01T15:15:30.500Z', '2026-03-01'],
		['2026-03-01T00:30:00Z', '2026-03-01T00:30:00Z', '2026-03-01'],
		['2026-03-01T00:30:00.000+02:00', '2026-02-28T22:30:00Z', '2026-03-01'],
		['2026-03-01T23:30:00-08:00', '2026-03-02T07:30:00Z', '2026-03-01'],
		['2026-03-01 23:15:30', '2026-03-02T04:15:30Z', '2026-03-01'],
		['2026-03-01 10:15:30 +02:00', '2026-03-01T08:15:30Z', '2026-03-01'],
		[1_772_334_930_123, '2026-03-01T03:15:30.123Z', '2026-02-28'],
		['1772334930123', '2026-03-01T03:15:30.123Z', '2026-02-28'],
	])('as %j is an instant, and a day as entered', (entered, iso, day) => {
		expect(parseDate(entered, 'America/New_York')).toEqual({ epoch: Date.parse(iso), day });
	});

	it.each([
		['1000-01-01T00:00:00Z', true],
		['0999-12-31T23:59:59Z', false],
		['9999-12-31T00:00:00Z', true],
		['9999-12-31T00:00:01Z', false],
	])('has a year of four digits in every zone: %s %s', (entered, isDate) => {
		expect(parseDate(entered, 'UTC') !== undefined).toBe(isDate);
	});

	it('as a date object from an expression keeps its own zone', () => {
		const now = DateTime.fromISO('2026-03-01T23:30:00', { zone: 'Asia/Tokyo' });
		expect(parseDate(now, 'America/New_York')).toEqual({
			epoch: now.toMillis(),
			day: '2026-03-01',
		});
		// n8n has its own copy of Luxon, whose objects are not instances of ours.
		const foreign = Object.assign(Object.create(null) as object, {
			isLuxonDateTime: true,
			toString: () => now.toISO(),
		});
		expect(parseDate(foreign, 'UTC')).toEqual({ epoch: now.toMillis(), day: '2026-03-01' });
	});

	it('as a date object keeps its day in every locale', () => {
		const now = DateTime.fromISO('2026-03-01T23:30:00', { zone: 'UTC' });
		for (const locale of ['ar-EG', 'fa-IR', 'th-TH-u-ca-buddhist'])
			expect(parseDate(now.setLocale(locale), 'UTC')?.day).toBe('2026-03-01');
	});

	it.each([
		...[{}, { isLuxonDateTime: false }, { isLuxonDateTime: 'true' }].map((claim) => ({
			...claim,
			toString: () => '2026-03-01',
		})),
		{ isLuxonDateTime: true },
		{ isLuxonDateTime: true, toString: () => 'Invalid DateTime' },
	])('is not in an object that is no date object, or an invalid one: %p', (object) => {
		expect(parseDate(object, 'UTC')).toBeUndefined();
	});

	it("as a JavaScript date is in the workflow's zone", () => {
		const date = new Date('2026-03-01T03:00:00Z');
		expect(parseDate(date, 'America/New_York')).toEqual({
			epoch: date.getTime(),
			day: '2026-02-28',
		});
	});

	it.each([
		...['', 'tomorrow', '01.03.2026', '03/01/2026', '20260301', '2026-3-1', '2026-02-30'],
		...['2026-03', '2026', '2026-W10-1', '2026-060', '10:15', '0001-01-01'],
		...['2026-03-01T10', '2026-03-01T10:61:00', '2026-03-01T10:15,5'],
		...['2026-03-01T10:15.5Z', '0000-06-01', '9999-12-31T23:59:59-12:00'],
		...['Sun, 01 Mar 2026 10:15:30 GMT', '1772360130', '20260301'],
		...[
			null,
			undefined,
			true,
			1_772_360_130,
			20_260_301,
			-1e12,
			1e15,
			{},
			[],
			['2026-03-01'],
			new Date(NaN),
		],
		DateTime.fromISO('nonsense'),
	])('is not in %p', (entered) => {
		expect(parseDate(entered, 'UTC')).toBeUndefined();
	});

	it('is parsed from every form of ISO 8601', () => {
		fc.assert(
			fc.property(epoch, zone, zone, (time, inZone, workflowZone) => {
				const date = DateTime.fromMillis(time, { zone: inZone });
				const entered = parseDate(date.toISO(), workflowZone);
				expect(entered).toEqual({ epoch: time, day: date.toISODate() });
				expect(parseDate(new Date(time).toISOString(), workflowZone)?.epoch).toBe(time);
			}),
		);
	});
});

it.each([
	['2026-04-04', 'America/Santiago', '2026-04-05T03:59:59Z'],
	['2026-09-05', 'America/Santiago', '2026-09-06T03:59:59Z'],
	['2026-10-24T00:00:00', 'Asia/Beirut', '2026-10-24T21:59:59Z'],
	['2026-03-01', 'America/New_York', '2026-03-02T04:59:59Z'],
	['2026-03-01T00:00:01', 'America/New_York', '2026-03-01T05:00:01Z'],
])('the end of a range: %s in %s, also where the clocks change at midnight', (day, zone, end) => {
	expect(parseOptionalEnd(day, 'To', zone)?.epoch).toBe(Date.parse(end));
});
