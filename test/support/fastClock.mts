import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

import { systemClock } from '../../nodes/EngagementUploads/transport/pool.ts';
import { latency } from './service/http.mts';

/**
 * Lets time pass faster for everything in this test file or `describe`: the nodes, n8n and the
 * simulated service. Only timeouts of sockets stay as long as they are.
 */
export function passTimeFaster(times: number): void {
	const realNow = Date.now;
	const realSleep = systemClock.sleep;
	beforeAll(() => {
		const start = realNow();
		Date.now = () => start + (realNow() - start) * times;
		systemClock.sleep = async (milliseconds) => await sleep(milliseconds / times);
	});
	afterAll(() => {
		Date.now = realNow;
		systemClock.sleep = realSleep;
	});
}

/** After this many turns of the event loop, all requests that were sent together have arrived. */
const TURNS = 20;

/**
 * In this test file, time passes only while the simulated service delays responses, and at once:
 * what a deadline allows does not depend on how busy the machine is.
 */
export function passTimeByLatency(): void {
	let now = Date.now();
	Date.now = () => now;
	latency.wait = async (milliseconds) => {
		const end = now + milliseconds;
		for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
		now = Math.max(now, end);
	};
}
