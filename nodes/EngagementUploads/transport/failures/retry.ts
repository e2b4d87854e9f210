/**
 * Decides what to do after a failed request, as a pure function. Invariants: nothing is repeated
 * that the service may have acted on, and nothing is sent before `Retry-After`. Times in
 * milliseconds.
 */
import { isServerError, parseRetryAfter, type Outcome } from '../http/exchange';
import { rowOf } from './failureTable';

export interface FailedAttempt {
	outcome: Outcome;
	/** The request changes nothing, so a retry is safe. */
	repeatable: boolean;
	/** The caller narrows down a failure of the service, so a 408 or 5xx is not retried. */
	isTriedOnce?: boolean;
	/** attempts so far, including this one */
	attempts: number;
	/** epoch milliseconds */
	now: number;
	/** time left for all attempts */
	left?: number;
	/** from 0 to below 1 */
	random: number;
}

export type RetryDecision = ({ retry: true; wait: number } & Effect) | GivenUp;

export interface GivenUp extends Effect {
	retry: false;
	reason: 'final' | 'exhausted' | 'unknownOutcome' | 'tooLong';
	/** How long until another attempt makes sense, if known. */
	after?: number;
}

/** What follows for all other requests. */
interface Effect {
	/** How long none of them is sent. */
	pause?: number;
	/** Fewer of them are sent at a time. */
	isThrottled?: boolean;
}

/** Another attempt would fail the same way. */
const FINAL: GivenUp = { retry: false, reason: 'final' };
/** As few writes as possible should end this way. */
const UNKNOWN: GivenUp = { retry: false, reason: 'unknownOutcome', isThrottled: true };

/** Attempts per request, including the first. */
export const MAX_ATTEMPTS = 5;
/** With a `Retry-After` of more than 2 minutes, the request fails at once. */
export const MAX_RETRY_AFTER = 120_000;

const FIRST_BACKOFF = 500;
/** With less time for another attempt, its timeout would hide why the last one failed. */
const LEAST_TIME = 1000;

/** Decides whether, and after how long, to retry a request. */
export function decideRetry(attempt: FailedAttempt): RetryDecision {
	const { outcome, repeatable, isTriedOnce, attempts, now, left = Infinity, random } = attempt;
	if ('withoutToken' in outcome) {
		const tokenRequest = { outcome: outcome.withoutToken, repeatable: true, isTriedOnce: false };
		const decision = decideRetry({ ...attempt, ...tokenRequest });
		// Requests without a token retry together, so that they share one fetch.
		return decision.retry ? { ...decision, pause: decision.wait } : decision;
	}
	if ('notSent' in outcome) return FINAL;
	const retryAfter = retryAfterOf(outcome, now);
	const row = rowOf(outcome, retryAfter !== undefined);
	const isUnknown = !repeatable && row.mayHaveActed === true;
	if (row.isRetried !== true) return isUnknown ? UNKNOWN : FINAL;

	const asked = retryAfter ?? 0;
	const isTooLong = asked > MAX_RETRY_AFTER || (asked > 0 && asked >= left);
	const [after, pause] = isTooLong ? [asked] : [undefined, retryAfter];
	if (isUnknown) return { ...UNKNOWN, pause, after };
	if (after !== undefined) return { retry: false, reason: 'tooLong', after };
	const isEnough = isTriedOnce === true && 'status' in outcome && isServerError(outcome.status);
	if (attempts >= MAX_ATTEMPTS || isEnough) return { retry: false, reason: 'exhausted', pause };

	// Jitter on the upper half, so that requests that failed together do not return together.
	const backoff = FIRST_BACKOFF * 2 ** (attempts - 1) * (0.5 + random / 2);
	// A service that rounds down asks for 0 seconds: that must not undo the back-off.
	const wait = Math.max(backoff, retryAfter === undefined ? 0 : retryAfter + random * 100);
	if (wait + LEAST_TIME < left)
		return { retry: true, wait, pause, isThrottled: row.slowsDown === true };
	return { retry: false, reason: retryAfter === undefined ? 'exhausted' : 'tooLong', after: wait };
}

/** The decision after a read that is sent only once. */
export function giveUp(outcome: Outcome, now: number): GivenUp {
	const attempt = { outcome, repeatable: true, attempts: MAX_ATTEMPTS, now, random: 0 };
	const decision = decideRetry(attempt);
	return decision.retry ? FINAL : decision;
}

/** How long the service accepts no requests, if that is too long to wait. */
export function blockedFor({ reason, after }: GivenUp): number | undefined {
	return reason === 'exhausted' ? undefined : after;
}

/** The wait that a response asks for. */
function retryAfterOf(outcome: Outcome, now: number): number | undefined {
	if (!('status' in outcome)) return undefined;
	return parseRetryAfter(outcome.headers['retry-after'], outcome.headers.date, now);
}
