/**
 * Holds back the requests of one execution: because too many are under way, during a pause, or when none can succeed.
 * Invariant: no request starts while `width` of them are in progress.
 */
import { MINUTE, timeOfDay, type Clock } from '../values/clock';
import type { Failure } from './failures';
import { asksForTooLong } from './retry';

/** Limits how many requests run at once; they start in order. */
export class Limiter {
	private running = 0;
	private readonly waiting: Array<() => void> = [];
	/** When the width was last halved, on the monotonic clock. */
	private halvedAt = -Infinity;
	private pausedUntil = 0;

	constructor(
		private width: number,
		private readonly clock: Clock,
	) {}

	/** Runs a task when there is room for it. Tasks start in the order in which they were added. */
	async run<T>(task: () => Promise<T>): Promise<T> {
		if (this.running < this.width) this.running++;
		else await new Promise<void>((start) => this.waiting.push(start));
		try {
			return await task();
		} finally {
			this.running--;
			this.startNext();
		}
	}

	/** Allows half as many from now on, but halves only once for requests that were under way together. */
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
		while (this.waiting.length > 0 && this.running < this.width) {
			this.running++;
			this.waiting.shift()?.();
		}
	}
}

/** Why no request is sent at the moment. */
interface Closed {
	failure: Failure;
	/** On the monotonic clock. */
	end: number;
	/** The end as the time of day, if the service has named it. */
	until?: number;
}

/** So many requests in a row that failed although waiting might have helped are an outage. */
const MAX_FAILURES = 10;

/**
 * Holds back all requests for a minute, or for as long as the service asks, once one has failed as all others would: for
 * want of a token, for a wrong credential, or as the last of many in a row.
 */
export class Gate {
	private hasSucceeded = false;
	/** Whether the service has rejected the credential. */
	wasRejected = false;
	private failuresInARow = 0;
	private closed: Closed | undefined;

	constructor(private readonly clock: Clock) {}

	/** The failure because of which no request is sent at the moment. */
	get closedBy(): Closed | undefined {
		return this.closed && this.clock.now() < this.closed.end ? this.closed : undefined;
	}

	noteSuccess(): void {
		this.hasSucceeded = true;
		this.failuresInARow = 0;
	}

	/**
	 * Notes a failure that is not retried. Closes if all other requests would fail in the same way, and then returns for
	 * how long, if the service says so.
	 * @param left the time for further attempts, in milliseconds
	 */
	noteFailure(failure: Failure, left: number): Closed | undefined {
		const { isTokenRequest, cause, mayPass, retryAfter = 0 } = failure;
		const isRejected = cause === 'credential-invalid';
		this.wasRejected ||= isRejected;
		if (mayPass) this.failuresInARow++;
		const asksToWait = asksForTooLong(failure, left);
		const isForAll = isTokenRequest || (isRejected && !this.hasSucceeded);
		if (!asksToWait && !isForAll && this.failuresInARow < MAX_FAILURES) return undefined;
		const wait = asksToWait ? retryAfter : MINUTE;
		const end = this.clock.now() + wait;
		const closed = { failure, end, until: asksToWait ? timeOfDay() + wait : undefined };
		// A reason that ends earlier must not open the gate.
		if (end > (this.closed?.end ?? 0)) this.closed = closed;
		return closed;
	}
}
