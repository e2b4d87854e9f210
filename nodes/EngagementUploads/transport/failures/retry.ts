/**
 * What follows from a failed request: for the request itself, which is decided by a pure function, and
 * for all others, which the circuit holds back. Invariants: nothing is repeated that the service may
 * have acted on, and nothing is sent before `Retry-After`. Times in milliseconds.
 */
import type { Clock } from '../../values/clock';
import { isRejectedToken, type Outcome } from '../http/exchange';
import { runOf } from '../n8nCompat';
import { parseRetryAfter } from '../../values/dates';
import type { Report } from './errors';
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
	const after = isTooLong ? asked : undefined;
	const pause = isTooLong ? undefined : retryAfter;
	if (isUnknown) return { ...UNKNOWN, pause, after };
	if (after !== undefined) return { retry: false, reason: 'tooLong', after };
	const isEnough = isTriedOnce === true && row.fault === 'service';
	if (attempts >= MAX_ATTEMPTS || isEnough) return { retry: false, reason: 'exhausted', pause };

	// Jitter on the upper half, so that requests that failed together do not return together.
	const backoff = FIRST_BACKOFF * 2 ** (attempts - 1) * (0.5 + random / 2);
	// A service that rounds down asks for 0 seconds: that must not undo the back-off.
	const wait = Math.max(backoff, retryAfter === undefined ? 0 : retryAfter + random * 100);
	if (wait + LEAST_TIME < left)
		return { retry: true, wait, pause, isThrottled: row.slowsDown === true };
	// Too little time is left for the pause: n8n may come back after it.
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

/** How long no token is requested after a new one was rejected, or none could be fetched. */
const TOKEN_PAUSE = 60_000;

/** While the circuit is open, every request fails with this report, and none is sent. */
interface OpenCircuit {
	report: Report;
	/** on the monotonic clock */
	until: number;
}

/** What the service asked a run of the node to wait for, on the monotonic clock. */
interface ServiceHold {
	pausedUntil: number;
	circuit?: OpenCircuit;
}

const holds = new WeakMap<object, ServiceHold>();

/**
 * Holds back requests that would fail: all of a run for as long as the service asks, even under Retry On
 * Fail; and those of one client for a minute after no token could be fetched. (With the next client, the
 * user may have corrected the credential.)
 */
export class Circuit {
	private readonly hold: ServiceHold;
	private withoutToken: OpenCircuit | undefined;
	private tokenRejectedAt = -Infinity;
	private lastSuccessAt = -Infinity;

	constructor(
		context: object,
		private readonly clock: Clock,
	) {
		// Under Retry On Fail, the next attempt of a run respects what an earlier one was asked.
		const run = runOf(context);
		this.hold = (run && holds.get(run)) ?? { pausedUntil: 0 };
		if (run !== undefined) holds.set(run, this.hold);
	}

	/** How much longer the service asked to wait, in milliseconds. */
	get pauseLeft(): number {
		return this.hold.pausedUntil - this.clock.now();
	}

	/** Why a request fails that is not even sent; undefined if the circuit is closed. */
	get blockedBy(): Report | undefined {
		const now = this.clock.now();
		const open = [this.hold.circuit, this.withoutToken].find((each) => (each?.until ?? 0) > now);
		return open?.report;
	}

	/** Whether it makes sense to replace a rejected token. */
	get allowsRenewal(): boolean {
		return this.clock.now() - this.tokenRejectedAt > TOKEN_PAUSE;
	}

	onSuccess(): void {
		this.lastSuccessAt = this.clock.now();
		// The credential is right, so what was rejected before had another reason.
		this.tokenRejectedAt = -Infinity;
	}

	/**
	 * An attempt of a request that began at some time has failed.
	 * @param describe the report of its outcome, for a decision about it
	 */
	onFailure(
		outcome: Outcome,
		decision: RetryDecision,
		startedAt: number,
		describe: (decision: GivenUp) => Report,
	): void {
		const at = this.clock.now();
		this.hold.pausedUntil = Math.max(this.hold.pausedUntil, at + (decision.pause ?? 0));
		if (decision.retry) return;
		const wait = blockedFor(decision);
		if (wait !== undefined) {
			const until = at + wait;
			// The longest wait counts, and all messages give the same time.
			if (until > (this.hold.circuit?.until ?? 0))
				this.hold.circuit = {
					report: describe({ retry: false, reason: 'tooLong', after: wait }),
					until,
				};
		} else if ('withoutToken' in outcome)
			this.withoutToken = { report: describe(decision), until: at + TOKEN_PAUSE };
		// If others succeeded meanwhile, it was not the credential that is wrong.
		if (isRejectedToken(outcome) && this.lastSuccessAt < startedAt) this.tokenRejectedAt = at;
	}
}
