import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import type { Claim } from './claims.mts';
import type { Result } from './measure.mts';
import type { PackageFigures } from './package-figures.mts';
import { MOST_AT_ONCE, type ContestantName } from './works.mts';

/** What contestants are called in table and plot, in the order of the legend. */
export const NAMES: Record<ContestantName, string> = {
	node: 'This node',
	httpRequest: 'HTTP Request node',
	undici: `undici, ${MOST_AT_ONCE} at once`,
	undiciGrowing: 'undici, growing as this node does',
	trigger: "This package's trigger",
};

const COLUMNS = [
	'Work',
	'Latency',
	'Contestant',
	'Wall time',
	'Ratio',
	'CPU time',
	'CPU per record',
	'Requests',
	'Most at once',
	'Connections',
	'Records lost',
	'Peak memory',
];
const LEFT_COLUMNS = 3;

/** Found by profiling; they go with the claims that are nearest to their bounds. */
const REASONS = [
	'Where one does not hold:',
	'',
	'- undici with 64 at once from the start saves the round trips in which this node grows from 8.',
	'- A request for each engagement, 64 at once, takes 50 ms × engagements ÷ 64 at the least; HTTP Request has hundreds or thousands at once.',
	'- Last uploads: the 10 requests take two round trips. The rest is n8n, which evaluates the expressions of 1,000 items.',
	"- CPU: nearly all is n8n's HTTP client. Of what differs, most is the system call that connects, as profiles show.",
	'- Memory: up to 64 pages are under way at once. With Parallel Requests 8 it is below that of HTTP Request.',
	'- Create: writes go one after the other, and wait for the answer each.',
];

/** Everything that a report holds. */
export interface ReportParts {
	results: Result[];
	claims: Claim[];
	figures: PackageFigures;
	runs: number;
}

/** The report as Markdown; the plot stands beside it. */
export function reportOf({ results, claims, figures, runs }: ReportParts): string {
	return [
		'# Benchmark',
		'',
		'Made by `npm run bench`; the next run replaces it.',
		'',
		...settingOf(runs),
		'',
		'![Wall times](bench.svg)',
		'',
		...tableOf(
			COLUMNS,
			results.map((result) => rowOf(result, results)),
			LEFT_COLUMNS,
		),
		'',
		'“Ratio” is the wall time over that of this node. Records lost are those that did not arrive: under the limit, requests that were refused and not sent again.',
		'',
		'## What is claimed',
		'',
		...tableOf(
			['Claim', 'Measured', 'Holds'],
			claims.map(({ claim, measured, holds }) => [claim, measured, holds ? 'yes' : '**no**']),
			1,
		),
		'',
		...REASONS,
		'',
		'## The package itself',
		'',
		`Both nodes and the credential load in ${figures.loadMs.toFixed(0)} ms (median, in a process that has n8n-workflow loaded). \`dist\` holds ${figures.distFiles} files, ${(figures.distBytes / 1000).toFixed(0)} kB.`,
		'',
	].join('\n');
}

/** Machine, versions, and what was run, a line each. */
export function settingOf(runs: number): string[] {
	const [cpu] = os.cpus();
	const cores = os.cpus().length;
	const model = cpu === undefined || /^unknown$/i.test(cpu.model) ? os.arch() : cpu.model;
	const memory = `${Math.round(os.totalmem() / 2 ** 30)} GB`;
	const names = ['n8n-core', 'n8n-workflow', 'undici'];
	const versions = names.map((name) => `${name} ${versionOf(`node_modules/${name}`)}`);
	const nodesBase = versionOf('test/bench/.installed/node_modules/n8n-nodes-base');
	return [
		`Machine: ${cores} cores (${model}), ${memory}, ${os.type()}, Node.js ${process.version}.`,
		`Versions: ${versions.join(', ')}, n8n-nodes-base ${nodesBase}.`,
		`${runs === 1 ? 'One run of each work' : `Medians of ${runs} runs, peak memory of the first`}. Nodes run through n8n's engine, each contestant in a process of its own, against the simulated service in another process. n8n opens a new connection for every request, so undici does too. The HTTP Request node hands lists on page by page, as one item each.`,
	];
}

function versionOf(folder: string): string {
	const text = readFileSync(path.resolve(folder, 'package.json'), 'utf8');
	return (JSON.parse(text) as { version: string }).version;
}

function rowOf({ work, contestant, median }: Result, results: Result[]): string[] {
	const node = results.find(
		(other) => other.work === work && ['node', 'trigger'].includes(other.contestant),
	);
	const perRecord = median.records > 0 ? `${(median.cpuMs / median.records).toFixed(3)} ms` : '–';
	return [
		work.title,
		`${work.latencyMs} ms`,
		NAMES[contestant],
		`${(median.wallMs / 1000).toFixed(2)} s`,
		(median.wallMs / (node?.median.wallMs ?? Number.NaN)).toFixed(2),
		`${(median.cpuMs / 1000).toFixed(2)} s`,
		perRecord,
		...[median.requests, median.mostAtOnce, median.connections, median.lost].map(String),
		`${Math.round(median.peakBytes / 1_000_000)} MB`,
	];
}

/** A table in Markdown; the columns behind the first ones hold figures. */
export function tableOf(head: string[], rows: string[][], leftColumns: number): string[] {
	const rule = head.map((_, column) => (column < leftColumns ? '---' : '---:'));
	return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}
