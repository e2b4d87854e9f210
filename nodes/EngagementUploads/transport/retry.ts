/**
 * What to do after a request that did not work, as a function of what happened: nothing is
 * repeated that the service may have acted on, and nothing is sent before `Retry-After`.
 */

/** What came of a request: an HTTP status with headers, or none. Times in milliseconds. */
export type Trouble =
	| { status: number; retryAfter?: unknown; date?: unknown }
	/** `unsent`: the connection was never made. `lost`: it broke, or the answer was cut off. */
	| { failure: 'unsent' | 'lost' | 'timeout' };

/** `repeatable`: the request changes nothing, so sending it again is safe. `tries`: sent so far. */
export interface Attempt {
	repeatable: boolean;
	tries: number;
	trouble: Trouble;
	/** epoch milliseconds */
	now: number;
	/** from 0 to below 1 */
	random: number;
}

/**
 * `wait`: milliseconds until the next try; `asked`: those that the service asked for, if it did.
 * `throttled`: it asks everyone to slow down.
 */
export type Decision =
	| { again: true; wait: number; throttled: boolean; asked?: number }
	/** `until`: when another try makes sense, epoch milliseconds, where that is known. */
	| {
			again: false;
			why: 'final' | 'exhausted' | 'unknownOutcome';
			until?: number;
			asked?: number;
	  }
	| { again: false; why: 'tooLong'; until: number; asked?: number };

/** Tries of one request, the first included. */
export const MAX_TRIES = 5;
/** A longer `Retry-After` is not waited for: 2 minutes. */
export const LONGEST_WAIT = 120_000;

/** The three forms of HTTP dates, all in GMT. */
const HTTP_DATE = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .*\d{2}:\d{2}:\d{2}/i;
const FIRST_WAIT = 500;
/** A `Retry-After` beyond a year is taken for one, so that it can be told as a date. */
const FARTHEST = 365 * 24 * 3_600_000;
const TEMPORARY = new Set([408, 429, 500, 502, 503, 504]);

/** Decides after trouble whether, and after how long, a request is sent again. */
export function decide({ repeatable, tries, trouble, now, random }: Attempt): Decision {
	const asked = 'status' in trouble ? retryAfter(trouble.retryAfter, trouble.date, now) : undefined;
	const throttled =
		'status' in trouble &&
		(trouble.status === 429 || (trouble.status === 403 && asked !== undefined));
	const temporary = throttled || 'failure' in trouble || TEMPORARY.has(trouble.status);
	if (!temporary) return { again: false, why: 'final' };

	const untouched = throttled || ('failure' in trouble && trouble.failure === 'unsent');
	const until = asked !== undefined && asked > LONGEST_WAIT ? now + asked : undefined;
	if (!repeatable && !untouched) return { again: false, why: 'unknownOutcome', asked, until };
	if (until !== undefined) return { again: false, why: 'tooLong', until };
	if (tries >= MAX_TRIES) return { again: false, why: 'exhausted', asked };

	// Full jitter on the upper half: requests that failed together do not come back together.
	const backoff = FIRST_WAIT * 2 ** (tries - 1) * (0.5 + random / 2);
	const wait = asked === undefined ? backoff : Math.max(asked, 1) + random * 100;
	const slowDown = throttled || ('status' in trouble && trouble.status === 503);
	return { again: true, wait, throttled: slowDown, asked };
}

/** Until when (epoch ms) the service accepts nothing, where that is too far off to be waited for. */
export function closedUntil(decision: Decision): number | undefined {
	return decision.again || decision.why === 'exhausted' ? undefined : decision.until;
}

/**
 * Milliseconds that a `Retry-After` header (seconds or an HTTP date) asks to wait; undefined when
 * it is absent or makes no sense. A date is held against the service's own clock (`Date` header).
 */
export function retryAfter(value: unknown, date: unknown, now: number): number | undefined {
	const text = String(first(value) ?? '').trim();
	if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text) * 1000, FARTHEST);
	if (!HTTP_DATE.test(text)) return undefined;
	const at = Date.parse(/GMT$/i.test(text) ? text : `${text} GMT`);
	if (Number.isNaN(at)) return undefined;
	const serviceNow = Date.parse(String(first(date) ?? ''));
	const wait = at - (Number.isNaN(serviceNow) ? now : serviceNow);
	return Math.min(Math.max(0, wait), FARTHEST);
}

function first(value: unknown): unknown {
	return Array.isArray(value) ? value[0] : value;
}
