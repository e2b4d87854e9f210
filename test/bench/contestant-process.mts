import { answerParent } from './peer.mts';
import { takeSentTooEarly } from './too-early.mts';
import type { Target } from './service-process.mts';
import type { ContestantName, Workload } from './workload.mts';

/** A message to a contestant: which one it is, or what to do. */
export type ContestantOrder =
	| { order: 'prepare'; name: ContestantName; target: Target; work: Workload }
	| { order: 'run' };

/** One run: its cost and its result; memory is the process's peak. */
export interface Effort {
	wallMs: number;
	cpuMs: number;
	peakBytes: number;
	records: number;
	/** Maximum size of the trigger's state; 0 for other contestants. */
	stateBytes: number;
	polls: number;
	/** Requests sent during a `Retry-After`. */
	tooEarly: number;
}

/** The result of a trigger's run. */
export interface Polled {
	records: number;
	polls: number;
	stateBytes: number;
}

/** Runs its task and returns the number of records that arrived. */
export type Contestant = () => Promise<number | Polled>;

/** Prepares a contestant. */
export type Prepare = (target: Target, work: Workload) => Promise<Contestant>;

/** Loaded by name, so that a process holds nothing of the other contestants. */
const CONTESTANTS: Record<ContestantName, () => Promise<Prepare>> = {
	node: async () => (await import('./contestants/node.mts')).prepareNode,
	nodeSequential: async () => (await import('./contestants/node.mts')).prepareSequentialNode,
	trigger: async () => (await import('./contestants/trigger.mts')).prepareTrigger,
	httpRequest: async () => (await import('./contestants/httpRequest.mts')).prepareHttpRequest,
	httpRequestBatched: async () =>
		(await import('./contestants/httpRequest.mts')).prepareBatchedHttpRequest,
	undici: async () => (await import('./contestants/undici.mts')).prepareUndici,
};

async function measure(run: Contestant): Promise<Effort> {
	takeSentTooEarly();
	const cpuBefore = process.cpuUsage();
	const startedAt = performance.now();
	const outcome = await run();
	const wallMs = performance.now() - startedAt;
	const { user, system } = process.cpuUsage(cpuBefore);
	const polled =
		typeof outcome === 'number' ? { records: outcome, polls: 0, stateBytes: 0 } : outcome;
	const peakBytes = process.resourceUsage().maxRSS * 1024;
	return {
		wallMs,
		cpuMs: (user + system) / 1000,
		peakBytes,
		...polled,
		tooEarly: takeSentTooEarly(),
	};
}

let contestant: Contestant | undefined;

answerParent<ContestantOrder>(async (message) => {
	if (message.order === 'prepare') {
		const prepare = await CONTESTANTS[message.name]();
		contestant = await prepare(message.target, message.work);
		return undefined;
	}
	if (contestant === undefined) throw new Error('The contestant has not been prepared');
	return await measure(contestant);
});
