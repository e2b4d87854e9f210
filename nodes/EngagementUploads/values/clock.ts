/** The time of day, and the clock by which durations are measured. */
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
