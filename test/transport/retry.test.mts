import fc from 'fast-check';
import {
	blockedUntil,
	decideRetry,
	isTemporaryStatus,
	MAX_RETRY_AFTER,
	MAX_ATTEMPTS,
	type FailedAttempt,
	type AttemptFailure,
} from '../../nodes/EngagementUploads/transport/retry.ts';

const NOW = Date.parse('2026-03-01T10:15:30Z');
const SECOND = 1000;

const decision = (failure: AttemptFailure, given: Partial<FailedAttempt> = {}) =>
	decideRetry({ repeatable: true, attempts: 1, now: NOW, random: 0, failure, ...given });
const again = expect.objectContaining({ retry: true }) as unknown;

const TEMPORARY = [408, 429, 500, 502, 503, 504].map((status) => ({ status }));
const FAILURES = (['unsent', 'lost', 'timeout'] as const).map((failure) => ({ failure }));
const FINAL = [301, 302, 400, 401, 403, 404, 405, 409, 410, 422];

describe('a GET', () => {
	it.each([...TEMPORARY, ...FAILURES])('is retried after %j, at most 4 times', (failure) => {
		for (let attempts = 1; attempts < 5; attempts++)
			expect(decision(failure, { attempts })).toEqual(again);
		expect(decision(failure, { attempts: 5 })).toEqual({ retry: false, reason: 'exhausted' });
		expect(MAX_ATTEMPTS).toBe(5);
	});

	it.each(FINAL)('is not retried after status %d', (status) => {
		expect(decision({ status })).toEqual({ retry: false, reason: 'final' });
	});

	it.each([400, 401, 404, 409, 422])('is not retried after %d with Retry-After', (status) => {
		expect(decision({ status, retryAfter: '1' })).toEqual({ retry: false, reason: 'final' });
	});
});

describe('a POST', () => {
	const post = (failure: AttemptFailure) => decision(failure, { repeatable: false });

	it.each([
		{ status: 429 },
		{ status: 429, retryAfter: '1' },
		{ status: 403, retryAfter: '1' },
		{ failure: 'unsent' as const },
	])('is retried after %j, since the service cannot have acted on it', (failure) => {
		expect(post(failure)).toEqual(again);
		expect(decision(failure, { repeatable: false, attempts: 5 })).toMatchObject({
			retry: false,
			reason: 'exhausted',
		});
	});

	it.each([
		...[408, 500, 502, 503, 504].flatMap((status) => [{ status }, { status, retryAfter: '1' }]),
		{ failure: 'lost' as const },
		{ failure: 'timeout' as const },
	])('has an unknown outcome after %j', (failure) => {
		expect(post(failure)).toMatchObject({ retry: false, reason: 'unknownOutcome' });
	});

	it('with an unknown outcome says until when to send nothing, beyond 2 minutes', () => {
		const until = (seconds: string) => {
			const made = post({ status: 503, retryAfter: seconds });
			return made.retry ? undefined : made.until;
		};
		expect(until('120')).toBeUndefined();
		expect(until('121')).toBe(NOW + 121 * SECOND);
	});

	it.each(FINAL)('fails permanently with status %d', (status) => {
		expect(post({ status })).toEqual({ retry: false, reason: 'final' });
	});
});

describe('the wait', () => {
	it('doubles with each attempt, with jitter over its upper half', () => {
		const waits = [1, 2, 3, 4].map((attempts) =>
			[0, 0.999_999].map((random) => decision({ status: 500 }, { attempts, random })),
		);
		expect(waits).toMatchObject(
			[500, 1000, 2000, 4000].map((full) => [
				{ wait: full / 2 },
				{ wait: expect.closeTo(full, 1) as unknown },
			]),
		);
	});

	it('is never shorter than Retry-After, and barely longer', () => {
		const retryAfter = fc.integer({ min: 0, max: MAX_RETRY_AFTER / SECOND });
		const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
		fc.assert(
			fc.property(
				retryAfter,
				random,
				fc.integer({ min: 1, max: 4 }),
				(seconds, chance, attempts) => {
					const failure = { status: 429, retryAfter: String(seconds) };
					const made = decision(failure, { random: chance, attempts });
					if (!made.retry) throw new Error(`gave up: ${made.reason}`);
					expect(made.wait).toBeGreaterThan(0);
					expect(made.wait).toBeGreaterThanOrEqual(seconds * SECOND);
					expect(made.wait).toBeLessThan(seconds * SECOND + SECOND);
				},
			),
		);
	});

	it('after Retry-After spreads requests over a tenth of a second', () => {
		for (const [random, wait] of [
			[0, 3000],
			[0.5, 3050],
			[0.75, 3075],
		])
			expect(decision({ status: 429, retryAfter: '3' }, { random })).toMatchObject({ wait });
	});

	it('is respected up to 2 minutes; beyond that, the time is reported', () => {
		expect(decision({ status: 429, retryAfter: '120' })).toEqual(again);
		for (const failure of [{ status: 429 }, { status: 503 }, { status: 403 }]) {
			expect(decision({ ...failure, retryAfter: '121' })).toEqual({
				retry: false,
				reason: 'tooLong',
				until: NOW + 121 * SECOND,
			});
		}
	});

	it('is reported as a valid time, however absurd the header', () => {
		for (const seconds of ['99999999999999999', '9'.repeat(400)]) {
			const made = decision({ status: 429, retryAfter: seconds });
			if (made.retry || made.reason !== 'tooLong') throw new Error('waits forever');
			expect(new Date(made.until).toISOString()).toMatch(/Z$/);
		}
	});

	it('applies to every request if the service asks to slow down', () => {
		const retryAfter = { retryAfter: '3' };
		expect(decision({ status: 429 })).toMatchObject({ throttled: true, retryAfter: undefined });
		expect(decision({ status: 429, ...retryAfter })).toMatchObject({
			throttled: true,
			retryAfter: 3000,
		});
		expect(decision({ status: 403, ...retryAfter })).toMatchObject({
			throttled: true,
			retryAfter: 3000,
		});
		expect(decision({ status: 503, ...retryAfter })).toMatchObject({
			throttled: true,
			retryAfter: 3000,
		});
		expect(decision({ status: 500 })).toMatchObject({ throttled: false, retryAfter: undefined });
		expect(decision({ failure: 'timeout' })).toMatchObject({
			throttled: false,
			retryAfter: undefined,
		});
	});
});

it.each([
	[407, false],
	[408, true],
	[409, false],
	[428, false],
	[429, true],
	[430, false],
	[499, false],
	[500, true],
	[520, true],
	[599, true],
])('status %d is temporary: %s', (status, temporary) => {
	expect(isTemporaryStatus(status)).toBe(temporary);
});

describe('the service is closed', () => {
	const long = { status: 503, retryAfter: '121' };

	it('until a Retry-After that is too long to wait for, even after a write', () => {
		expect(blockedUntil(decision(long))).toBe(NOW + 121 * SECOND);
		expect(blockedUntil(decision(long, { repeatable: false }))).toBe(NOW + 121 * SECOND);
	});

	it.each([
		['a retry', decision({ status: 503, retryAfter: '120' })],
		['the last attempt', decision({ status: 503, retryAfter: '120' }, { attempts: 5 })],
		[
			'no time left for another attempt',
			{ retry: false, reason: 'exhausted', until: NOW } as const,
		],
		['a final status', decision({ status: 404, retryAfter: '121' })],
		['a lost connection', decision({ failure: 'lost' }, { repeatable: false })],
	])('not if other requests must wait longer: %s', (_what, made) => {
		expect(blockedUntil(made)).toBeUndefined();
	});
});
