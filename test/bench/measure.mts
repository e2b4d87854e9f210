import type { ContestantOrder, Effort } from './contestant-process.mts';
import { Peer } from './peer.mts';
import type { Seen, ServiceOrder, Target } from './service-process.mts';
import type { ContestantName, RateLimit, Workload } from './workload.mts';

/** One run, as seen by both sides. */
export interface Figures extends Effort, Seen {
	lost: number;
}

/** A contestant's runs of a workload, and the median of each figure. */
export interface Result {
	work: Workload;
	contestant: ContestantName;
	runs: Figures[];
	median: Figures;
}

const WARM_UP_MS = 2000;

/**
 * Runs a workload with every contestant, each in its own process, so that memory and compiled code
 * are not shared. Contestants take turns, so that other load on the machine affects all of them
 * equally.
 */
export async function measureWorkload(work: Workload, runs: number): Promise<Result[]> {
	const service = new Peer('service-process.mts');
	const peers = new Map<ContestantName, Peer>();
	try {
		const target = await service.ask<Target>(order({ order: 'start', world: work.world }));
		for (const name of work.contestants) peers.set(name, new Peer('contestant-process.mts'));
		await service.ask(begin(0));
		const prepared = [...peers].map(
			async ([name, peer]) => await peer.ask(task({ order: 'prepare', name, target, work })),
		);
		await Promise.all(prepared);
		if (work.warmUp) for (const peer of peers.values()) await warmUp(service, peer);
		const figures = new Map<ContestantName, Figures[]>();
		for (let run = 0; run < runs; run += 1) {
			for (const [name, peer] of peers) {
				figures.set(name, [...(figures.get(name) ?? []), await measureRun(work, service, peer)]);
			}
		}
		return [...figures].map(([contestant, list]) => ({
			work,
			contestant,
			runs: list,
			median: medianOf(list),
		}));
	} finally {
		await Promise.all([service, ...peers.values()].map(async (peer) => await peer.close()));
	}
}

/** n8n runs for months, so compiled code is what counts. */
async function warmUp(service: Peer, peer: Peer): Promise<void> {
	await service.ask(begin(0));
	const until = performance.now() + WARM_UP_MS;
	do await peer.ask(task({ order: 'run' }));
	while (performance.now() < until);
}

async function measureRun(work: Workload, service: Peer, peer: Peer): Promise<Figures> {
	await service.ask(begin(work.latencyMs, work.rateLimit));
	const effort = await peer.ask<Effort>(task({ order: 'run' }));
	const seen = await service.ask<Seen>(order({ order: 'report' }));
	return { ...effort, ...seen, lost: work.expected - effort.records };
}

function begin(latencyMs: number, rateLimit: RateLimit | null = null): ServiceOrder {
	return { order: 'begin', latencyMs, rateLimit };
}

function order(message: ServiceOrder): ServiceOrder {
	return message;
}

function task(message: ContestantOrder): ContestantOrder {
	return message;
}

function medianOf(runs: Figures[]): Figures {
	const of = (figure: keyof Figures) => median(runs.map((run) => run[figure]));
	return {
		wallMs: of('wallMs'),
		cpuMs: of('cpuMs'),
		// Later runs include what earlier ones left behind.
		peakBytes: runs[0]?.peakBytes ?? 0,
		records: of('records'),
		stateBytes: of('stateBytes'),
		polls: of('polls'),
		requests: of('requests'),
		mostAtOnce: of('mostAtOnce'),
		connections: of('connections'),
		refused: of('refused'),
		tooEarly: of('tooEarly'),
		lost: of('lost'),
	};
}

/** The middle value, or the lower of the middle two. */
export function median(values: number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}
