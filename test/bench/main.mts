/**
 * `npm run bench`: compares this package's nodes with others, in turn and in the same process, and prints
 * what belongs into docs/bench.md, or writes it with `DOCS=write`. Fails if a row exceeds its limit.
 */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import type { IDataObject } from 'n8n-workflow';

import { installN8n } from '../n8n/process/install.mts';
import { checkSection, table } from '../support/markdown.mts';
import type { CredentialTarget } from '../support/world/credentials.mts';
import { COMPARISONS, ENGAGEMENTS, type Comparison } from './comparisons.mts';
import type { Contender } from './nodes.mts';

/** Of each contender, in turn. */
const RUNS = 8;
const LATENCY_MS = 50;
const HEAD = ['Work', 'This package', 'Compared with', 'Its time', 'Ratio', 'At most'];

/** In milliseconds. */
const meters = {
	time: () => performance.now(),
	processor: () => {
		const { user, system } = process.cpuUsage();
		return (user + system) / 1000;
	},
};

/** What a run takes, in milliseconds. @throws if it returns another number of records */
async function measure(
	by: keyof typeof meters,
	run: ReturnType<Contender>,
	items: IDataObject[],
	records: number,
): Promise<number> {
	const start = meters[by]();
	const output = await run(items);
	const taken = meters[by]() - start;
	// Some return a page as one item, with its records in `content`.
	const count = ({ content, error }: IDataObject) =>
		Array.isArray(content) ? content.length : Number(error === undefined);
	const counted = output.reduce((sum, json) => sum + count(json), 0);
	if (counted !== records) throw new Error(`${counted} records instead of ${records}`);
	return taken;
}

const toItems = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ id: 1 + (index % ENGAGEMENTS) }));

/** The least that each takes, and the median of the ratios of runs next to each other, which drifts do not change. */
async function compare(comparison: Comparison) {
	const { uploads = 0, items = 1, own, peer, by = 'time' } = comparison;
	// One for each item, or the whole list.
	const records = Math.max(items, uploads);
	const child = fork('test/bench/service.mts', [LATENCY_MS, ENGAGEMENTS, uploads].map(String));
	const [service] = (await once(child, 'message')) as [CredentialTarget];
	const [ours, theirs]: [number[], number[]] = [[], []];
	for (let run = 0; run <= RUNS; run += 1) {
		ours.push(await measure(by, own(service), toItems(items), records));
		theirs.push(await measure(by, peer(service), toItems(items), records));
	}
	child.kill();
	// The first run warms up, since n8n runs for months.
	const [best, bestOfPeer] = [ours, theirs].map((times) => Math.min(...times.slice(1)));
	const ratios = ours.map((time, run) => time / (theirs[run] ?? NaN)).slice(1);
	const ratio = ratios.sort((one, other) => one - other)[RUNS / 2] ?? NaN;
	return { best, bestOfPeer, ratio };
}

const seconds = (ms = NaN) => `${(ms / 1000).toFixed(2)} s`;

async function runAll(): Promise<void> {
	// n8n adds a listener to its one abort signal for each request, and Node.js warns about that.
	process.removeAllListeners('warning');
	const { version } = JSON.parse(readFileSync('node_modules/n8n-core/package.json', 'utf8'));
	const [load = 0] = os.loadavg();
	const place = `n8n-core ${version} and Node.js ${process.version}, on ${os.cpus().length} cores`;
	const lines = [`With ${place} with a load of ${load.toFixed(1)} before:`, ''];
	const rows: string[][] = [];
	for (const comparison of COMPARISONS) {
		const { title, against = 'HTTP Request', atMost } = comparison;
		const { best, bestOfPeer, ratio } = await compare(comparison);
		if (ratio > atMost) process.exitCode = 1;
		const limit = ratio > atMost ? `${atMost} **exceeded**` : String(atMost);
		rows.push([title, seconds(best), against, seconds(bestOfPeer), ratio.toFixed(2), limit]);
		console.log(`${rows.length} of ${COMPARISONS.length}: ${title}, ${ratio.toFixed(2)}`);
	}
	lines.push(...table(HEAD, rows));
	console.log(`\n${lines.join('\n')}`);
	if (process.env.DOCS === 'write') checkSection('docs/bench.md', 'bench', lines);
}

const { node } = await installN8n(console.log);
if (node === process.execPath) await runAll();
else {
	// The Node.js that this n8n runs on.
	const args = [...process.execArgv, ...process.argv.slice(1)];
	const [code] = (await once(spawn(node, args, { stdio: 'inherit' }), 'exit')) as [number | null];
	process.exitCode = code ?? 1;
}
