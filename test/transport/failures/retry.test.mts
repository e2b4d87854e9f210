import fc from 'fast-check';
import {
	blockedFor,
	Circuit,
	decideRetry,
	giveUp,
	MAX_RETRY_AFTER,
	type FailedAttempt,
	type RetryDecision,
} from '../../../nodes/EngagementUploads/transport/retry.ts';
import { type Outcome } from '../../../nodes/EngagementUploads/transport/exchange.ts';
import { TestClock } from '../../support/testClock.mts';
import { parseRetryAfter } from '../../../nodes/EngagementUploads/values/dates.ts';

const NOW = Date.parse('2026-03-01T10:15:30Z');
const SECOND = 1000;

const answer = (status: number, retryAfter?: unknown): Outcome => {
	return { status, headers: { 'retry-after': retryAfter }, text: '' };
};
const decide = (outcome: Outcome, given: Partial<FailedAttempt> = {}) =>
	decideRetry({ outcome, repeatable: true, attempts: 1, now: NOW, random: 0, ...given });

const reasonOf = (decision: RetryDecision) => (decision.retry ? 'retry' : decision.reason);

/** Every status is in failureTable.test.mts. */
it.each<[get: string, post: string, outcome: Outcome]>([
	['retry', 'unknownOutcome', answer(500)],
	['retry', 'unknownOutcome', answer(408, '1')],
	['retry', 'unknownOutcome', { network: 'lost' }],
	// The service cannot have acted on it.
	['retry', 'retry', answer(429)],
	['retry', 'retry', answer(403, '1')],
	['retry', 'retry', { network: 'unsent' }],
	['final', 'unknownOutcome', answer(303)],
	['final', 'unknownOutcome', answer(304)],
	['final', 'unknownOutcome', { unreadable: 'it is empty' }],
	['final', 'final', answer(404, '1')],
	['final', 'final', { network: 'untrusted' }],
	['final', 'final', { notSent: 'no key' }],
])('a GET leads to %s, and a POST to %s, after %j, at most four times', (get, post, outcome) => {
	for (let attempts = 1; attempts <= 5; attempts++) {
		const nextOf = (each: Outcome, repeatable: boolean) => {
			return reasonOf(decide(each, { attempts, repeatable }));
		};
		const expected = (next: string) => (next === 'retry' && attempts === 5 ? 'exhausted' : next);
		expect(nextOf(outcome, true)).toBe(expected(get));
		expect(nextOf(outcome, false)).toBe(expected(post));
		// A write that waits for its token has not been sent.
		expect(nextOf({ withoutToken: outcome }, false)).toBe(expected(get));
	}
});

it.each([
	[500, 'exhausted'],
	[599, 'exhausted'],
	[408, 'exhausted'],
	[429, 'retry'],
])('after %d, a request that narrows down a failure: %s', (status, next) => {
	expect(reasonOf(decide(answer(status), { isTriedOnce: true }))).toBe(next);
	expect(reasonOf(decide(answer(status), { isTriedOnce: false }))).toBe('retry');
});

it('a lost connection is tried again even then, and so is the token request', () => {
	expect(reasonOf(decide({ network: 'lost' }, { isTriedOnce: true }))).toBe('retry');
	expect(reasonOf(decide({ withoutToken: answer(503) }, { isTriedOnce: true }))).toBe('retry');
});

it.each([
	[answer(500), 'exhausted'],
	[answer(429, '121'), 'tooLong'],
	[answer(404), 'final'],
])('a read that is sent only once is given up: %j', (outcome, reason) => {
	expect(giveUp(outcome, NOW)).toMatchObject({ retry: false, reason });
});

describe('the wait', () => {
	it('doubles with each attempt, with jitter over its upper half', () => {
		const waits = [1, 2, 3, 4].map((attempts) =>
			[0, 0.999_999].map((random) => decide(answer(500), { attempts, random })),
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
				const made = decide(answer(429, String(seconds)), given);
				const without = decide(answer(429), given);
				if (!made.retry || !without.retry) throw new Error('gave up');
				// Spread over a tenth of a second.
				const asked = (seconds + chance / 10) * SECOND;
				expect(made.wait).toBeCloseTo(Math.max(without.wait, asked), 6);
			}),
		);
	});

	it.each([429, 503, 403])('after %d is respected up to 2 minutes, then reported', (status) => {
		expect(decide(answer(status, '120'))).toMatchObject({ retry: true, wait: 120 * SECOND });
		const after = 121 * SECOND;
		const tooLong = { retry: false, reason: 'tooLong', after };
		expect(decide(answer(status, '121'))).toEqual(tooLong);
		for (const seconds of ['99999999999999999', '9'.repeat(400)]) {
			const made = decide(answer(status, seconds));
			if (made.retry || made.reason !== 'tooLong') throw new Error('waits forever');
			expect(new Date(NOW + (made.after ?? NaN)).toISOString()).toMatch(/Z$/);
		}
	});

	it('leaves a second of the time that is left', () => {
		expect(decide(answer(500), { left: 1251 })).toMatchObject({ retry: true, wait: 250 });
		const exhausted = { retry: false, reason: 'exhausted', after: 250 };
		expect(decide(answer(500), { left: 1250 })).toEqual(exhausted);
		const tooLong = { retry: false, reason: 'tooLong', after: 3000 };
		expect(decide(answer(429, '3'), { left: 3000 })).toEqual(tooLong);
		expect(decide(answer(503, '3'), { left: 3000, attempts: 5 })).toEqual(tooLong);
		const narrowing = { left: 3000, isTriedOnce: true };
		expect(decide(answer(503, '3'), narrowing)).toEqual(tooLong);
	});
});

