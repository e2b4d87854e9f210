/** Whether other programs leave the computer alone, since figures from a busy one say little. */
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const SAMPLE = 3000;
/** Share of the computer that others may use. */
const QUIET = 0.1;
/** How long to wait for that, in milliseconds. */
const PATIENCE = 600_000;

export const percent = (share: number) => `${Math.round(share * 100)}%`;

/** The share of the computer that is in use while this process sleeps. */
export async function othersShare(): Promise<number> {
	const before = os.cpus();
	await sleep(SAMPLE);
	const spent = os.cpus().map(({ times }, cpu) => {
		const earlier = before[cpu]?.times ?? times;
		const total = Object.values(times).reduce((sum, each) => sum + each, 0);
		const totalBefore = Object.values(earlier).reduce((sum, each) => sum + each, 0);
		return { idle: times.idle - earlier.idle, total: total - totalBefore };
	});
	const sum = (of: 'idle' | 'total') => spent.reduce((all, each) => all + each[of], 0);
	return 1 - sum('idle') / Math.max(1, sum('total'));
}

/** Waits until the computer is quiet. Returns the share that others use then. @throws if that takes too long */
export async function untilQuiet(): Promise<number> {
	const end = performance.now() + PATIENCE;
	let share = await othersShare();
	if (share > QUIET)
		console.log(`Waiting, since other programs use ${percent(share)} of this computer`);
	while (share > QUIET) {
		if (performance.now() > end)
			throw new Error(
				`docs/bench.md is not written: other programs use ${percent(share)} of this computer, and more than ${percent(QUIET)} would spoil the figures`,
			);
		share = await othersShare();
	}
	return share;
}
