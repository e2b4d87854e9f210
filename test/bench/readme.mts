import { limitOf, type Limit } from './limits.mts';
import type { Figures, Result } from './measure.mts';
import { latencyOf, settingOf, tableOf } from './report.mts';

const BEGIN = '<!-- What follows is made by npm run bench -->';
const END = '<!-- What stands before was made by npm run bench -->';
const COLUMNS = [
	'Work, latency of the service',
	'This package',
	'HTTP Request',
	'Ratio',
	'Limit',
	'Requests',
	'Most at once',
	'Records lost',
];

/** The README with its table of figures made anew. @throws where it has no place for one */
export function withSpeed(readme: string, results: Result[], runs: number): string {
	const begin = readme.indexOf(BEGIN);
	const end = readme.indexOf(END);
	if (begin < 0 || end < begin) throw new Error('The README has no place for the figures');
	const [machine, versions] = settingOf(runs);
	const text = ['', '', ...speedTable(results), '', `${machine} ${versions}`, ''].join('\n');
	return readme.slice(0, begin + BEGIN.length) + text + readme.slice(end);
}

/** What a service without latency is asked tells of the machine alone: that is for the report. */
function speedTable(results: Result[]): string[] {
	const own = results.filter(
		({ work, contestant }) =>
			contestant === 'trigger' ||
			(contestant === 'node' &&
				(work.latencyMs > 0 || work.roundTripMs !== undefined || work.rateLimit !== undefined)),
	);
	const rows = own.map((result) => {
		const { work } = result;
		const other = results.find(
			(other) => other.work === work && other.contestant === 'httpRequest',
		);
		return rowOf(result, limitOf(result, results), other?.median);
	});
	return tableOf(COLUMNS, rows, 1);
}

function rowOf({ work, median: own }: Result, limit?: Limit, other?: Figures): string[] {
	const { title, latencyMs, roundTripMs = 0 } = work;
	const both = (show: (figures: Figures) => number) =>
		[own, ...(other ? [other] : [])]
			.map((figures) => show(figures).toLocaleString('en-GB'))
			.join(' / ');
	return [
		latencyMs + roundTripMs > 0 ? `${title}, ${latencyOf(work)}` : title,
		seconds(own.wallMs),
		other ? seconds(other.wallMs) : '',
		other ? ratio(other.wallMs / own.wallMs) : '',
		limit ? seconds(limit.ms) : '',
		both(({ requests }) => requests),
		both(({ mostAtOnce }) => mostAtOnce),
		both(({ lost }) => lost),
	];
}

const ratio = (value: number) => value.toFixed(value < 1 ? 2 : 1);
const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`;
