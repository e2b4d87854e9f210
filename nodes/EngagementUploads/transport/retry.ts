/**
 * Decides whether, and after how long, a failed request is retried: pure functions, with times in
 * milliseconds. Invariant: nothing is sent before the end of `Retry-After`.
 */
import type { Failure } from './failures';

/** Attempts per request, including the first. */
const MAX_ATTEMPTS = 5;
/** A longer `Retry-After` is not waited for. */
const MAX_RETRY_AFTER = 120_000;
const FIRST_BACKOFF = 500;
/** With less time for another attempt, its timeout would hide why the previous one failed. */
const LEAST_TIME = 1000;

/** Whether the service asks for a longer wait than makes sense with the time that is left. */
export function asksForTooLong({ asksToSlowDown, retryAfter = 0 }: Failure, left: number): boolean {
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
	failure: Failure,
	attempts: number,
	left: number,
	random: number,
): number | undefined {
	const { isRetryable, tokenPause, retryAfter = 0 } = failure;
	if (!isRetryable || attempts >= MAX_ATTEMPTS || asksForTooLong(failure, left)) return undefined;
	// Jitter, so that requests that failed together do not return together.
	const later = 1 + random / 10;
	const backoff = FIRST_BACKOFF * 2 ** (attempts - 1) * (0.5 + random / 2);
	// A service that rounds down asks for 0 seconds, which must not undo the back-off.
	const delay =
		tokenPause === undefined ? Math.max(backoff, retryAfter * later) : tokenPause * later;
	return delay + LEAST_TIME < left ? delay : undefined;
}
