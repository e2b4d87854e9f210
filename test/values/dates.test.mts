import fc from 'fast-check';
import {
	parsePlausibleTime,
	parseTime,
	formatFilterTime,
	toCalendarDay,
	toIsoTime,
} from '../../nodes/EngagementUploads/values/dates.ts';
import { printDate } from '../support/service/dates.mts';
import type { DateForm } from '../support/service/settings.mts';
import { epoch, zone } from './times.mts';

describe('a time from the service', () => {
	it.each([
		['2026-07-01T10:15:30', 'America/New_York', '2026-07-01T14:15:30.000Z'],
		['2026-03-01T10:15:30+0000', 'America/New_York', '2026-03-01T10:15:30.000Z'],
		['2026-03-01T10:15:30.1+01:00', 'America/New_York', '2026-03-01T09:15:30.100Z'],
		['2026-03-01T10:15:30.123456789-05', 'UTC', '2026-03-01T15:15:30.123Z'],
		['2026-03-01 10:15:30', 'UTC', '2026-03-01T10:15:30.000Z'],
		['2026-03-01T10:15', 'UTC', '2026-03-01T10:15:00.000Z'],
		[' 2026-03-01T10:15:30z ', 'UTC', '2026-03-01T10:15:30.000Z'],
		['1772360130123', 'America/New_York', '2026-03-01T10:15:30.123Z'],
		['2026-01-05T10:00:00Z[UTC]', 'America/New_York', '2026-01-05T10:00:00.000Z'],
		['2026-01-05T10:00:00+01:00[Europe/Paris]', 'UTC', '2026-01-05T09:00:00.000Z'],
		[1772360130, 'America/New_York', '2026-03-01T10:15:30.000Z'],
		['1772360130', 'America/New_York', '2026-03-01T10:15:30.000Z'],
		[[2026, 1, 5, 10, 0], 'America/New_York', '2026-01-05T15:00:00.000Z'],
		[[2026, 1, 5, 10, 0, 30, 5_000_000], 'UTC', '2026-01-05T10:00:30.005Z'],
		['1000-02-01T00:00:00', 'UTC', '1000-02-01T00:00:00.000Z'],
		// Any offset of less than a day.
		['2026-03-01T10:15:30+23:59', 'Asia/Kathmandu', '2026-02-28T10:16:30.000Z'],
		['2026-03-01T10:15:30-23', 'Asia/Kathmandu', '2026-03-02T09:15:30.000Z'],
		['2026-03-01T10:15:30 +01:30', 'Asia/Kathmandu', '2026-03-01T08:45:30.000Z'],
		['2026-03-01T10:15:30-00:30', 'Asia/Kathmandu', '2026-03-01T10:45:30.000Z'],
	])('%j in %s is %s', (sent, inZone, iso) => {
		expect(parseTime(sent, inZone)).toBe(Date.parse(iso));
		expect(toIsoTime(sent, inZone)).toBe(iso);
	});

	it.each<[DateForm, number]>([
		['plain', 1000],
		['millisZ', 1],
		['offset', 1000],
		['shortFraction', 1],
		['epoch', 1],
	])('is parsed as intended (%s)', (form, precision) => {
		fc.assert(
			fc.property(epoch, zone, (time, inZone) => {
				const meant = Math.floor(time / precision) * precision;
				const read = parseTime(printDate(meant, form, inZone), inZone);
				// When clocks go back, a local time without an offset occurs twice.
				const isTwice = form === 'plain' && read !== meant;
				if (!isTwice) expect(read).toBe(meant);
				else expect(formatFilterTime(read ?? 0, inZone)).toBe(formatFilterTime(meant, inZone));
			}),
		);
	});

	it.each<[string, boolean]>([
		['1980-01-01T00:00:00Z', false],
		['1980-01-01T00:00:00.001Z', true],
		['2999-12-31T23:59:59.999Z', true],
		['3000-01-01T00:00:00Z', false],
	])('is plausible between 1980 and 3000: %s (%j)', (sent, isPlausible) => {
		expect(parsePlausibleTime(sent, 'UTC')).toBe(isPlausible ? Date.parse(sent) : undefined);
	});

	it('that is a calendar day is kept', () => {
		expect(toIsoTime(' 2026-03-01 ', 'America/New_York')).toBe('2026-03-01');
		expect(parseTime('2026-03-01', 'America/New_York')).toBe(Date.parse('2026-03-01T05:00:00Z'));
	});

	it.each([
		...['2026-03-01T10:15.5Z', '2026-03-01T10:15,5'],
		...['soon', '2026-02-30', '2026-13-01T00:00:00', '2026-03-01T25:00:00', '1e12'],
		...['2026-03-01T10:15:30+24:00', '2026-03-01T10:15:30+00:60', '2026-03-01T10:15:30-99'],
		...[8.64e15 + 1, -8.64e15 - 1, 1e300, -62_135_596_800_000, 20260105, 0, true],
	])('is not in %j, which is kept', (sent) => {
		expect(parseTime(sent, 'UTC')).toBeUndefined();
		expect(toIsoTime(sent, 'UTC')).toBe(sent);
	});

	it.each(['', ' ', 'null', null, undefined])('that is absent (%j) is null', (value) => {
		expect(parseTime(value, 'UTC')).toBeUndefined();
		expect(toIsoTime(value, 'UTC')).toBeNull();
		expect(toCalendarDay(value, 'UTC')).toBeNull();
	});
});

