/**
 * Starts to measure the CPU time of this process, in milliseconds, which does not depend on how busy the
 * machine is. In mutation runs, whose code is several times slower, no time counts.
 */
export function startCpuTime(): () => number {
	const start = process.cpuUsage();
	return () => ('__stryker__' in globalThis ? 0 : process.cpuUsage(start).user / 1000);
}
