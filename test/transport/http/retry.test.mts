import fc from 'fast-check';
import {
	blockedFor,
	decideRetry,
	isTemporaryStatus,
	MAX_RETRY_AFTER,
	MAX_ATTEMPTS,
	type FailedAttempt,
	type RetryDecision,
} from '../../../nodes/EngagementUploads/transport/http/retry.ts';
import type { Outcome } from '../../../nodes/EngagementUploads/transport/http/outcome.ts';

const NOW = Date.parse('2026-03-01T10:15:30Z');
const SECOND = 1000;

type Failure =
	| { status: number; retryAfter?: string }
	| { failure: 'unsent' | 'proxy' | 'lost' | 'timeout' };

const outcomeOf = (failure: Failure): Outcome =>
	'failure' in failure
		? failure
		: { status: failure.status, headers: { 'retry-after': failure.retryAfter }, text: '' };
const decision = (failure: Failure, given: Partial<FailedAttempt> = {}) =>
	decideRetry({
		...{ repeatable: true, attempts: 1, now: NOW, random: 0 },
		...{ outcome: outcomeOf(failure), ...given },
	});
const again = expect.objectContaining({ retry: true }) as unknown;

const TEMPORARY = [408, 429, 500, 502, 503, 504].map((status) => ({ status }));
const FAILURES = (['unsent', 'proxy', 'lost', 'timeout'] as const).map((failure) => ({ failure }));
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
	const post = (failure: Failure) => decision(failure, { repeatable: false });

	it.each([
		{ status: 429 },
		{ status: 429, retryAfter: '1' },
		{ status: 403, retryAfter: '1' },
		{ failure: 'unsent' as const },
		{ failure: 'proxy' as const },
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

	it('with an unknown outcome says until when nothing may be sent, beyond 2 minutes', () => {
		const until = (seconds: string) => {
			const made = post({ status: 503, retryAfter: seconds });
			return made.retry ? undefined : made.after;
		};
		expect(until('120')).toBeUndefined();
		expect(until('121')).toBe(121 * SECOND);
	});

	it.each(FINAL.filter((status) => status >= 400))('fails permanently with %d', (status) => {
		expect(post({ status })).toEqual({ retry: false, reason: 'final' });
	});

	it.each([301, 302, 303, 304, 307])('has an unknown outcome after %d', (status) => {
		expect(post({ status })).toEqual({ retry: false, reason: 'unknownOutcome' });
	});

	it('is retried like a GET if it waited for a token', () => {
		const waiting = (failure: Failure) =>
			decision(failure, {
				repeatable: false,
				outcome: { withoutToken: outcomeOf(failure) },
			});
		for (const failure of [...TEMPORARY, ...FAILURES]) expect(waiting(failure)).toEqual(again);
		expect(waiting({ status: 400 })).toEqual({ retry: false, reason: 'final' });
	});

	it('has an unknown outcome if its response cannot be read', () => {
		const outcome = { unreadable: 'it is empty' };
		const lost = { failure: 'lost' } as const;
		expect(decision(lost, { repeatable: false, outcome })).toMatchObject({
			reason: 'unknownOutcome',
		});
		expect(decision(lost, { outcome })).toMatchObject({ reason: 'final' });
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

	it('is as long as Retry-After, or as the back-off if that is longer', () => {
		const retryAfter = fc.integer({ min: 0, max: MAX_RETRY_AFTER / SECOND });
		const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
		const attempts = fc.integer({ min: 1, max: 4 });
		fc.assert(
			fc.property(retryAfter, random, attempts, (seconds, chance, tried) => {
				const given = { random: chance, attempts: tried };
				const made = decision({ status: 429, retryAfter: String(seconds) }, given);
				const without = decision({ status: 429 }, given);
				if (!made.retry || !without.retry) throw new Error('gave up');
				expect(made.wait).toBeGreaterThanOrEqual(without.wait);
				expect(made.wait).toBeGreaterThanOrEqual(seconds * SECOND);
				expect(made.wait).toBeLessThan(Math.max(without.wait + 1, seconds * SECOND + SECOND));
			}),
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
				after: 121 * SECOND,
			});
		}
	});

	it('is reported as a valid time, however absurd the header', () => {
		for (const seconds of ['99999999999999999', '9'.repeat(400)]) {
			const made = decision({ status: 429, retryAfter: seconds });
			if (made.retry || made.reason !== 'tooLong') throw new Error('waits forever');
			expect(new Date(NOW + (made.after ?? NaN)).toISOString()).toMatch(/Z$/);
		}
	});

	it.each([429, 403, 503])('after %d applies to every request', (status) => {
		const slower = { throttled: true, retryAfter: 3000 };
		expect(decision({ status, retryAfter: '3' })).toMatchObject(slower);
	});

	it.each([{ status: 500 }, { failure: 'timeout' } as const])('after %j does not', (failure) => {
		expect(decision(failure)).toMatchObject({ throttled: false, retryAfter: undefined });
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
	const blocked = (made: RetryDecision) => (made.retry ? undefined : blockedFor(made));

	it('until a Retry-After that is too long to wait for, even after a write', () => {
		expect(blocked(decision(long))).toBe(121 * SECOND);
		expect(blocked(decision(long, { repeatable: false }))).toBe(121 * SECOND);
	});

	it.each([
		['a retry', decision({ status: 503, retryAfter: '120' })],
		['the last attempt', decision({ status: 503, retryAfter: '120' }, { attempts: 5 })],
		['no time left for another attempt', { retry: false, reason: 'exhausted', after: 1 } as const],
		['a final status', decision({ status: 404, retryAfter: '121' })],
		['a lost connection', decision({ failure: 'lost' }, { repeatable: false })],
	])('not if other requests must wait longer: %s', (_what, made) => {
		expect(blocked(made)).toBeUndefined();
	});
});