describe('a calendar day from the service', () => {
	const midnight = Date.parse('2026-07-01T00:00:00Z');
	it.each([
		['2026-07-01', 'Europe/London'],
		[' 2026-07-01 ', 'America/New_York'],
		['2026-07-01T00:00:00', 'Europe/London'],
		['2026-07-01T00:00:00Z', 'America/New_York'],
		['2026-07-01T23:59:59+0100', 'Pacific/Chatham'],
		[' 2026-07-01T10:00:00+13:00', 'UTC'],
		[midnight, 'Europe/London'],
		[midnight, 'America/New_York'],
		[String(midnight), 'Asia/Kathmandu'],
		[Date.parse('2026-07-01T00:00:00+01:00'), 'Europe/London'],
		[Date.parse('2026-07-01T23:59:59.999-04:00'), 'America/New_York'],
		[Date.parse('2026-07-01T23:59:59Z'), 'Europe/London'],
		[Date.parse('2026-07-01T12:00:00Z'), 'Pacific/Chatham'],
		[Date.parse('2026-07-02T00:00:01+01:00'), 'Europe/London'],
	])('%j in %s is the first of July', (sent, inZone) => {
		expect(toCalendarDay(sent, inZone)).toBe('2026-07-01');
	});

	it('that is not a day is kept', () => {
		expect(toCalendarDay('Q3', 'UTC')).toBe('Q3');
		expect(toCalendarDay('2026-02-30', 'UTC')).toBe('2026-02-30');
		expect(toCalendarDay(undefined, 'UTC')).toBeNull();
	});
});

it('a date filter is in the documented format, and means the same second', () => {
	fc.assert(
		fc.property(epoch, zone, (time, inZone) => {
			const text = formatFilterTime(time, inZone);
			expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
			expect(text).toBe(printDate(Math.floor(time / 1000) * 1000, 'plain', inZone));
		}),
	);
});

it('a time that needs no parsing is printed like one that does', () => {
	const two = fc.nat(61).map((number) => String(number).padStart(2, '0'));
	const parts = fc.tuple(
		fc.constantFrom('0000', '0999', '1000', '2024', '2026', '9999'),
		...[two, two, two, two, two],
		fc.constantFrom('', '.000Z', '.999Z', '.12Z', 'Z', '.123', '+01:00'),
	);
	const zones = fc.constantFrom('UTC', 'America/New_York', 'Europe/Paris');
	fc.assert(
		fc.property(parts, zones, ([year, month, day, hour, minute, second, rest], zone) => {
			const text = `${year}-${month}-${day}T${hour}:${minute}:${second}${rest}`;
			const epoch = parseTime(text, zone);
			const expected = epoch === undefined ? text : new Date(epoch).toISOString();
			expect(toIsoTime(text, zone)).toBe(expected);
		}),
		{ numRuns: 1000 },
	);
});
