/**
 * Compares this package's nodes with others, in turn and in the same process, and prints the result. With
 * `--write`, waits for a quiet computer, and writes docs/bench.md if every row is within its limit.
 */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { IDataObject } from 'n8n-workflow';

import { installN8n } from '../n8n/process/install.mts';
import { readCommandLine } from '../support/commandLine.mts';
import type { CredentialTarget } from '../support/world/credentials.mts';
import { COMPARISONS, ENGAGEMENTS, type Comparison } from './comparisons.mts';
import type { Contender } from './nodes.mts';
import { LATENCY_MS, RUNS, toPage, toTables, writePage, type Compared } from './page.mts';
import { othersShare, percent, untilQuiet } from './quiet.mts';

const HELP = `Compares this package's nodes with others, and prints how long they take.

  --write   also write docs/bench.md, once other programs leave this computer alone`;

/** How long a run takes, in milliseconds. @throws if it returns another number of records */
async function time(
	run: ReturnType<Contender>,
	items: IDataObject[],
	records: number,
): Promise<number> {
	const startedAt = performance.now();
	const output = await run(items);
	const duration = performance.now() - startedAt;
	// Some return a page as one item, with its records in `content`.
	const count = ({ content, error }: IDataObject) =>
		Array.isArray(content) ? content.length : Number(error === undefined);
	const counted = output.reduce((sum, json) => sum + count(json), 0);
	if (counted !== records) throw new Error(`${counted} records instead of ${records}`);
	return duration;
}

const toItems = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ id: 1 + (index % ENGAGEMENTS) }));

async function compare(comparison: Comparison): Promise<Compared> {
	const { uploads = 0, items = 1, own, peer, limit } = comparison;
	// One for each item, or the whole list.
	const records = Math.max(items, uploads);
	const child = fork('test/bench/service.mts', [LATENCY_MS, ENGAGEMENTS, uploads].map(String));
	const [service] = (await once(child, 'message')) as [CredentialTarget];
	const contenders: Array<[Contender, number]> = [
		[own, items],
		[peer, items],
		...(limit ? [[limit.contender, limit.items ?? items] satisfies [Contender, number]] : []),
	];
	const times: number[][] = contenders.map(() => []);
	for (let run = 0; run <= RUNS; run += 1) {
		for (const [index, [contender, count]] of contenders.entries())
			times[index]?.push(await time(contender(service), toItems(count), records));
	}
	child.kill();
	// The first run warms up, since n8n runs for months.
	const [ours = NaN, theirs = NaN, least] = times.map((each) => Math.min(...each.slice(1)));
	return { comparison, ours, theirs, least };
}

async function runAll(isWritten: boolean): Promise<void> {
	// n8n adds a listener to its one abort signal for each request, and Node.js warns about that.
	process.removeAllListeners('warning');
	const others = await (isWritten ? untilQuiet() : othersShare());
	const busy = `on a computer of which other programs used ${percent(others)}`;
	console.log(`With Node.js ${process.version}, ${busy}`);
	const compared: Compared[] = [];
	for (const comparison of COMPARISONS) {
		if (isWritten && compared.length > 0) await untilQuiet();
		compared.push(await compare(comparison));
		console.log(`${compared.length} of ${COMPARISONS.length}: ${comparison.title}`);
	}
	console.log(`\n${toTables(compared)}`);
	if (isWritten) writePage(compared, toPage(compared, others));
}

const { write = false } = readCommandLine(HELP, { write: { type: 'boolean' } });
const { node } = await installN8n(console.log);
if (node === process.execPath) await runAll(write);
else {
	// The Node.js that this n8n runs on.
	const args = [...process.execArgv, ...process.argv.slice(1)];
	const [code] = (await once(spawn(node, args, { stdio: 'inherit' }), 'exit')) as [number | null];
	process.exitCode = code ?? 1;
}
