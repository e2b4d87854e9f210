/**
 * Decides whether, and after how long, a failed request is retried, and reads the headers that this depends
 * on: pure functions, with times in milliseconds. Invariant: nothing is sent before the end of `Retry-After`.
 */
import { inRange } from '../values/dates';

/** Attempts per request, including the first. */
const MAX_ATTEMPTS = 5;
/** A longer `Retry-After` is not waited for. */
const MAX_RETRY_AFTER = 120_000;
const FIRST_BACKOFF = 500;
/** The shortest wait after a 401 with a new token: processes that revoke each other's tokens need time. */
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
	if (!isRetryable || attempts >= MAX_ATTEMPTS || asksForTooLong(failure, left)) return undefined;
	// Jitter, so that requests that failed together do not return together.
	const backoff = FIRST_BACKOFF * 2 ** (attempts - 1) * (0.5 + random / 2);
	// A service that rounds down asks for 0 seconds, which must not undo the back-off.
	const delay = Math.max(backoff, retryAfter * (1 + random / 10));
	return delay + LEAST_TIME < left ? delay : undefined;
}

/** How HTTP dates begin, in each of their three formats; all are in GMT. */
const HTTP_DATE = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .*\d{2}:\d{2}:\d{2}/i;
/** How the dates begin that some services send instead. */
const ISO_DATE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;
/** The end of a date that says its offset. */
const OFFSET = /(GMT|Z|[+-]\d{2}:?\d{2})$/i;
/** A comma between two values, not the one after the weekday of a date. */
const COMMA = /,(?!\s*\d{1,2}[ -][A-Za-z])/;
const SECONDS = /^(\d+(?:\.\d+)?) ?(?:s|sec|seconds?)?$/i;
/** A larger number of seconds is a Unix time. */
const MAX_SECONDS = 1e9;
/** A still larger one is in milliseconds. */
const MAX_EPOCH_SECONDS = 1e11;

/**
 * Milliseconds to wait according to a `Retry-After` header: seconds, a date, a Unix time, or the longest of several;
 * undefined if it says none of these. A date is compared with the service's own clock (`Date` header).
 */
export function parseRetryAfter(headers: Record<string, unknown>, now: number): number | undefined {
	const serviceTime = parseHttpDate(headers.date) ?? now;
	const waits = headerText(headers['retry-after'])
		.split(COMMA)
		.map((each) => {
			const text = each.trim().replace(/^"(.*)"$/, '$1');
			const seconds = Number(SECONDS.exec(text)?.[1]);
			if (seconds <= MAX_SECONDS) return seconds * 1000;
			const epoch = seconds > MAX_EPOCH_SECONDS ? seconds : seconds * 1000;
			const until = Number.isNaN(seconds) ? parseHttpDate(text) : inRange(epoch);
			return until && Math.max(0, until - serviceTime);
		})
		.filter((wait) => wait !== undefined);
	return waits.length === 0 ? undefined : Math.max(...waits);
}

/** A date in epoch milliseconds, in GMT by default; undefined if it is not a date, or is far beyond any clock. */
export function parseHttpDate(value: unknown): number | undefined {
	const text = headerText(value);
	const isIso = ISO_DATE.test(text);
	if (!isIso && !HTTP_DATE.test(text)) return undefined;
	const offset = isIso ? 'Z' : ' GMT';
	return inRange(Date.parse(OFFSET.test(text) ? text : `${text}${offset}`));
}

function headerText(value: unknown): string {
	return [value ?? ''].flat().join(',').trim();
}
