/** Times in every form in which services and users write them; what is no time is never another one. */
import fc from 'fast-check';
import { DateTime } from 'luxon';
import {
	formatFilterTime,
	parseOptionalDate,
	parseOptionalEnd,
	parseTime,
	toCalendarDay,
	toIsoTime,
} from '../../nodes/EngagementUploads/values/dates.ts';
import { printDate } from '../support/service/dates.mts';

/** Zones whose offsets and clock changes differ. */
const ZONES =
	'UTC Europe/London Europe/Amsterdam America/New_York America/St_Johns Asia/Kathmandu Australia/Lord_Howe Pacific/Chatham';
const zone = fc.constantFrom(...ZONES.split(' '));

/** An instant of this century, in epoch ms. */
const epoch = fc.integer({
	min: Date.parse('2000-01-01T00:00:00Z'),
	max: Date.parse('2100-01-01T00:00:00Z'),
});

describe('a time from the service', () => {
	it.each([
		['2026-07-01T10:15:30', 'America/New_York', '2026-07-01T14:15:30.000Z'],
		['2026-03-01T10:15:30+0000', 'America/New_York', '2026-03-01T10:15:30.000Z'],
		['2026-03-01T10:15:30,123456789-05', 'UTC', '2026-03-01T15:15:30.123Z'],
		['2026-03-01 10:15', 'UTC', '2026-03-01T10:15:00.000Z'],
		[' 2026-03-01T10:15:30z ', 'Europe/Paris', '2026-03-01T10:15:30.000Z'],
		[1772360130123, 'America/New_York', '2026-03-01T10:15:30.123Z'],
		[1772360130, 'America/New_York', '2026-03-01T10:15:30.000Z'],
		['1772360130', 'UTC', '2026-03-01T10:15:30.000Z'],
	])('%j in %s is %s', (sent, inZone, iso) => {
		expect(parseTime(sent, inZone)).toBe(Date.parse(iso));
		expect(toIsoTime(sent, inZone)).toBe(iso);
	});

	it.each<[string, number, (time: number, zone: string) => unknown]>([
		['without an offset', 1000, printDate],
		['with an offset', 1, (time, inZone) => DateTime.fromMillis(time, { zone: inZone }).toISO()],
		['epoch milliseconds', 1, (time) => time],
	])('is parsed as intended: %s', (form, precision, print) => {
		const property = fc.property(epoch, zone, (time, inZone) => {
			const meant = Math.floor(time / precision) * precision;
			const read = parseTime(print(meant, inZone), inZone) ?? NaN;
			// When clocks go back, a local time without an offset occurs twice.
			const isTwice = form === 'without an offset' && read !== meant;
			if (!isTwice) expect(read).toBe(meant);
			else expect(formatFilterTime(read, inZone)).toBe(formatFilterTime(meant, inZone));
		});
		fc.assert(property);
	});

	it('that is a calendar day is kept', () => {
		expect(toIsoTime(' 2026-03-01 ', 'America/New_York')).toBe('2026-03-01');
		expect(parseTime('2026-03-01', 'America/New_York')).toBe(Date.parse('2026-03-01T05:00:00Z'));
	});

	const NO_TIMES: Record<string, unknown[]> = {
		'a text that is none': ['soon', '01.03.2026', '03/01/2026', '2026-03-01T10:15.5Z', true],
		'a date or time that there is not': ['2026-02-30', '2026-13-01T00:00', '2026-03-01T25:00'],
		'an offset that there is not': ['2026-03-01T10:15:30+24:00', '2026-03-01T10:15:30+00:60'],
		'a date as a number': [20260105, 202601051015, 20260105101530, '20260105', 46027],
		'any other number': [0, -1, 5, 1e10, 1e13, 8.64e15 + 1, 1e300],
		'the form of another program': ['2026-03-01T10:15:30Z[UTC]', [2026, 1, 5, 10, 0]],
	};
	it.each(Object.entries(NO_TIMES))('is not in %s, which comes out as sent', (_what, values) => {
		for (const sent of values) {
			expect([sent, parseTime(sent, 'UTC')]).toEqual([sent, undefined]);
			expect(toIsoTime(sent, 'UTC')).toBe(sent);
			expect(toCalendarDay(sent, 'UTC')).toBe(sent);
		}
	});

	it.each(['', ' ', 'null', null, undefined])('that is absent (%j) is null', (value) => {
		expect(toIsoTime(value, 'UTC')).toBeNull();
		expect(toCalendarDay(value, 'UTC')).toBeNull();
	});
});

