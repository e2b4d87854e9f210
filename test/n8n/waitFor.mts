import { setTimeout as sleep } from 'node:timers/promises';

/** How long to wait, and what the error says after that. */
export interface WaitOptions {
	/** What to wait for, as in “Timed out after 60 s waiting for …”. */
	what: string;
	/** ms */
	timeout?: number;
	/** ms between two checks */
	interval?: number;
}

/** Far longer than anything takes here: it only ends waits that would never end. */
export const GENEROUS_TIMEOUT = 300_000;

/** Checks repeatedly until there is a result other than undefined. */
export async function waitFor<T>(
	check: () => Promise<T | undefined> | T | undefined,
	{ what, timeout = GENEROUS_TIMEOUT, interval = 100 }: WaitOptions,
): Promise<T> {
	const deadline = Date.now() + timeout;
	for (;;) {
		const result = await check();
		if (result !== undefined) return result;
		if (Date.now() > deadline) {
			throw new Error(`Timed out after ${timeout / 1000} s waiting for ${what}`);
		}
		await sleep(interval);
	}
}

/** Waits until a condition holds. */
export async function waitUntil(
	isMet: () => Promise<boolean> | boolean,
	options: WaitOptions,
): Promise<void> {
	await waitFor(async () => (await isMet()) || undefined, options);
}
