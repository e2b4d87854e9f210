import fc from 'fast-check';
import {
	decideRetry,
	parseRetryAfter,
} from '../../../nodes/EngagementUploads/transport/http/retry.ts';

const NOW = Date.parse('2026-03-01T10:15:30Z');
const SECOND = 1000;

const decide = (status: number, retryAfter: unknown) =>
	decideRetry({
		repeatable: true,
		attempts: 1,
		now: NOW,
		random: 0,
		outcome: { status, headers: { 'retry-after': retryAfter }, text: '' },
	});
const httpDate = (epoch: number) => new Date(epoch).toUTCString();

describe('Retry-After', () => {
	const at = (value: unknown, date?: unknown) => parseRetryAfter(value, date, NOW);

	it.each([
		['0', 0],
		['7', 7000],
		[' 7 ', 7000],
		[7, 7000],
		[['7', '9'], 7000],
		['1.5', 1500],
		['1.25', 1250],
		['31536001', 31_536_000_000],
	])('%j is a number of seconds', (value, milliseconds) => {
		expect(at(value)).toBe(milliseconds);
	});

	it.each([
		'Sun, 99 Foo 2026 10:15:40 GMT',
		'at Sun, 01 Mar 2026 10:15:40 GMT',
		'Sun, 01 Mar 2026',
	])('%j is not a date, and is ignored', (value) => expect(at(value)).toBeUndefined());

	it('is a date, in each of the HTTP formats', () => {
		expect(at('Sun, 01 Mar 2026 10:15:40 GMT')).toBe(10 * SECOND);
		expect(at('Sunday, 01-Mar-26 10:15:40 GMT')).toBe(10 * SECOND);
		expect(at('Sun Mar  1 10:15:40 2026')).toBe(10 * SECOND);
	});

	it("as a date is compared with the service's clock, however wrong the local clock is", () => {
		const skew = fc.integer({ min: -10_000_000, max: 10_000_000 });
		fc.assert(
			fc.property(skew, fc.nat(1000), (seconds, wait) => {
				const serviceNow = NOW + seconds * SECOND;
				const date = httpDate(serviceNow + wait * SECOND);
				expect(at(date, httpDate(serviceNow))).toBe(wait * SECOND);
				expect(at([date], [httpDate(serviceNow)])).toBe(wait * SECOND);
			}),
		);
	});

	it('as a date is compared with the local clock if there is no readable Date header', () => {
		expect(at(httpDate(NOW + 5000), 'yesterday')).toBe(5000);
	});

	it('as a date ignores a Date header that is absurdly far off', () => {
		const far = 'Sat, 13 Sep 275760 00:00:00 GMT';
		expect(at(httpDate(NOW + 5000), far)).toBe(5000);
		expect(at(far)).toBeUndefined();
	});

	it('as a date in the past means no wait', () => {
		expect(at(httpDate(NOW - 5000))).toBe(0);
	});

	it.each([
		undefined,
		null,
		'',
		'-5',
		'soon',
		'NaN',
		'1e3',
		'abc 2026',
		{},
		[],
		'12:30',
		'5 s',
		'x 7',
	])('%j makes no sense and is ignored', (value) => {
		expect(at(value)).toBeUndefined();
		expect(decide(429, value)).toMatchObject({ wait: 250 });
		expect(decide(403, value)).toMatchObject({ reason: 'final' });
	});

	it('never throws, and never yields a time in the past', () => {
		const header = fc.oneof(
			fc.string(),
			fc.array(fc.string()),
			fc.double(),
			fc.constant(undefined),
		);
		fc.assert(
			fc.property(header, header, (value, date) => {
				expect(at(value, date) ?? 0).toBeGreaterThanOrEqual(0);
			}),
		);
	});
});
