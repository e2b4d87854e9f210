/**
 * Decides whether, and after how long, a failed request is retried, and reads the headers that this depends
 * on: pure functions, with times in milliseconds. Invariant: nothing is sent before the end of `Retry-After`.
 */
import { DAY, SECOND, timeOfDay } from '../values/clock';

/** The pauses before further attempts, in milliseconds: together, they outlast ten seconds without the service. */
const PAUSES = [1000, 1000, 2000, 4000, 8000];
/** A longer `Retry-After` is not waited for. */
const MAX_RETRY_AFTER = 120_000;
/** The shortest wait after a 401 with a new token: a gateway's clock may be seconds behind. */
export const TOKEN_PAUSE = 2000;
/** With less time for another attempt, its timeout would hide why the previous one failed. */
const LEAST_TIME = 1000;

/** What a failure says about another attempt. */
export interface Retry {
	/** Another attempt may succeed, and is safe. */
	isRetryable?: boolean;
	/** The service wants fewer requests. */
	asksToSlowDown?: boolean;
	/** Milliseconds to wait, because the service asks for it or a token was rejected. */
	retryAfter?: number;
}

/** Whether the service asks for a longer wait than makes sense with the time that is left. */
export function asksForTooLong({ asksToSlowDown, retryAfter = 0 }: Retry, left: number): boolean {
	if (!asksToSlowDown || retryAfter === 0) return false;
	return retryAfter > MAX_RETRY_AFTER || retryAfter + LEAST_TIME > left;
}

/**
 * How long to wait before another attempt; undefined if there is none.
 * @param attempts so far, including this one
 * @param left the time for further attempts
 * @param random from 0 to below 1
 */
export function retryDelay(
	failure: Retry,
	attempts: number,
	left: number,
	random: number,
): number | undefined {
	const { isRetryable, retryAfter = 0 } = failure;
	const pause = PAUSES[attempts - 1];
	if (!isRetryable || pause === undefined || asksForTooLong(failure, left)) return undefined;
	// Lengthened at random, so that requests that failed together do not return together. A service that rounds
	// down asks for 0 seconds, which must not undo the pause.
	const delay = Math.max(pause * (1 + random / 4), retryAfter * (1 + random / 10));
	return delay + LEAST_TIME < left ? delay : undefined;
}

/** A longer wait than this is a mistake, and tells no time. */
const LONGEST_WAIT = 400 * DAY;

/** Milliseconds to wait according to a `Retry-After` header: seconds, or a date; undefined if it is neither. */
export function parseRetryAfter(headers: Record<string, unknown>): number | undefined {
	const text = String(headers['retry-after'] ?? '').trim();
	const wait = /^\d+$/.test(text) ? Number(text) * SECOND : Date.parse(text) - timeOfDay();
	return wait <= LONGEST_WAIT ? Math.max(0, wait) : undefined;
}
