import { figuresOf, limitOf } from './limits.mts';
import type { Figures, Result } from './measure.mts';
import { latencyOf, seconds, settingOf, tableOf } from './report.mts';
import { MAX_PARALLEL } from './workload.mts';

const BEGIN = '<!-- bench:start -->';
const END = '<!-- bench:end -->';
const COLUMNS = [
	'Workload and latency',
	'This package',
	'HTTP Request',
	`In batches of ${MAX_PARALLEL}`,
	'Limit',
	'Requests',
	'Max. parallel',
	'Records lost',
];

/** The README with a new table of figures. @throws if it has no place for one */
export function withSpeed(readme: string, results: Result[], runs: number): string {
	const begin = readme.indexOf(BEGIN);
	const end = readme.indexOf(END);
	if (begin < 0 || end < begin)
		throw new Error('README.md has no bench:start and bench:end markers');
	const [machine, versions] = settingOf(runs);
	const text = [
		'',
		'',
		...speedTable(results),
		'',
		...writing(results),
		'',
		`${machine} ${versions}`,
		'',
	].join('\n');
	return readme.slice(0, begin + BEGIN.length) + text + readme.slice(end);
}

function speedTable(results: Result[]): string[] {
	const own = results.filter(
		({ work, contestant }) => work.highlight === true && ['node', 'trigger'].includes(contestant),
	);
	return tableOf(
		COLUMNS,
		own.map((result) => rowOf(result, results)),
		1,
	);
}

function rowOf(result: Result, results: Result[]): string[] {
	const { work, median: own } = result;
	const other = figuresOf(results, work.id, 'httpRequest');
	const both = (show: (figures: Figures) => number) =>
		[own, ...(other ? [other] : [])]
			.map((figures) => show(figures).toLocaleString('en-GB'))
			.join(' / ');
	return [
		work.latencyMs > 0 ? `${work.title}, ${latencyOf(work)}` : work.title,
		seconds(own.wallMs),
		seconds(other?.wallMs),
		seconds(figuresOf(results, work.id, 'httpRequestBatched')?.wallMs),
		seconds(limitOf(result, results)?.ms),
		both(({ requests }) => requests),
		both(({ mostAtOnce }) => mostAtOnce),
		both(({ lost }) => lost),
	];
}

/** How much time parallel writes save. */
function writing(results: Result[]): string[] {
	return results.flatMap(({ work, contestant, median: sequential }) => {
		const own = figuresOf(results, work.id, 'node');
		if (contestant !== 'nodeSequential' || own === undefined) return [];
		return `${work.title} at ${latencyOf(work)}: ${seconds(own.wallMs)} with *On Error: Continue*, ${seconds(sequential.wallMs)} with *Stop*, which writes sequentially.`;
	});
}
