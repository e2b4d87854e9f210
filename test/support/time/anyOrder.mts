import type { Scheduler } from 'fast-check';

/** Resolves once everything that waits only for promises has happened. */
export const settled = async (): Promise<void> => await new Promise(setImmediate);

/**
 * Lets everything that was scheduled happen, in the order that the scheduler chooses. `check` is
 * called before each of its choices, when nothing else happens.
 */
export async function playOut(scheduler: Scheduler, check: () => void = () => {}): Promise<void> {
	for (await settled(); scheduler.count() > 0; await settled()) {
		check();
		await scheduler.waitNext(1);
	}
}
