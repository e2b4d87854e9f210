/** A process that runs one contestant: once for each message from its parent. */
import type { Target } from './service.mts';
import type { ContestantName, Workload } from './workloads.mts';

/** What to run, and where; a process gets it as its argument. */
export interface Task {
	name: ContestantName;
	target: Target;
	work: Workload;
}

/** What a run returned. */
export interface Outcome {
	records: number;
	polls?: number;
	/** Maximum size of the trigger's state. */
	stateBytes?: number;
}

/** One run: its cost and its result; memory is the process's peak. */
export interface Effort extends Required<Outcome> {
	wallMs: number;
	cpuMs: number;
	peakBytes: number;
}

/** Prepares a contestant. */
export type Prepare = (target: Target, work: Workload) => Promise<() => Promise<Outcome>>;

/** Loaded by name, so that a process holds nothing of the other contestants. */
const CONTESTANTS: Record<ContestantName, () => Promise<Prepare>> = {
	node: async () => (await import('./contestants/node.mts')).prepareNode,
	trigger: async () => (await import('./contestants/trigger.mts')).prepareTrigger,
	httpRequest: async () => (await import('./contestants/httpRequest.mts')).prepareHttpRequest,
	httpRequestBatched: async () =>
		(await import('./contestants/httpRequest.mts')).prepareBatchedHttpRequest,
};

async function measure(run: () => Promise<Outcome>): Promise<Effort> {
	const cpuBefore = process.cpuUsage();
	const startedAt = performance.now();
	const outcome = await run();
	const wallMs = performance.now() - startedAt;
	const { user, system } = process.cpuUsage(cpuBefore);
	const peakBytes = process.resourceUsage().maxRSS * 1024;
	return { polls: 0, stateBytes: 0, ...outcome, wallMs, cpuMs: (user + system) / 1000, peakBytes };
}

const { name, target, work }: Task = JSON.parse(process.argv[2] ?? '');
const prepare = await CONTESTANTS[name]();
const run = await prepare(target, work);
process.on('message', () => void measure(run).then((effort) => process.send?.(effort)));
process.once('disconnect', () => process.exit());
process.send?.('ready');
