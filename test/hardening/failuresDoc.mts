import { table, withSection } from '../support/markdown.mts';
import type { Played } from './cells.mts';
import { methodAt } from './subjects.mts';
import { isPartial } from './verdict.mts';

const COLUMNS = [
	'Reading',
	'Writing',
	'Writing under Retry On Fail',
	'Waiting for an upload',
	'A poll of the trigger',
] as const;
type Column = (typeof COLUMNS)[number];

/**
 * The document with the table of failures and the messages of failed requests, without what varies
 * between runs, from the results of all cells.
 */
export function failuresDoc(document: string, played: readonly Played[]): string {
	const groups = [...new Set(played.map(({ row }) => row.group))].sort();
	const rows = groups.map((group) => {
		const cells = played.filter(({ row }) => row.group === group);
		return [group, ...COLUMNS.map((column) => summary(cells.filter(isIn(column))))];
	});
	const failures = table(['What goes wrong', ...COLUMNS], rows);
	const said = groups.flatMap((group) => messages(group, played));
	return withSection(withSection(document, 'failures', failures), 'said', ['', ...said]);
}

const isIn =
	(column: Column) =>
	({ subject, place }: Played): boolean => {
		if (subject.kind === 'trigger') return column === 'A poll of the trigger';
		if (subject.kind === 'retriedWrite') return column === 'Writing under Retry On Fail';
		if (place === 'look') return column === 'Waiting for an upload';
		return column === (methodAt(subject, place) === 'POST' ? 'Writing' : 'Reading');
	};

function summary(cells: readonly Played[]): string {
	const regular = cells.filter(({ expected }) => expected.isSpecial !== true);
	const outcomes = (isPermanent: boolean) => {
		const some = regular.filter(({ row }) => (row.times === Infinity) === isPermanent);
		return [...new Set(some.map(outcomeOf))].sort().join(', or ');
	};
	const [once, always] = [outcomes(false), outcomes(true)];
	if (once === '' || always === '' || once === always) return once || always || '–';
	return `once: ${once}<br>permanently: ${always}`;
}

function outcomeOf(cell: Played): string {
	const { row, expected, seen, clean } = cell;
	if (isPartial(cell)) return 'emits what it has read';
	const end = endOf(seen.message);
	if (row.class === 'unreachable' || expected.attempts === 'several') return end;
	const requests = end === 'succeeds' ? seen.spot - clean.spot + 1 : seen.spot;
	return `${end}, ${requests} ${requests === 1 ? 'request' : 'requests'}`;
}

function endOf(message: string | undefined): string {
	if (message === undefined) return 'succeeds';
	return message.includes('outcome is unknown') ? 'fails, outcome unknown' : 'fails';
}

const EXAMPLES = ['company.get', 'dataRefresh.run'];

function messages(group: string, played: readonly Played[]): string[] {
	const reported = played.filter(
		({ row, subject, seen }) =>
			row.group === group && EXAMPLES.includes(subject.name) && seen.message !== undefined,
	);
	const firsts = EXAMPLES.map((name) => reported.find(({ subject }) => subject.name === name));
	const lines = firsts.flatMap((cell, index) =>
		cell === undefined || (index > 0 && isRepeated(cell, firsts[0]))
			? []
			: [`> ${textOf(cell)}`, ''],
	);
	return lines.length === 0 ? [] : [`**${group}**`, '', ...lines];
}

/** Whether both differ only in what was being attempted. */
function isRepeated(cell: Played, before: Played | undefined): boolean {
	const withoutPurpose = (each: Played) => textOf(each).replace(/^.*?: /, '');
	return before !== undefined && withoutPurpose(cell) === withoutPurpose(before);
}

/** Message and advice, without times, which vary. */
function textOf({ seen }: Played): string {
	const [message = '', advice = ''] = (seen.message ?? '').split(' | ');
	const text = `${message.replace(/ \[item 0\]/, '')}. ${advice.replace(/\.$/, '')}.`;
	return text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '(time)');
}
