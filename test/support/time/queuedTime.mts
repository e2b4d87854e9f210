import { setImmediate as settled } from 'node:timers/promises';

import { systemClock } from '../../../nodes/EngagementUploads/values/clock.ts';

/** Goes on in the next play, as a process does. */
let time = 0;

/**
 * Plays what waits for time alone, without sockets: whoever waits least goes on first, so that every run is
 * the same.
 */
export async function playInTime<T>(act: () => Promise<T>): Promise<T> {
	const { now, sleep } = systemClock;
	const waits: Array<{ at: number; end: () => void }> = [];
	systemClock.now = () => time;
	systemClock.sleep = async (milliseconds) =>
		await new Promise<void>((end) => {
			const at = time + Math.ceil(milliseconds);
			const later = waits.findLastIndex((each) => each.at <= at);
			waits.splice(later + 1, 0, { at, end });
		});
	let isOver = false;
	const acting = act().finally(() => (isOver = true));
	for (await settled(); !isOver; await settled()) {
		const next = waits.shift();
		if (next === undefined) throw new Error('Nothing waits for time, and yet it is not over');
		time = next.at;
		next.end();
	}
	Object.assign(systemClock, { now, sleep });
	return await acting;
}
