import { setTimeout as sleep } from 'node:timers/promises';

/** How long to wait, and what the error says after that. */
interface WaitOptions {
	/** What to wait for, as in “Timed out after 60 s waiting for …”. */
	what: string;
	/** ms */
	timeout?: number;
	/** ms between two checks */
	interval?: number;
}

/** Far longer than anything takes here: it only ends waits that would never end. */
export const GENEROUS_TIMEOUT = 300_000;

/** After that, a program that was asked to stop is killed (ms). */
export const TIME_TO_STOP = 60_000;

/** Checks repeatedly until a condition holds, or there is a result. @returns the result */
export async function waitUntil<T>(
	check: () => Promise<T> | T,
	{ what, timeout = GENEROUS_TIMEOUT, interval = 100 }: WaitOptions,
): Promise<Exclude<T, false | undefined>> {
	const deadline = Date.now() + timeout;
	for (;;) {
		const result = await check();
		if (result !== false && result !== undefined) return result as Exclude<T, false | undefined>;
		if (Date.now() > deadline) {
			throw new Error(`Timed out after ${timeout / 1000} s waiting for ${what}`);
		}
		await sleep(interval);
	}
}
