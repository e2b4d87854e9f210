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

/** Why no request is sent any more. */
interface Trip {
	failure: Failure;
	/** Until when, as the time of day, if the service has named it. */
	until?: number;
}

/** How many rejections of the credential, before any success, show that it is wrong. */
const MAX_REJECTIONS = 3;

/**
 * Ends all requests of an execution once others would fail in the same way: after a failed token request, three rejections
 * of the credential before any success, a wait that is too long, or a minute without a success.
 */
export class CircuitBreaker {
	/** The failure because of which no request is sent any more. */
	trippedBy: Trip | undefined;
	private hasSucceeded = false;
	private rejections = 0;
	/** When requests began to fail for good; undefined after a success. On the monotonic clock. */
	private failingSince: number | undefined;

	constructor(private readonly clock: Clock) {}

	/** Whether the service has rejected the credential. */
	get wasRejected(): boolean {
		return this.rejections > 0;
	}

	noteSuccess(): void {
		this.hasSucceeded = true;
		this.failingSince = undefined;
	}

	/**
	 * Notes a failure that is not retried, and returns it if it ends all requests.
	 * @param left the time for further attempts, in milliseconds
	 */
	noteFailure(failure: Failure, left: number): Trip | undefined {
		const { isTokenRequest, cause, mayPass, retryAfter = 0 } = failure;
		if (cause === 'credential-invalid') this.rejections++;
		const now = this.clock.now();
		if (mayPass) this.failingSince ??= now;
		const asksToWait = asksForTooLong(failure, left);
		const isRejected = this.rejections >= MAX_REJECTIONS && !this.hasSucceeded;
		const isOutage = mayPass === true && now - (this.failingSince ?? now) >= MINUTE;
		if (!asksToWait && !isTokenRequest && !isRejected && !isOutage) return undefined;
		const trip = { failure, until: asksToWait ? timeOfDay() + retryAfter : undefined };
		this.trippedBy ??= trip;
		return trip;
	}
}