describe('all requests', () => {
	it.each<[Outcome, Partial<FailedAttempt>, object]>([
		[answer(429, '3'), {}, { pause: 3000, isThrottled: true }],
		[answer(403, '3'), {}, { pause: 3000, isThrottled: true }],
		[answer(503, '3'), { attempts: 5 }, { pause: 3000 }],
		[answer(503, '3'), { repeatable: false }, { pause: 3000, isThrottled: true }],
		[answer(503, '121'), { repeatable: false }, { pause: undefined, isThrottled: true }],
		[answer(503), {}, { pause: undefined, isThrottled: true }],
		[answer(500), {}, { pause: undefined, isThrottled: false }],
		[{ network: 'timeout' }, {}, { pause: undefined, isThrottled: false }],
		[{ network: 'timeout' }, { repeatable: false }, { isThrottled: true }],
		// They share the next request for a token.
		[{ withoutToken: answer(500) }, {}, { wait: 250, pause: 250 }],
	])('after %j (%j): %j', (outcome, given, effect) => {
		expect(decide(outcome, given)).toMatchObject(effect);
	});

	const blocked = (made: RetryDecision) => (made.retry ? undefined : blockedFor(made));

	it('are blocked by a Retry-After that is too long to wait for, even after a write', () => {
		for (const repeatable of [true, false])
			expect(blocked(decide(answer(503, '121'), { repeatable }))).toBe(121 * SECOND);
	});

	it.each([
		['a retry', decide(answer(503, '120'))],
		['the last attempt', decide(answer(503, '120'), { attempts: 5 })],
		['a write', decide(answer(503, '120'), { repeatable: false })],
		['no time left for another attempt', decide(answer(500), { left: 1 })],
		['a final status', decide(answer(404, '121'))],
		['a lost connection', decide({ network: 'lost' }, { repeatable: false })],
	])('are not blocked by %s', (_what, made) => expect(blocked(made)).toBeUndefined());

	it('are blocked for the longer of two long waits that the service asks for', async () => {
		const clock = new TestClock();
		const circuit = new Circuit({}, clock);
		for (const seconds of ['3600', '130']) {
			const outcome = answer(429, seconds);
			circuit.onFailure(outcome, decide(outcome), clock.now(), ({ after }) => {
				return { problem: `wait ${after}`, advice: '', fault: 'connection' };
			});
		}
		await clock.sleep(3_599_000);
		expect(circuit.blockedBy?.problem).toBe('wait 3600000');
		await clock.sleep(2000);
		expect(circuit.blockedBy).toBeUndefined();
	});
});

describe('Retry-After', () => {
	const at = (value: unknown, date?: unknown) => parseRetryAfter(value, date, NOW);
	const httpDate = (epoch: number) => new Date(epoch).toUTCString();

	it.each<[unknown, number]>([
		['0', 0],
		[' 7 ', 7000],
		[7, 7000],
		[['7', '9'], 7000],
		['1.25', 1250],
		['31536001', 31_536_000_000],
		['Sun, 01 Mar 2026 10:15:40 GMT', 10_000],
		['Sunday, 01-Mar-26 10:15:40 GMT', 10_000],
		['Sun Mar  1 10:15:40 2026', 10_000],
		['Sun, 01 Mar 2026 10:15:40 gmt', 10_000],
		['Fri, 31 Dec 9999 23:59:59 GMT', 31_536_000_000],
		[httpDate(NOW - 5000), 0],
		[String(NOW / SECOND + 5), 5000],
		[String(NOW / SECOND - 5), 0],
		['999999999', 31_536_000_000],
	])('%j means to wait for %d ms', (value, milliseconds) => {
		expect(at(value)).toBe(milliseconds);
	});

	it.each([
		...[undefined, null, '', '-5', 'soon', 'NaN', '1e3', 'abc 2026', {}, [], '12:30', '5 s', 'x 7'],
		...['Sun, 99 Foo 2026 10:15:40 GMT', 'at Sun, 01 Mar 2026 10:15:40 GMT', 'Sun, 01 Mar 2026'],
		'Sat, 13 Sep 275760 00:00:00 GMT',
	])('%j makes no sense and is ignored', (value) => {
		expect(at(value)).toBeUndefined();
		expect(decide(answer(429, value))).toMatchObject({ wait: 250 });
		expect(decide(answer(403, value))).toMatchObject({ reason: 'final' });
	});

	it("as a date is compared with the service's clock, however wrong the local clock is", () => {
		const skew = fc.integer({ min: -10_000_000, max: 10_000_000 });
		fc.assert(
			fc.property(skew, fc.nat(1000), (seconds, wait) => {
				const serviceNow = NOW + seconds * SECOND;
				const date = httpDate(serviceNow + wait * SECOND);
				expect(at(date, httpDate(serviceNow))).toBe(wait * SECOND);
				expect(at([date], [httpDate(serviceNow)])).toBe(wait * SECOND);
				const headers = { 'retry-after': date, date: httpDate(serviceNow) };
				const { pause, after } = {
					after: undefined,
					...decide({ status: 429, headers, text: '' }),
				};
				expect(pause ?? after).toBe(wait * SECOND);
			}),
		);
	});

	it.each(['yesterday', 'Sat, 13 Sep 275760 00:00:00 GMT'])(
		'as a date is compared with the local clock if the Date header is %s',
		(date) => expect(at(httpDate(NOW + 5000), date)).toBe(5000),
	);
});
