/** Compares this package's nodes with others, in turn and in the same process, and writes docs/bench.md. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import type { IDataObject } from 'n8n-workflow';

import { installN8n } from '../n8n/process/install.mts';
import type { CredentialTarget } from '../support/world/credentials.mts';
import { runNode, type NodeRun } from '../support/engine/nodeRun.mts';
import { table } from '../support/markdown.mts';
import { COMPARISONS, ENGAGEMENTS, type Comparison } from './comparisons.mts';

/** Of each contender; the fastest counts. The run before them warms up, since n8n runs for months. */
const RUNS = 5;
const LATENCY_MS = 50;

/** How long a run takes, in milliseconds. @throws if it returns another number of records */
async function time(setup: NodeRun, records: number): Promise<number> {
	const startedAt = performance.now();
	// With Continue, writes run in parallel.
	const { items, error } = await runNode({ ...setup, onError: 'continueRegularOutput' });
	const duration = performance.now() - startedAt;
	if (error !== undefined) throw error;
	// HTTP Request returns a page as one item, with its records in `content`.
	const count = ({ content, error: failure }: IDataObject) =>
		Array.isArray(content) ? content.length : Number(failure === undefined);
	const counted = items.reduce((sum, { json }) => sum + count(json), 0);
	if (counted !== records) throw new Error(`${counted} records instead of ${records}`);
	return duration;
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

/** A row of the table. */
async function compare(comparison: Comparison): Promise<string[]> {
	const { title, uploads = 0, items: count = 1, own, peer } = comparison;
	const { against = 'HTTP Request', atMost = 1.15 } = comparison;
	const items = Array.from({ length: count }, (_, index) => ({ id: 1 + (index % ENGAGEMENTS) }));
	// One for each item, or the whole list.
	const records = Math.max(count, uploads);
	const [ours, theirs]: [number[], number[]] = [[], []];
	const child = fork('test/bench/service.mts', [LATENCY_MS, ENGAGEMENTS, uploads].map(String));
	const [service] = (await once(child, 'message')) as [CredentialTarget];
	for (let run = 0; run <= RUNS; run += 1) {
		ours.push(await time({ ...own(service), items }, records));
		theirs.push(await time({ ...peer(service), items }, records));
	}
	child.kill();
	const [ourTime, theirTime] = [Math.min(...ours.slice(1)), Math.min(...theirs.slice(1))];
	const ratio = ourTime / theirTime;
	const limit = `${atMost}${ratio <= atMost ? '' : ' **exceeded**'}`;
	return [title, seconds(ourTime), against, seconds(theirTime), ratio.toFixed(2), limit];
}

// n8n adds a listener to its one abort signal for each request, and Node.js warns about that.
process.removeAllListeners('warning');
await installN8n(console.log);
const load = os.loadavg().map((average) => average.toFixed(1));
console.log(`The load of this computer before: ${load.join(', ')}`);
const rows: string[][] = [];
for (const comparison of COMPARISONS) {
	rows.push(await compare(comparison));
	console.log(rows.at(-1)?.join(' | '));
}
const { version } = JSON.parse(readFileSync('node_modules/n8n-core/package.json', 'utf8'));
const head = ['Work', 'This package', 'Compared with', 'Its time', 'Ratio', 'At most'];
writeFileSync(
	'docs/bench.md',
	`# Benchmark

\`npm run bench\` writes this page. Each time is the fastest of ${RUNS} runs in n8n's engine (n8n-core ${version}) with Node.js ${process.version}, on ${os.cpus().length} cores that had a load of ${load[0]} before. The two that are compared run in turn, so the ratio says more than the times.

The simulated service, in another process, takes ${LATENCY_MS} ms to answer. n8n's HTTP Request node reads the list with its pagination, and sends the rest in batches of 64.

${table(head, rows).join('\n')}

Single reads and writes take about as long as with HTTP Request: most of the time goes into n8n, which opens a connection for each request.
`,
);
