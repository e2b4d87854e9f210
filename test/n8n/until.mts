import { setTimeout as pause } from 'node:timers/promises';

/** How long to wait for something, and what to say when it does not come. */
export interface Patience {
	/** What is waited for, in the words of the error. */
	what: string;
	/** ms */
	timeout: number;
	/** ms between two looks */
	interval?: number;
}

/** Looks again and again until there is something to see. @throws when the time is up */
export async function until<T>(
	look: () => Promise<T | undefined> | T | undefined,
	{ what, timeout, interval = 100 }: Patience,
): Promise<T> {
	const end = Date.now() + timeout;
	for (;;) {
		const seen = await look();
		if (seen !== undefined) return seen;
		if (Date.now() > end) throw new Error(`No ${what} within ${timeout / 1000} s`);
		await pause(interval);
	}
}