it.each([
	['2026-07-01T00:00:00Z', 'America/New_York'],
	['2026-06-30T22:00:00Z', 'Europe/Paris'],
	['2026-07-01T21:59:59Z', 'Europe/Paris'],
	[Date.parse('2026-07-01T00:00:00Z'), 'America/New_York'],
	[Date.parse('2026-07-01T23:59:59.999-04:00'), 'America/New_York'],
])('the calendar day %j in %s is the first of July', (sent, inZone) => {
	expect(toCalendarDay(sent, inZone)).toBe('2026-07-01');
});

it('a date filter is in the documented format, and means the same second', () => {
	const property = fc.property(epoch, zone, (time, inZone) => {
		const text = formatFilterTime(time, inZone);
		expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
		expect(text).toBe(printDate(Math.floor(time / 1000) * 1000, inZone));
	});
	fc.assert(property);
});

describe('a date entered by the user', () => {
	const parse = (entered: unknown, zone: string) => parseOptionalDate(entered, 'Date', zone);

	it.each([
		['2026-03-01', '2026-03-01T05:00:00Z', '2026-03-01'],
		['2026-03-01T23:15', '2026-03-02T04:15:00Z', '2026-03-01'],
		[' 2026-07-01 10:15:30.5 ', '2026-07-01T14:15:30.500Z', '2026-07-01'],
		['2026-03-01T23:30:00-08:00', '2026-03-02T07:30:00Z', '2026-03-01'],
		[1_772_334_930_123, '2026-03-01T03:15:30.123Z', '2026-02-28'],
		['1772334930123', '2026-03-01T03:15:30.123Z', '2026-02-28'],
		[new Date('2026-03-01T03:00:00Z'), '2026-03-01T03:00:00Z', '2026-02-28'],
	])('as %j is an instant, and a day as entered', (entered, iso, day) => {
		expect(parse(entered, 'America/New_York')).toEqual({ epoch: Date.parse(iso), day });
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
			expect(parse(entered, 'America/New_York')).toEqual(date);
	});

	const NO_DATES =
		'tomorrow 01.03.2026 03/01/2026 20260301 2026-3-1 2026-02-30 2026 2026-03-01T10 2026-03-01T10:61:00 0001-01-01 10:15 1772360130';
	const noDates = [20_260_301, true, {}, ['2026-03-01'], new Date(NaN), DateTime.invalid('none')];
	it.each([...NO_DATES.split(' '), ...noDates])('is not in %p', (entered) => {
		expect(() => parse(entered, 'UTC')).toThrow(/^Date .* is not a date$/);
	});

	it('is parsed from every form of ISO 8601', () => {
		const property = fc.property(epoch, zone, zone, (time, inZone, workflowZone) => {
			const date = DateTime.fromMillis(time, { zone: inZone });
			const entered = parse(date.toISO(), workflowZone);
			expect(entered).toEqual({ epoch: time, day: date.toISODate() });
			expect(parse(new Date(time).toISOString(), workflowZone)?.epoch).toBe(time);
		});
		fc.assert(property);
	});
});

it.each([
	['2026-04-03', '2026-04-04T03:00:00Z'],
	// The clocks go back at midnight, and 23:00 comes twice.
	['2026-04-04', '2026-04-05T04:00:00Z'],
	['2026-04-03T00:00', '2026-04-03T03:00:00Z'],
	['9999-12-31', '+010000-01-01T03:00:00Z'],
])('a range to %s ends at %s', (entered, end) => {
	expect(parseOptionalEnd(entered, 'To', 'America/Santiago')?.epoch).toBe(Date.parse(end));
});

it.each(['DEFAULT', 'Pacific', 'GMT+2'])(
	'only a date without an offset needs the zone %s',
	(zone) => {
		const parse = (entered: unknown) => parseOptionalDate(entered, 'Date', zone);
		for (const entered of ['2026-03-01', '2026-03-01T10:15'])
			expect(() => parse(entered)).toThrow(
				`Date “${entered}” has no offset, and the time zone “${zone}” of the workflow is unknown`,
			);
		const epoch = Date.parse('2026-03-01T10:15:30Z');
		const now = DateTime.fromMillis(epoch, { zone: 'Europe/London' });
		for (const entered of ['2026-03-01T10:15:30+00:00', epoch, new Date(epoch), now])
			expect(parse(entered)).toEqual({ epoch, day: '2026-03-01' });
		expect(formatFilterTime(epoch, zone)).toBe('2026-03-01T10:15:30');
	},
);

it('the largest date is still one in a filter', () => {
	expect(formatFilterTime(Date.UTC(9999, 11, 31, 24), 'UTC')).toBe('9999-12-31T23:59:59');
});
