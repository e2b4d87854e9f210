/**
 * Starts to measure the CPU time of this process, in milliseconds, which does not depend on how busy the
 * machine is.
 */
export function startCpuTime(): () => number {
	const start = process.cpuUsage();
	return () => process.cpuUsage(start).user / 1000;
}
