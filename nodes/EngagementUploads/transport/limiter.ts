/**
 * Bounded, ordered concurrency. Invariants: no request starts while `width` of them are in progress, and
 * `width` never exceeds `max`. It grows by one with each success until the service asks to slow down; then
 * it is halved, and grows by one with each round of successes.
 */
import { MINUTE, type Clock } from '../values/clock';

const START_WIDTH = 32;
/** Failures without a success for this many milliseconds are an outage, which ends everything. */
const MAX_OUTAGE = 4 * MINUTE;

/** Limits the requests of one execution, which all items and pages share. */
export class Limiter {
	private width: number;
	private running = 0;
	private readonly waiting: Array<() => void> = [];
	/** When the width was last halved, on the monotonic clock. */
	private halvedAt = -Infinity;
	private pausedUntil = 0;
	/** When the first failure since the last success occurred, of those that waiting may mend. */
	private failingSince: number | undefined;
	/** When the latest such failure occurred. */
	private failedAt = -Infinity;

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
		this.failingSince = undefined;
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

	/** Notes a failure that waiting may mend. Returns whether such failures have lasted for too long to go on. */
	isOutage(sentAt: number): boolean {
		const now = this.clock.now();
		// If nothing was sent for that long, earlier failures do not say how long this one has lasted.
		if (this.failingSince === undefined || sentAt - this.failedAt >= MAX_OUTAGE)
			this.failingSince = now;
		this.failedAt = now;
		return now - this.failingSince >= MAX_OUTAGE;
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
