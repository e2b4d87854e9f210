import type { Figures, Result } from './measure.mts';
import { settingOf, tableOf } from './report.mts';

const BEGIN = '<!-- What follows is made by npm run bench -->';
const END = '<!-- What stands before was made by npm run bench -->';
const COLUMNS = [
	'Work, latency of the service',
	'This package',
	'HTTP Request',
	'Ratio',
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
			(contestant === 'node' && (work.latencyMs > 0 || work.rateLimit !== undefined)),
	);
	const rows = own.map(({ work, median }) => {
		const other = results.find(
			(result) => result.work === work && result.contestant === 'httpRequest',
		);
		return rowOf(work.title, work.latencyMs, median, other?.median);
	});
	return tableOf(COLUMNS, rows, 1);
}

function rowOf(title: string, latencyMs: number, own: Figures, other?: Figures): string[] {
	const both = (show: (figures: Figures) => number) =>
		[own, ...(other ? [other] : [])]
			.map((figures) => show(figures).toLocaleString('en-GB'))
			.join(' / ');
	return [
		latencyMs > 0 ? `${title}, ${latencyMs} ms` : title,
		seconds(own.wallMs),
		other ? seconds(other.wallMs) : '',
		other ? ratio(other.wallMs / own.wallMs) : '',
		both(({ requests }) => requests),
		both(({ mostAtOnce }) => mostAtOnce),
		both(({ lost }) => lost),
	];
}

const ratio = (value: number) => value.toFixed(value < 1 ? 2 : 1);
const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`;
