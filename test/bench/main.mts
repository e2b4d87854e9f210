/** Compares this package's nodes with n8n's HTTP Request node, and checks what the package claims. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { parseArgs } from 'node:util';

import { installN8n } from '../n8n/install.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import type { Figures, Task } from './contestant.mts';
import { WORKLOADS, type Workload } from './workloads.mts';

/** Of each contestant; the median counts. */
const RUNS = 5;
const ENGAGEMENTS = 1000;
const LATENCY = 50;
/** Age of the newest upload: all are in the past, so a running clock changes nothing. */
const NEWEST = 60_000;
/** n8n adds a listener to its one abort signal for each request, and Node.js warns about that. */
const QUIET = '--disable-warning=MaxListenersExceededWarning';

async function serviceFor(work: Workload): Promise<SimulatedService> {
	const { items = 0, uploads = 0, uploadEvery = 60_000, latencyMs = LATENCY, fault } = work;
	const service = await startService({ settings: { tokenLifetimeMs: 24 * 3_600_000, latencyMs } });
	const { model } = service;
	model.addConnector();
	for (let id = 1; id <= Math.max(items, ENGAGEMENTS); id += 1) model.addEngagement({ id });
	const newest = model.now - NEWEST;
	for (let left = uploads - 1; left >= 0; left -= 1) {
		const engagementId = 1 + (left % ENGAGEMENTS);
		model.addCompletedUpload({ engagementId, completedAt: newest - left * uploadEvery });
	}
	if (fault !== undefined) service.fail({ path: fault[0] }, fault[1], { times: Infinity });
	return service;
}

/** Sends a contestant a message, and returns its answer. @throws if it ends instead */
async function ask(child: ChildProcess, message: Task | 'run'): Promise<unknown> {
	child.send(message);
	const ended = once(child, 'exit').then(() => Promise.reject(new Error('A contestant has ended')));
	const [answer] = await Promise.race([once(child, 'message'), ended]);
	return answer;
}

/**
 * Runs each contestant of a workload in a process of its own, in turn, so that other load on the
 * machine affects all of them equally. The first run warms up: n8n runs for months.
 */
async function measure(work: Workload): Promise<Figures[]> {
	const service = await serviceFor(work);
	const { url, clientId, subscriptionKey, accessToken } = service;
	const target = { url, clientId, subscriptionKey, accessToken };
	const { items = 0, records } = work;
	const contestants: Array<{ child: ChildProcess; measured: Figures[] }> = [];
	try {
		for (const node of ['own', 'httpRequest'] as const) {
			const parameters = work[node];
			if (parameters === undefined) continue;
			const child = fork('test/bench/contestant.mts', {
				execArgv: [...process.execArgv, QUIET],
			});
			contestants.push({ child, measured: [] });
			await ask(child, { node, parameters, items, records, target });
		}
		// The trigger finds a backlog only once.
		const count = 'startFrom' in work.own ? 1 : 1 + RUNS;
		for (let run = 0; run < count; run += 1) {
			for (const { child, measured } of contestants) {
				service.clearRequests();
				const figures = (await ask(child, 'run')) as Figures;
				measured.push({ ...figures, requests: service.requests.length });
			}
		}
	} finally {
		for (const { child } of contestants) child.kill();
		await service.close();
	}
	return contestants.map(({ measured }) => medianOf(measured.slice(-RUNS)));
}

function medianOf(runs: Figures[]): Figures {
	const median = (key: keyof Figures) =>
		runs.map((run) => run[key]).toSorted((a, b) => a - b)[(runs.length - 1) >> 1] ?? Number.NaN;
	return {
		requests: median('requests'),
		wallMs: median('wallMs'),
		longestTurnMs: median('longestTurnMs'),
	};
}

/** The row of a workload; its claims stand one below the other. */
async function rowOf(work: Workload): Promise<string> {
	const [own, httpRequest = own] = await measure(work);
	if (own === undefined || httpRequest === undefined) throw new Error('Nothing was measured');
	const claims = work.claims.map(({ text, measure, holds }) => {
		const measured = measure(own, httpRequest);
		const shown = Number.isInteger(measured) ? String(measured) : measured.toFixed(2);
		return { text, shown, holds: holds(measured) ? 'yes' : '**no**' };
	});
	const linesOf = (key: 'text' | 'shown' | 'holds') => claims.map((each) => each[key]).join('<br>');
	const cells = [
		work.title,
		`${work.latencyMs ?? LATENCY} ms`,
		`${(own.wallMs / 1000).toFixed(2)} s`,
	];
	return `| ${[...cells, linesOf('text'), linesOf('shown'), linesOf('holds')].join(' | ')} |`;
}

function versionOf(name: string): string {
	const text = readFileSync(`node_modules/${name}/package.json`, 'utf8');
	return `${name} ${(JSON.parse(text) as { version: string }).version}`;
}

function reportOf(rows: string[]): string {
	return `# Benchmark

Made by \`npm run bench\`: medians of ${RUNS} runs in n8n's engine (${versionOf('n8n-core')}, ${versionOf('n8n-workflow')}) on ${os.cpus().length} cores, ${os.type()}, Node.js ${process.version}, against the simulated service in another process. “Latency” is how long the service takes to answer. HTTP Request is n8n's own node, with pagination for lists; in batches of 64, it sends as many requests at once as this package does. Single reads and writes cost about as much in both, since most of the time goes into n8n and the connection that it opens for each request. A turn is how long nothing else can run in n8n.

| Workload | Latency | Wall time | Claim | Measured | Holds |
| --- | ---: | ---: | --- | ---: | ---: |
${rows.join('\n')}
`;
}

const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;
await installN8n(console.log);
const rows: string[] = [];
for (const work of WORKLOADS.filter(({ title }) => title.includes(only ?? ''))) {
	rows.push(await rowOf(work));
	console.log(rows.at(-1));
}
if (only === undefined) writeFileSync('docs/bench.md', reportOf(rows));
