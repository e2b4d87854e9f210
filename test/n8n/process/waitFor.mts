import { setTimeout as sleep } from 'node:timers/promises';

/** Far longer than anything takes here: it only ends waits that would never end (ms). */
export const GENEROUS_TIMEOUT = 600_000;

/** After that, a program that was asked to stop is killed (ms). */
export const TIME_TO_STOP = 60_000;

/** Between two checks (ms). */
const INTERVAL = 200;

/** Checks repeatedly until a condition holds, or there is a result. @returns the result */
export async function waitUntil<T>(
	check: () => Promise<T> | T,
	what: string,
): Promise<Exclude<T, false | undefined>> {
	const deadline = Date.now() + GENEROUS_TIMEOUT;
	for (;;) {
		const result = await check();
		if (result !== false && result !== undefined) return result as Exclude<T, false | undefined>;
		if (Date.now() > deadline)
			throw new Error(`Timed out after ${GENEROUS_TIMEOUT / 1000} s waiting for ${what}`);
		await sleep(INTERVAL);
	}
}
