import { readdirSync, readFileSync } from 'node:fs';

/** What a program and its child processes have used. */
export interface Usage {
	/** CPU time. */
	cpuMs: number;
	/** The most memory at once, with a share of what processes have in common. */
	peakBytes: number;
}

const TICK_MS = 10;
const BETWEEN_SAMPLES_MS = 500;

/** Measures programs, by name and process ID, until it is stopped; on Linux only. */
export class Meter {
	private readonly before: ReadonlyMap<string, number>;
	private readonly peaks = new Map<string, number>();
	private readonly timer: NodeJS.Timeout;

	constructor(private readonly programs: ReadonlyMap<string, number>) {
		this.before = this.cpu();
		this.timer = setInterval(() => this.sample(), BETWEEN_SAMPLES_MS);
	}

	stop(): Map<string, Usage> {
		clearInterval(this.timer);
		this.sample();
		const usages = [...this.cpu()].map(([name, cpuMs]): [string, Usage] => [
			name,
			{ cpuMs: cpuMs - (this.before.get(name) ?? 0), peakBytes: this.peaks.get(name) ?? 0 },
		]);
		return new Map(usages);
	}

	private cpu(): Map<string, number> {
		return new Map([...this.programs].map(([name, pid]) => [name, sum(treeOf(pid), cpuMsOf)]));
	}

	private sample(): void {
		for (const [name, pid] of this.programs) {
			const now = sum(treeOf(pid), memoryOf);
			this.peaks.set(name, Math.max(this.peaks.get(name) ?? 0, now));
		}
	}
}

/** A process and those that it has started, and so on. */
function treeOf(pid: number): number[] {
	const threads = attempt(() => readdirSync(`/proc/${pid}/task`)) ?? [];
	const children = threads.flatMap((thread) => {
		const text = attempt(() => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')) ?? '';
		return text.split(' ').filter(Boolean).map(Number);
	});
	return [pid, ...children.flatMap(treeOf)];
}

/** CPU time of a process, and of its children that have ended. */
function cpuMsOf(pid: number): number {
	const text = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? '';
	// The fields after the name, which may contain spaces.
	const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
	return sum(fields.slice(11, 15).map(Number), (ticks) => ticks * TICK_MS);
}

function memoryOf(pid: number): number {
	const text = attempt(() => readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? '';
	return Number(/^Pss: *(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1024;
}

/** Undefined if the process has ended meanwhile. */
function attempt<T>(read: () => T): T | undefined {
	try {
		return read();
	} catch {
		return undefined;
	}
}

function sum<T>(list: readonly T[], value: (each: T) => number): number {
	return list.reduce((total, each) => total + value(each), 0);
}
