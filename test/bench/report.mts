import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import type { Claim } from './claims.mts';
import { limitOf } from './limits.mts';
import type { Result } from './measure.mts';
import type { PackageFigures } from './package-figures.mts';
import { MOST_AT_ONCE, type ContestantName, type Work } from './works.mts';

/** Names of the contestants in table and plot, in the order of the legend. */
export const NAMES: Record<ContestantName, string> = {
	node: 'This node',
	trigger: "This package's trigger",
	httpRequest: 'HTTP Request node',
	httpRequestBatched: `HTTP Request node, batches of ${MOST_AT_ONCE}`,
	undici: `undici, ${MOST_AT_ONCE} at once`,
	undiciGrowing: 'undici, growing as this node does',
	engine: 'n8n’s engine, without requests',
};

const COLUMNS = [
	'Work',
	'Latency',
	'Contestant',
	'Wall time',
	'Ratio',
	'Limit',
	'CPU time',
	'CPU per record',
	'Requests',
	'Most at once',
	'Connections',
	'Records lost',
	'Peak memory',
];
const LEFT_COLUMNS = 3;

/** Everything that a report holds. */
export interface ReportParts {
	results: Result[];
	claims: Claim[];
	figures: PackageFigures;
	runs: number;
}

/** The report as Markdown; the plot is a separate file. */
export function reportOf({ results, claims, figures, runs }: ReportParts): string {
	return [
		'# Benchmark',
		'',
		'Made by `npm run bench`; the next run replaces it.',
		'',
		...settingOf(runs),
		'',
		'![How many times faster this package is than HTTP Request](bench.svg)',
		'',
		...tableOf(
			COLUMNS,
			results.map((result) => rowOf(result, results)),
			LEFT_COLUMNS,
		),
		'',
		'“Ratio” is the wall time over that of this node. “Limit” is the least that the work takes through n8n, and why. Works over TLS run on a line where each round trip takes that long, three for each request: TCP, TLS, and the request itself. Writes run with On Error: Continue. Records lost are those that did not arrive: under the limit, requests that were refused and not sent again.',
		'',
		'## What is claimed',
		'',
		...tableOf(
			['Claim', 'Measured', 'Holds'],
			claims.map(({ claim, measured, holds }) => [claim, measured, holds ? 'yes' : '**no**']),
			1,
		),
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

function rowOf(result: Result, results: Result[]): string[] {
	const { work, contestant, median } = result;
	const limit = limitOf(result, results);
	const node = results.find(
		(other) => other.work === work && ['node', 'trigger'].includes(other.contestant),
	);
	const perRecord = median.records > 0 ? `${(median.cpuMs / median.records).toFixed(3)} ms` : '–';
	return [
		work.title,
		latencyOf(work),
		NAMES[contestant],
		`${(median.wallMs / 1000).toFixed(2)} s`,
		(median.wallMs / (node?.median.wallMs ?? Number.NaN)).toFixed(2),
		limit ? `${(limit.ms / 1000).toFixed(2)} s: ${limit.reason}` : '',
		`${(median.cpuMs / 1000).toFixed(2)} s`,
		perRecord,
		...[median.requests, median.mostAtOnce, median.connections, median.lost].map(String),
		`${Math.round(median.peakBytes / 1_000_000)} MB`,
	];
}

/** What answers wait for: the service, or the line to it. */
export function latencyOf({ latencyMs, roundTripMs }: Work): string {
	return roundTripMs === undefined ? `${latencyMs} ms` : `${roundTripMs} ms a round trip`;
}

/** A Markdown table; the columns after the first ones contain figures. */
export function tableOf(head: string[], rows: string[][], leftColumns: number): string[] {
	const rule = head.map((_, column) => (column < leftColumns ? '---' : '---:'));
	return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}
