/** The benchmark's tables, and docs/bench.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';

import { table } from '../support/markdown.mts';
import type { Comparison } from './comparisons.mts';
import { percent } from './quiet.mts';

/** Of each contender; the fastest counts. */
export const RUNS = 5;
export const LATENCY_MS = 50;
const PAGE = 'docs/bench.md';

/** A comparison and its times, in milliseconds. */
export interface Compared {
	comparison: Comparison;
	ours: number;
	theirs: number;
	/** Without n8n, if that was tried. */
	least: number | undefined;
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

const isWithin = ({ comparison: { atMost = 1.15 }, ours, theirs }: Compared) =>
	ours / theirs <= atMost;

function toRow(compared: Compared): string[] {
	const { comparison, ours, theirs } = compared;
	const { title, against = 'HTTP Request', atMost = 1.15 } = comparison;
	const limit = `${atMost}${isWithin(compared) ? '' : ' **exceeded**'}`;
	return [title, seconds(ours), against, seconds(theirs), (ours / theirs).toFixed(2), limit];
}

/** How far a comparison is from what the computer can do. */
function toLimitRow({ comparison, ours, theirs, least = NaN }: Compared): string[] {
	const times = (ms: number) => `${(ms / least).toFixed(1)} times as long`;
	return [comparison.title, seconds(least), times(ours), times(theirs)];
}

const HEAD = ['Work', 'This package', 'Compared with', 'Its time', 'Ratio', 'At most'];
const LIMIT_HEAD = ['Work', 'undici alone', 'This package', 'HTTP Request'];

const toTable = (compared: Compared[]) => table(HEAD, compared.map(toRow)).join('\n');
const toLimits = (compared: Compared[]) =>
	table(LIMIT_HEAD, compared.filter(({ least }) => least !== undefined).map(toLimitRow)).join('\n');

/** What is printed. */
export function toTables(compared: Compared[]): string {
	return `${toTable(compared)}\n\n${toLimits(compared)}\n`;
}

/** @param others the share of the computer that other programs used */
export function toPage(compared: Compared[], others: number): string {
	const { version } = JSON.parse(readFileSync('node_modules/n8n-core/package.json', 'utf8'));
	return `# Benchmark

\`npm run bench -- --write\` writes this page. Each time is the fastest of ${RUNS} runs in n8n's engine (n8n-core ${version}) with Node.js ${process.version}, on ${os.cpus().length} cores, of which other programs used ${percent(others)}. Those that are compared run in turn, so the ratio says more than the times.

The simulated service, in another process, takes ${LATENCY_MS} ms to answer. n8n's HTTP Request node reads the list with its pagination, and sends the rest in batches of 64.

${toTable(compared)}

Single reads and writes take about as long as with HTTP Request: most of the time goes into n8n, which opens a connection for each request.

## The limit of the computer

The same requests by undici's \`Pool\` alone, without n8n, through 64 connections that stay open:

${toLimits(compared)}
`;
}

/** Writes the page. @throws if a row is not within its limit */
export function writePage(compared: Compared[], page: string): void {
	const exceeded = compared.filter((each) => !isWithin(each));
	if (exceeded.length > 0)
		throw new Error(
			`${PAGE} is not written, since these exceed their limit: ${exceeded.map(({ comparison }) => comparison.title).join(', ')}`,
		);
	writeFileSync(PAGE, page);
}
