/** What follows from each way in which a request can fail. */
import type { Answer } from '../../nodes/EngagementUploads/transport/exchange.ts';
import { classify } from '../../nodes/EngagementUploads/transport/failures.ts';
import { asksForTooLong, retryDelay } from '../../nodes/EngagementUploads/transport/retry.ts';

const SECOND = 1000;
const answered = (status: number, retryAfter?: string, body: unknown = ''): Answer => ({
	status,
	headers: { ...(retryAfter !== undefined && { 'retry-after': retryAfter }) },
	body,
});
const ended = (end: 'unsent' | 'lost' | 'timeout' | 'unreadable' | 'blocked'): Answer => ({
	end,
	detail: '',
});
const delayAfter = (
	answer: Answer,
	given: Parameters<typeof classify>[1] = {},
	attempts = 1,
	left = Infinity,
	random = 0,
) => retryDelay(classify(answer, given), attempts, left, random);

/** What becomes of a read and of a write after its first attempt. */
it.each<[get: string, post: string, answers: Answer[]]>([
	[
		'retried',
		'unknown',
		[
			answered(408),
			answered(500),
			answered(503, '1'),
			answered(599),
			ended('lost'),
			ended('timeout'),
		],
	],
	// The service cannot have acted.
	['retried', 'retried', [answered(429), answered(429, '7'), answered(403, '1'), ended('unsent')]],
	[
		'retried',
		'retried',
		[
			{ end: 'noToken', tokenAnswer: answered(503) },
			{ end: 'noToken', tokenAnswer: ended('lost') },
		],
	],
	['final', 'unknown', [answered(301), answered(303), answered(304), ended('unreadable')]],
	[
		'final',
		'final',
		[400, 401, 403, 404, 405, 407, 409, 410, 422].map((status) => answered(status)),
	],
	[
		'final',
		'final',
		[answered(404, '1'), ended('blocked'), { end: 'noToken', tokenAnswer: answered(400) }],
	],
])('a read is %s, a write is %s', (get, post, answers) => {
	for (const answer of answers) {
		const next = (method: 'GET' | 'POST') => {
			const { isOutcomeUnknown, isRetryable } = classify(answer, { method });
			return isOutcomeUnknown ? 'unknown' : isRetryable ? 'retried' : 'final';
		};
		expect([answer, next('GET'), next('POST')]).toEqual([answer, get, post]);
		// At most four more attempts.
		for (const attempts of [1, 4])
			expect(delayAfter(answer, {}, attempts) !== undefined).toBe(get === 'retried');
		expect(delayAfter(answer, {}, 5)).toBeUndefined();
	}
});

it('a caller that asks for less at once does without retries of server errors, and no others', () => {
	const given = { retriesServerErrors: false };
	for (const status of [408, 500, 503]) expect(delayAfter(answered(status), given)).toBeUndefined();
	for (const answer of [answered(429), ended('lost')])
		expect(delayAfter(answer, given)).toBeDefined();
});

it('a rejected token is tried again when it is time, but not a rejected key', () => {
	expect(delayAfter(answered(401), { tokenPause: 2000 })).toBe(2000);
	expect(delayAfter(answered(401), { tokenPause: 2000, method: 'POST' }, 4, Infinity, 1)).toBe(
		2200,
	);
	expect(
		delayAfter(answered(401, undefined, { message: 'Invalid subscription key' }), {
			tokenPause: 1,
		}),
	).toBeUndefined();
	expect(classify(answered(401, undefined, 'Ocp-Apim-Subscription-Key is missing')).kind).toBe(
		'keyRejected',
	);
});

describe('the pause', () => {
	it('doubles, with jitter on its upper half', () => {
		const delays = (random: number) =>
			[1, 2, 3, 4].map((attempts) => delayAfter(answered(500), {}, attempts, Infinity, random));
		expect(delays(0)).toEqual([250, 500, 1000, 2000]);
		expect(delays(1)).toEqual([500, 1000, 2000, 4000]);
	});

	it('is at least as long as the service asks for, up to two minutes', () => {
		expect(delayAfter(answered(429, '7'))).toBe(7 * SECOND);
		expect(delayAfter(answered(503, '7'), {}, 1, Infinity, 1)).toBeCloseTo(7.7 * SECOND);
		expect(delayAfter(answered(429, '0'))).toBe(250);
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
		expect(delayAfter(answered(500), {}, 1, 1250)).toBeUndefined();
		expect(asksForTooLong(classify(answered(500)), 1250)).toBe(false);
	});
});

it('429, 503 and whatever asks to wait slow all requests down', () => {
	const slow = [answered(429), answered(503), answered(500, '1'), answered(403, '1')];
	expect(slow.map((answer) => classify(answer).asksToSlowDown)).toEqual([true, true, true, true]);
	const others = [answered(500), answered(404, '1'), ended('lost'), answered(401, '1')];
	expect(others.map((answer) => classify(answer).asksToSlowDown)).toEqual([
		false,
		false,
		false,
		false,
	]);
});
