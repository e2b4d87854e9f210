import type { IDataObject } from 'n8n-workflow';

import type { Played } from './cells.mts';

/** What is wrong with a cell's result; empty if it follows the rules. */
export function listComplaints(cell: Played): string[] {
	const { subject, place, row, seen } = cell;
	const complaints = [
		...outcomeComplaints(cell),
		...requestComplaints(cell),
		...pollComplaints(cell),
	];
	return complaints.map(
		(complaint) =>
			`${row.name} at ${subject.name} (${place}): ${complaint}: ${seen.message ?? 'no error'}`,
	);
}

/** Whether a poll emitted what it had read before a request failed; the next ones emit the rest. */
function isPartial({ subject, seen, clean, expected }: Played): boolean {
	if (subject.kind !== 'trigger' || seen.message !== undefined) return false;
	const isPrefix = listIds(clean.items).startsWith(listIds(seen.items));
	return expected.outcome !== 'succeeds' && seen.items.length > 0 && isPrefix;
}

function* outcomeComplaints(cell: Played): Generator<string> {
	const { subject, place, expected, seen, clean, row } = cell;
	if (expected.outcome === 'succeeds') {
		if (seen.message !== undefined) yield 'fails';
		else if (listIds(seen.items) !== listIds(clean.items))
			yield 'different items from those without the fault';
		return;
	}
	if (isPartial(cell)) {
		if (listIds([...seen.items, ...(seen.trigger?.next ?? [])]) !== listIds(clean.items))
			yield 'the next poll does not emit the rest';
		return;
	}
	if (subject.kind === 'trigger' && place !== 'first')
		yield 'the poll does not emit what it had read';
	if (seen.message === undefined) {
		yield 'succeeds';
		return;
	}
	if (seen.items.length > 0) yield 'items in addition to the error';
	for (const pattern of [expected.message, expected.isWhole === true ? undefined : row.message])
		if (pattern !== undefined && !pattern.test(seen.message)) yield `does not mention ${pattern}`;
}

function* requestComplaints(cell: Played) {
	const { expected, seen, clean, row } = cell;
	if (row.class === 'unreachable' || expected.attempts === 'several' || isPartial(cell)) return;
	const more =
		expected.outcome === 'succeeds' ? clean.spot + expected.attempts - 1 : expected.attempts;
	if (seen.spot !== more) yield `${seen.spot} requests instead of ${more}`;
	const repeated = seen.others.filter(
		(line) => countLines(seen.others, line) > countLines(clean.others, line),
	);
	if (repeated.length > 0)
		yield `different requests from those without the fault (${repeated.join()})`;
}

function* pollComplaints({ subject, seen, clean }: Played) {
	if (subject.kind !== 'trigger' || seen.message === undefined) return;
	if (seen.trigger?.stateChanged !== false) yield 'changes the state';
	if (listIds(seen.trigger?.next ?? []) !== listIds(clean.items))
		yield 'the next poll loses or repeats';
}

const countLines = (lines: string[], line: string) => lines.filter((each) => each === line).length;

/** The IDs of the items' records. */
const listIds = (items: IDataObject[]) =>
	items
		.map(
			({ id, uploadId, periodId, engagementId }) => `${id} ${uploadId} ${periodId} ${engagementId}`,
		)
		.join();
