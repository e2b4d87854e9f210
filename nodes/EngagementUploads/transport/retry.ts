/**
 * Whether, and after how long, a failed request is tried again: pure functions. Invariant: nothing is sent
 * before `Retry-After`. Times in milliseconds.
 */
import type { Failure } from './failures';

/** Attempts per request, including the first; and if each of them ends with a 401. */
const MAX_ATTEMPTS = 5;
const MAX_UNAUTHORIZED = 2;
/**
 * How long another attempt waits after a 401: another worker may have stored a newer token by then, or
 * the token is valid by then.
 */
export const UNAUTHORIZED_PAUSE = 1000;
/** A longer `Retry-After` is not waited for. */
const MAX_RETRY_AFTER = 120_000;
const FIRST_BACKOFF = 500;
/** With less time for another attempt, its timeout would hide why the last one failed. */
const LEAST_TIME = 1000;

/** Whether the service asks for a longer wait than makes sense, with this time left. */
export function asksForTooLong({ slowsDown, retryAfter = 0 }: Failure, left: number): boolean {
	if (!slowsDown || retryAfter === 0) return false;
	return retryAfter > MAX_RETRY_AFTER || retryAfter + LEAST_TIME > left;
}

/** Whether an attempt does not count, since the service said when to come back. */
export function isFree({ kind, retryAfter = 0 }: Failure): boolean {
	return kind === 'rateLimited' && retryAfter > 0;
}

/**
 * How long to wait before another attempt; undefined if there is none.
 * @param attempts so far, including this one
 * @param left time for all attempts, in milliseconds
 * @param random from 0 to below 1
 */
export function retryDelay(
	failure: Failure,
	attempts: number,
	left: number,
	random: number,
): number | undefined {
	const isUnauthorized = failure.kind === 'unauthorized';
	const most = isUnauthorized ? MAX_UNAUTHORIZED : MAX_ATTEMPTS;
	if (!failure.isRetried || attempts >= most || asksForTooLong(failure, left)) return undefined;
	// Jitter on the upper half, so that requests that failed together do not return together.
	const backoff = FIRST_BACKOFF * 2 ** Math.max(0, attempts - 1) * (0.5 + random / 2);
	const asked = isUnauthorized ? UNAUTHORIZED_PAUSE : (failure.retryAfter ?? 0);
	// A service that rounds down asks for 0 seconds: that must not undo the back-off.
	const delay = Math.max(backoff, asked * (1 + random / 10));
	return delay + LEAST_TIME < left ? delay : undefined;
}
