/** Every way in which a request may fail, and what follows from it for a read and a write. */
import type { Answer } from '../../nodes/EngagementUploads/transport/n8nHttp.ts';
import { classify, type FailureKind } from '../../nodes/EngagementUploads/transport/failures.ts';
import {
	asksForTooLong,
	parseRetryAfter,
	retryDelay,
} from '../../nodes/EngagementUploads/transport/retry.ts';

const SECOND = 1000;
const NO_KEY = 'Ocp-Apim-Subscription-Key is missing';
const answered = (status: number, retryAfter?: string, body: unknown = ''): Answer => ({
	status,
	headers: { ...(retryAfter !== undefined && { 'retry-after': retryAfter }) },
	body,
});
const delayAfter = (
	answer: Answer,
	given: Parameters<typeof classify>[1] = {},
	attempts = 1,
	left = Infinity,
	random = 0,
) => retryDelay(classify(answer, given), attempts, left, random);

it.each<[Answer, kind: FailureKind, get: string, post: string]>([
	[answered(400), 'rejected', 'final', 'final'],
	[answered(409), 'rejected', 'final', 'final'],
	[answered(410), 'rejected', 'final', 'final'],
	[answered(422), 'rejected', 'final', 'final'],
	[answered(401), 'tokenRejected', 'final', 'final'],
	[answered(401, undefined, NO_KEY), 'keyRejected', 'final', 'final'],
	[answered(403, undefined, NO_KEY), 'keyRejected', 'final', 'final'],
	[answered(403), 'forbidden', 'final', 'final'],
	[answered(404), 'notFound', 'final', 'final'],
	[answered(403, 'soon'), 'quota', 'retried', 'retried'],
	[answered(429), 'rateLimited', 'retried', 'retried'],
	[answered(408), 'failed', 'retried', 'unknown'],
	[answered(500), 'failed', 'retried', 'unknown'],
	[answered(503, '7'), 'failed', 'retried', 'unknown'],
	[answered(599), 'failed', 'retried', 'unknown'],
	[answered(204), 'unreadable', 'final', 'unknown'],
	[answered(303), 'redirect', 'final', 'unknown'],
	[{ end: 'unreadable', detail: '' }, 'unreadable', 'final', 'unknown'],
	[{ end: 'unsent', detail: '' }, 'unsent', 'retried', 'retried'],
	[{ end: 'lost', detail: '' }, 'lost', 'retried', 'unknown'],
	[{ end: 'timeout', detail: '' }, 'timeout', 'retried', 'unknown'],
	[{ end: 'blocked', detail: '' }, 'blocked', 'final', 'final'],
])('after %j (%s), a read is %s, a write %s', (answer, kind, get, post) => {
	const next = (method: 'GET' | 'POST') => {
		const { isOutcomeUnknown, isRetryable } = classify(answer, { method });
		return isOutcomeUnknown ? 'unknown' : isRetryable ? 'retried' : 'final';
	};
	expect([classify(answer).kind, next('GET'), next('POST')]).toEqual([kind, get, post]);
});

it('a rejected token is tried again when it is time, but not a rejected key', () => {
	const given = { fetchesToken: true };
	expect(delayAfter(answered(401), given)).toBe(2000);
	expect(delayAfter(answered(401))).toBeUndefined();
	expect(delayAfter(answered(401, undefined, NO_KEY), given)).toBeUndefined();
});

describe('the pause', () => {
	it('is 1, 1, 2, 4 and 8 s, lengthened by up to a quarter, for five more attempts', () => {
		const delays = (random: number) =>
			[1, 2, 3, 4, 5, 6].map((tries) => delayAfter(answered(500), {}, tries, Infinity, random));
		expect(delays(0)).toEqual([1000, 1000, 2000, 4000, 8000, undefined]);
		expect(delays(1)).toEqual([1250, 1250, 2500, 5000, 10_000, undefined]);
	});

	it('is at least as long as the service asks for, up to two minutes', () => {
		expect(delayAfter(answered(429, '7'))).toBe(7 * SECOND);
		expect(delayAfter(answered(503, '7'), {}, 1, Infinity, 1)).toBeCloseTo(7.7 * SECOND);
		expect(delayAfter(answered(429, '0'))).toBe(1000);
		expect(delayAfter(answered(429, '120'))).toBe(120 * SECOND);
		for (const answer of [answered(429, '121'), answered(403, '86400'), answered(500, '121')]) {
			expect(delayAfter(answer)).toBeUndefined();
			expect(asksForTooLong(classify(answer), Infinity)).toBe(true);
		}
	});

	it('leaves time for another attempt, or there is none', () => {
		expect(delayAfter(answered(429, '7'), {}, 1, 8001)).toBe(7 * SECOND);
		expect(delayAfter(answered(429, '7'), {}, 1, 7999)).toBeUndefined();
		expect(asksForTooLong(classify(answered(429, '7')), 7999)).toBe(true);
		expect(delayAfter(answered(500), {}, 1, 2000)).toBeUndefined();
		expect(asksForTooLong(classify(answered(500)), 2000)).toBe(false);
	});
});

describe('Retry-After', () => {
	const NOW = Date.UTC(2026, 2, 1, 10, 15);
	const later = (seconds: number) => new Date(NOW + seconds * SECOND).toUTCString();

	beforeEach(() => jest.spyOn(Date, 'now').mockReturnValue(NOW));

	afterEach(() => jest.restoreAllMocks());

	it.each<[header: unknown, seconds: number | undefined]>([
		['7', 7],
		[later(30), 30],
		[later(-30), 0],
		['34560000', 34_560_000],
		// Neither seconds nor a date.
		['30s', undefined],
		['', undefined],
		// Longer than 400 days.
		['34560001', undefined],
	])('%j is %j s', (header, seconds) => {
		const wait = parseRetryAfter({ 'retry-after': header });
		expect(wait && Math.ceil(wait / SECOND)).toBe(seconds);
	});
});
