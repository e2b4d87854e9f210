/** Compares this package's nodes with n8n's HTTP Request node, and checks what the package claims. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

import type { Figures, Task } from './contestant.mts';
import { installBench } from './install.mts';
import { MeasuredService } from './service.mts';
import { WORKLOADS, type Claim, type ContestantName, type Workload } from './workloads.mts';

const HELP = `npm run bench -- [--only <text>] [--runs 5]

Measures the workloads in test/bench/workloads.mts and writes docs/bench.md: about five minutes.
  --only <text>  only workloads whose title contains the text; writes nothing
  --runs <n>     runs of each contestant (5); the median counts`;
const REPORT = 'docs/bench.md';
/** n8n adds a listener to its one abort signal for each request, and Node.js warns about that. */
const QUIET = '--disable-warning=MaxListenersExceededWarning';

async function reply(child: ChildProcess): Promise<unknown> {
	const ended = once(child, 'exit').then(() => Promise.reject(new Error('A contestant has ended')));
	const [message] = await Promise.race([once(child, 'message'), ended]);
	return message;
}

/**
 * Runs each contestant of a workload in a process of its own, in turn, so that other load on the
 * machine affects all of them equally. The first run warms up: n8n runs for months.
 */
async function measure(work: Workload, runs: number): Promise<Map<ContestantName, Figures>> {
	const names = Object.keys(work.contestants) as ContestantName[];
	const all = new Map<ContestantName, Figures[]>(names.map((name) => [name, []]));
	const service = await MeasuredService.start(work);
	const children = new Map<ContestantName, ChildProcess>();
	try {
		for (const name of names) {
			const task: Task = { name, target: service.target, work: WORKLOADS.indexOf(work) };
			const script = path.resolve('test/bench/contestant.mts');
			const execArgv = [...process.execArgv, QUIET];
			const child = fork(script, [JSON.stringify(task)], { execArgv });
			children.set(name, child);
			await reply(child);
		}
		// A backlog is there only once.
		const count = work.contestants.trigger ? 1 : runs + 1;
		for (let run = 0; run < count; run += 1) {
			for (const [name, child] of children) {
				service.requests = 0;
				child.send('run');
				const figures = (await reply(child)) as Figures;
				if (run > 0 || count === 1) all.get(name)?.push({ ...figures, requests: service.requests });
			}
		}
	} finally {
		for (const child of children.values()) if (child.connected) child.disconnect();
		await service.close();
	}
	return new Map([...all].map(([name, list]) => [name, medianOf(list)]));
}

function medianOf(runs: Figures[]): Figures {
	const median = (key: keyof Figures) =>
		runs.map((run) => run[key]).toSorted((a, b) => a - b)[(runs.length - 1) >> 1] ?? Number.NaN;
	return {
		records: median('records'),
		requests: median('requests'),
		wallMs: median('wallMs'),
		cpuMs: median('cpuMs'),
		longestTurnMs: median('longestTurnMs'),
	};
}

function isKept({ measured, least = -Infinity, most = Infinity }: Claim): boolean {
	return measured >= least && measured <= most;
}

function boundOf({ least, most }: Claim): string {
	if (least === most) return String(most);
	return least === undefined ? `at most ${most}` : `at least ${least}`;
}

function shownOf({ measured }: Claim): string {
	return Number.isInteger(measured) ? String(measured) : measured.toFixed(2);
}

/** The row of a workload; its claims stand one below the other. */
function rowOf({ title, latencyMs }: Workload, own: Figures, claims: Claim[]): string {
	const claimed = claims.map((claim) => `${boundOf(claim)} ${claim.what}`);
	const holds = claims.map((claim) => (isKept(claim) ? 'yes' : '**no**'));
	const cells = [title, `${latencyMs} ms`, `${(own.wallMs / 1000).toFixed(2)} s`];
	const lists = [claimed, claims.map(shownOf), holds].map((lines) => lines.join('<br>'));
	return `| ${[...cells, ...lists].join(' | ')} |`;
}

function versionOf(folder: string): string {
	const text = readFileSync(path.resolve(folder, 'package.json'), 'utf8');
	return (JSON.parse(text) as { version: string }).version;
}

function reportOf(rows: string[], runs: number): string {
	const versions = ['n8n-core', 'n8n-workflow'].map(
		(name) => `${name} ${versionOf(`node_modules/${name}`)}`,
	);
	return `# Benchmark

Made by \`npm run bench\`: medians of ${runs} runs in n8n's engine (${versions.join(', ')}) on ${os.cpus().length} cores, ${os.type()}, Node.js ${process.version}, against the simulated service in another process. “Latency” is how long the service takes to answer. HTTP Request is n8n's own node, with pagination for lists; in batches of 64, it sends as many requests at once as this package does. Single reads and writes cost about as much in both, since most of the time goes into n8n and the connection that it opens for each request. A turn is how long nothing else can run in n8n.

| Workload | Latency | Wall time | Claim | Measured | Holds |
| --- | ---: | ---: | --- | ---: | ---: |
${rows.join('\n')}
`;
}

const { values } = parseArgs({
	options: {
		only: { type: 'string' },
		runs: { type: 'string', default: '5' },
		help: { type: 'boolean', default: false },
	},
});
if (values.help) {
	console.log(HELP);
} else {
	const { only } = values;
	const runs = Number(values.runs);
	await installBench();
	const rows: string[] = [];
	for (const work of WORKLOADS.filter(({ title }) => title.includes(only ?? ''))) {
		const figures = await measure(work, runs);
		const own = figures.get('node') ?? figures.get('trigger');
		if (own === undefined) throw new Error(`${work.title} has no contestant of this package`);
		if (own.records !== work.records)
			throw new Error(`${work.title}: ${own.records} records instead of ${work.records}`);
		const claims = work.claims.map((claim) => claim(own, figures));
		const row = rowOf(work, own, claims);
		rows.push(row);
		console.log(row);
	}
	if (only === undefined) writeFileSync(REPORT, reportOf(rows, runs));
}
