/** The time of day, the clock by which durations are measured, their units, and chance. */
import { sleep } from 'n8n-workflow';

/** In milliseconds. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The time of day in epoch milliseconds. It may be set at any time, so it measures no durations. */
export function timeOfDay(): number {
	return Date.now();
}

/** The clock by which durations are measured, and chance; injected, so that tests neither wait nor differ. */
export interface Clock {
	/** milliseconds, monotonic */
	now(): number;
	sleep(milliseconds: number): Promise<void>;
	/** from 0 to below 1; lengthens waits, so that not all end at once */
	random(): number;
}

export const systemClock: Clock = {
	now: () => performance.now(),
	sleep,
	random: () => Math.random(),
};
