/**
 * The clocks: the time of day, and the monotonic clock, by which all durations are measured; and long
 * work in slices, so that the rest of n8n, such as webhooks and timers, runs in between.
 */
import { sleep } from 'n8n-workflow';

/**
 * The time of day, in epoch milliseconds. It is needed for the expiry of tokens, the dates in
 * headers, and “today”. It may be set at any time, so durations are not measured by it.
 */
export function timeOfDay(): number {
	return Date.now();
}

/** The clock by which durations are measured, injected so that tests need not wait. */
export interface Clock {
	/** milliseconds, monotonic */
	now(): number;
	sleep(milliseconds: number): Promise<void>;
}

export const systemClock: Clock = { now: () => performance.now(), sleep };

/** Maximum milliseconds of work without a pause. */
const MAX_WORK = 50;

/** The time since the last pause, of one task or of several that take turns. */
export class TimeSlice {
	private began = performance.now();
	private pause: Promise<void> | undefined;

	get isOver(): boolean {
		return performance.now() - this.began > MAX_WORK;
	}

	/** Those who share it share its pause: separate ones would end together, and be of no use. */
	async renew(): Promise<void> {
		this.pause ??= sleep(0).then(() => {
			this.began = performance.now();
			this.pause = undefined;
		});
		await this.pause;
	}
}

/** The inputs, with a pause whenever working on them has taken a while. */
export async function* inSlices<T>(inputs: Iterable<T>): AsyncGenerator<T> {
	const slice = new TimeSlice();
	for (const input of inputs) {
		if (slice.isOver) await slice.renew();
		yield input;
	}
}
