/**
 * Decides what to do after a failed request, as a pure function. Invariants: nothing is repeated
 * that the service may have acted on, and nothing is sent before `Retry-After`. Times in
 * milliseconds.
 */

/** How an attempt failed: with an HTTP status and headers, or without a response. */
export type AttemptFailure =
	| { status: number; retryAfter?: unknown; date?: unknown }
	/** `unsent`: the connection was never made. `lost`: it broke, or the response was cut off. */
	| { failure: 'unsent' | 'lost' | 'timeout' };

export interface FailedAttempt {
	failure: AttemptFailure;
	/** The request changes nothing, so a retry is safe. */
	repeatable: boolean;
	/** attempts so far, including this one */
	attempts: number;
	/** epoch milliseconds */
	now: number;
	/** from 0 to below 1 */
	random: number;
}

/** `retryAfter`: the wait that the service asked for, if any. */
export type RetryDecision =
	/** `throttled`: all requests should slow down. */
	| { retry: true; wait: number; throttled: boolean; retryAfter?: number }
	/** `until`: when another attempt makes sense (epoch milliseconds), if known. */
	| {
			retry: false;
			reason: 'final' | 'exhausted' | 'unknownOutcome';
			until?: number;
			retryAfter?: number;
	  }
	| { retry: false; reason: 'tooLong'; until: number; retryAfter?: number };

/** Another attempt would fail the same way. */
export const FINAL: RetryDecision = { retry: false, reason: 'final' };

/** Attempts per request, including the first. */
export const MAX_ATTEMPTS = 5;
/** With a `Retry-After` of more than 2 minutes, the request fails at once. */
export const MAX_RETRY_AFTER = 120_000;

/** The three formats of HTTP dates, all in GMT. */
const HTTP_DATE = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .*\d{2}:\d{2}:\d{2}/i;
const FIRST_BACKOFF = 500;
/** A `Retry-After` beyond a year counts as a year, so that it can be shown as a date. */
const MAX_READABLE = 365 * 24 * 3_600_000;

/** Decides whether, and after how long, to retry a request. */
export function decideRetry(attempt: FailedAttempt): RetryDecision {
	const { failure, repeatable, attempts, now, random } = attempt;
	const status = 'status' in failure ? failure.status : undefined;
	const retryAfter =
		'status' in failure ? parseRetryAfter(failure.retryAfter, failure.date, now) : undefined;
	const throttled = status === 429 || (status === 403 && retryAfter !== undefined);
	if (status !== undefined && !throttled && !isTemporaryStatus(status)) return FINAL;

	const untouched = throttled || ('failure' in failure && failure.failure === 'unsent');
	const until =
		retryAfter !== undefined && retryAfter > MAX_RETRY_AFTER ? now + retryAfter : undefined;
	if (!repeatable && !untouched)
		return { retry: false, reason: 'unknownOutcome', retryAfter, until };
	if (until !== undefined) return { retry: false, reason: 'tooLong', until };
	if (attempts >= MAX_ATTEMPTS) return { retry: false, reason: 'exhausted', retryAfter };

	// Jitter on the upper half, so that requests that failed together do not return together.
	const backoff = FIRST_BACKOFF * 2 ** (attempts - 1) * (0.5 + random / 2);
	const wait = retryAfter === undefined ? backoff : Math.max(retryAfter, 1) + random * 100;
	return { retry: true, wait, throttled: throttled || status === 503, retryAfter };
}

/** Whether a status means that the service is temporarily busy or down. */
export function isTemporaryStatus(status: number): boolean {
	return status === 408 || status === 429 || status >= 500;
}

/**
 * The time (epoch ms) until which the service accepts no requests, if it is too far ahead to wait.
 */
export function blockedUntil(decision: RetryDecision): number | undefined {
	return decision.retry || decision.reason === 'exhausted' ? undefined : decision.until;
}

/**
 * Milliseconds to wait according to a `Retry-After` header (seconds or an HTTP date); undefined if
 * it is missing or makes no sense. A date is compared with the service's own clock (`Date` header).
 */
export function parseRetryAfter(value: unknown, date: unknown, now: number): number | undefined {
	const text = String(first(value) ?? '').trim();
	if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text) * 1000, MAX_READABLE);
	if (!HTTP_DATE.test(text)) return undefined;
	const at = Date.parse(/GMT$/i.test(text) ? text : `${text} GMT`);
	if (Number.isNaN(at)) return undefined;
	const serviceNow = Date.parse(String(first(date) ?? ''));
	const wait = at - (Number.isNaN(serviceNow) ? now : serviceNow);
	return Math.min(Math.max(0, wait), MAX_READABLE);
}

function first(value: unknown): unknown {
	return Array.isArray(value) ? value[0] : value;
}
