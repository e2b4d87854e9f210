/** The time of day, the clock by which durations are measured, and pauses in long work. */
import { sleep } from 'n8n-workflow';

/** The time of day in epoch milliseconds. It may be set at any time, so it measures no durations. */
export function timeOfDay(): number {
	return Date.now();
}

/** The clock by which durations are measured; injected, so that tests need not wait. */
export interface Clock {
	/** milliseconds, monotonic */
	now(): number;
	sleep(milliseconds: number): Promise<void>;
}

export const systemClock: Clock = { now: () => performance.now(), sleep };

/** Maximum milliseconds of work without a pause. */
const MAX_WORK = 50;

/**
 * Work between two pauses, in which the rest of n8n runs, such as webhooks and timers. Workers share one:
 * if each had its own, all of them would work for that long before n8n gets its turn.
 */
export class TimeSlice {
	private began = performance.now();
	private pausing: Promise<void> | undefined;

	get isOver(): boolean {
		return performance.now() - this.began > MAX_WORK;
	}

	async pause(): Promise<void> {
		this.pausing ??= sleep(0).then(() => {
			this.began = performance.now();
			this.pausing = undefined;
		});
		await this.pausing;
	}
}

/** The inputs, with a pause whenever working on them has taken a while. */
export async function* inSlices<T>(inputs: Iterable<T>): AsyncGenerator<T> {
	const slice = new TimeSlice();
	for (const input of inputs) {
		if (slice.isOver) await slice.pause();
		yield input;
	}
}
