import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import type { Effort, Task } from './contestant.mts';
import { MeasuredService, type Seen } from './service.mts';
import type { ContestantName, Workload } from './workloads.mts';

/** One run, as seen by both sides. */
export interface Figures extends Effort, Seen {
	lost: number;
}

/** A workload, and the median of each figure for each contestant. */
export interface Result {
	work: Workload;
	figures: Map<ContestantName, Figures>;
}

const WARM_UP_MS = 2000;
/** Warming up with more than these takes too long. */
const MOST_RECORDS = 50_000;
/** n8n adds a listener to its one abort signal for each request, and Node.js warns about that. */
const QUIET = '--disable-warning=MaxListenersExceededWarning';

/**
 * Runs a workload with every contestant, each in its own process, so that memory and compiled code
 * are not shared. Contestants take turns, so that other load on the machine affects all of them
 * equally.
 */
export async function measureWorkload(work: Workload, runs: number): Promise<Result> {
	const service = await MeasuredService.start(work);
	const contestants: Contestant[] = [];
	try {
		await service.begin({ latencyMs: 0, rateLimit: null });
		for (const name of work.contestants)
			contestants.push(await Contestant.start({ name, target: service.target, work }));
		if (work.kind !== 'backlog' && work.count <= MOST_RECORDS)
			for (const contestant of contestants) await contestant.warmUp();
		const measured = new Map<ContestantName, Figures[]>(contestants.map(({ name }) => [name, []]));
		for (let run = 0; run < runs; run += 1) {
			for (const contestant of contestants) {
				await service.begin(work);
				const effort = await contestant.run();
				const lost = work.count - effort.records;
				measured.get(contestant.name)?.push({ ...effort, ...service.seen, lost });
			}
		}
		const medians = [...measured].map(([name, list]) => [name, medianOf(list)] as const);
		return { work, figures: new Map(medians) };
	} finally {
		for (const contestant of contestants) contestant.close();
		await service.close();
	}
}

/** A process with a contestant. */
class Contestant {
	private readonly ended: Promise<never>;

	private constructor(
		readonly name: ContestantName,
		private readonly child: ChildProcess,
	) {
		this.ended = once(child, 'exit').then(() => {
			throw new Error(`The process of ${name} has ended`);
		});
		this.ended.catch(() => undefined);
	}

	static async start(task: Task): Promise<Contestant> {
		const script = path.resolve('test/bench/contestant.mts');
		// It runs as this process does, through tsx.
		const execArgv = [...process.execArgv, QUIET];
		const contestant = new Contestant(
			task.name,
			fork(script, [JSON.stringify(task)], { execArgv }),
		);
		await contestant.reply();
		return contestant;
	}

	async run(): Promise<Effort> {
		this.child.send('run');
		return (await this.reply()) as Effort;
	}

	/** n8n runs for months, so compiled code is what counts. */
	async warmUp(): Promise<void> {
		const until = performance.now() + WARM_UP_MS;
		do await this.run();
		while (performance.now() < until);
	}

	close(): void {
		if (this.child.connected) this.child.disconnect();
	}

	private async reply(): Promise<unknown> {
		const [message] = await Promise.race([once(this.child, 'message'), this.ended]);
		return message;
	}
}

function medianOf(runs: Figures[]): Figures {
	const [first] = runs;
	if (first === undefined) throw new Error('There was no run');
	const names = Object.keys(first) as Array<keyof Figures>;
	const medians = names.map((name) => [name, median(runs.map((run) => run[name]))]);
	// Later runs include what earlier ones left behind.
	return { ...first, ...Object.fromEntries(medians), peakBytes: first.peakBytes };
}

/** The middle value, or the lower of the middle two. */
function median(values: number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}
