import { setTimeout as sleep } from 'node:timers/promises';

import { systemClock } from '../../nodes/EngagementUploads/transport/pool.ts';

/**
 * Lets time pass faster for everything in this test file: the nodes, n8n and the simulated service.
 * Only timeouts of sockets stay as long as they are.
 */
export function passTimeFaster(times: number): void {
	const realNow = Date.now;
	const start = realNow();
	Date.now = () => start + (realNow() - start) * times;
	systemClock.sleep = async (milliseconds) => await sleep(milliseconds / times);
}
