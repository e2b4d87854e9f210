/**
 * Holds back the requests of one execution: because too many are under way, during a pause, or when none can succeed.
 * Invariants: no request starts while `width` of them are in progress, and `width` never exceeds `max`.
 */
import { MINUTE, timeOfDay, type Clock } from '../values/clock';
import type { Closed, Failure } from './failures';
import { asksForTooLong } from './retry';

const START_WIDTH = 32;

/**
 * Limits how many requests run at once; they start in order. The number grows by one with each success until the service asks to
 * slow down; then it is halved, and grows by one with each round of successes.
 */
export class Limiter {
	private width: number;
	private running = 0;
	private readonly waiting: Array<() => void> = [];
	/** When the width was last halved, on the monotonic clock. */
	private halvedAt = -Infinity;
	private pausedUntil = 0;

	constructor(
		private readonly max: number,
		private readonly clock: Clock,
	) {
		this.width = Math.min(START_WIDTH, max);
	}

	/** Runs a task when there is room for it. Tasks start in the order in which they were added. */
	async run<T>(task: () => Promise<T>): Promise<T> {
		if (this.running < Math.floor(this.width)) this.running++;
		else await new Promise<void>((start) => this.waiting.push(start));
		try {
			return await task();
		} finally {
			this.running--;
			this.startNext();
		}
	}

	/** After a success, allows more requests at once. */
	grow(): void {
		const step = this.halvedAt === -Infinity ? 1 : 1 / this.width;
		this.width = Math.min(this.max, this.width + step);
		this.startNext();
	}

	/** Halves the width, but only once for requests that were under way together. */
	halve(sentAt: number): void {
		if (sentAt <= this.halvedAt) return;
		this.halvedAt = this.clock.now();
		this.width = Math.max(1, Math.floor(this.width / 2));
	}

	/** Delays all requests by some milliseconds. */
	pause(milliseconds: number): void {
		this.pausedUntil = Math.max(this.pausedUntil, this.clock.now() + milliseconds);
	}

	/** Milliseconds until requests may be sent again. */
	get pauseLeft(): number {
		return Math.max(0, this.pausedUntil - this.clock.now());
	}

	private startNext(): void {
		while (this.waiting.length > 0 && this.running < Math.floor(this.width)) {
			this.running++;
			this.waiting.shift()?.();
		}
	}
}

/** Failures without a success for this many milliseconds are an outage, which ends everything. */
const MAX_OUTAGE = 4 * MINUTE;
/** For how long nothing is sent once no request can succeed. */
const CLOSED_FOR = MINUTE;
/** This many rejections in a row mean a wrong credential. Fewer may only mean a missing permission. */
const MAX_REJECTIONS = { beforeSuccess: 3, afterSuccess: 100 };

/** Holds back all requests once none of them can succeed. */
export class Gate {
	hasSucceeded = false;
	/** Whether the service has rejected the credential. */
	wasRejected = false;
	/** How many requests in a row failed because of a rejected credential. */
	private rejections = 0;
	/** When the first failure since the last success occurred that waiting may mend. */
	private failingSince: number | undefined;
	/** When the latest such failure occurred. */
	private failedAt = -Infinity;
	private closed: { failure: Failure; reason: Closed; end: number } | undefined;

	constructor(private readonly clock: Clock) {}

	/** Why no request is sent at the moment, and the failure that closed the gate. */
	get closedBy(): { failure: Failure; reason: Closed } | undefined {
		return this.closed && this.clock.now() < this.closed.end ? this.closed : undefined;
	}

	noteSuccess(): void {
		this.hasSucceeded = true;
		this.rejections = 0;
		this.failingSince = undefined;
	}

	/** Notes a failure that waiting may mend. Returns whether such failures have lasted for too long to go on. */
	noteFailure(sentAt: number): boolean {
		const now = this.clock.now();
		// If nothing was sent for that long, earlier failures do not say how long this one has lasted.
		if (this.failingSince === undefined || sentAt - this.failedAt >= MAX_OUTAGE)
			this.failingSince = now;
		this.failedAt = now;
		return now - this.failingSince >= MAX_OUTAGE;
	}

	/**
	 * After a failure that is not retried, closes if all other requests would fail in the same way. Returns why.
	 * @param left the time for further attempts, in milliseconds
	 */
	close(failure: Failure, left: number, isOutage: boolean): Closed | undefined {
		if (failure.cause === 'credential-invalid') this.rejections++;
		this.wasRejected ||= this.rejections > 0;
		const reason: Closed | undefined = isOutage
			? { why: 'outage' }
			: this.findReason(failure, left);
		const wait = reason?.until === undefined ? CLOSED_FOR : failure.retryAfter;
		const end = isOutage ? Infinity : this.clock.now() + (wait ?? 0);
		// A reason that ends earlier must not open the gate.
		if (reason !== undefined && end > (this.closed?.end ?? 0))
			this.closed = { failure, reason, end };
		return reason;
	}

	private findReason(failure: Failure, left: number): Closed | undefined {
		const { isTokenRequest = false, retryAfter = 0 } = failure;
		if (asksForTooLong(failure, left)) return { why: 'wait', until: timeOfDay() + retryAfter };
		const { beforeSuccess, afterSuccess } = MAX_REJECTIONS;
		if (isTokenRequest || (!this.hasSucceeded && this.rejections >= beforeSuccess))
			return { why: 'credential' };
		return this.rejections >= afterSuccess ? { why: 'rejections' } : undefined;
	}
}
