/* What must hold in random runs of writes. */

import type { INodeExecutionData } from 'n8n-workflow';

import type { NodeResult } from '../../support/engine/nodeRun.mts';
import { errorText } from '../../support/engine/runs.mts';
import { isUnknown, type Arrival, type WriteRun } from './runs.mts';

/** Everything that is wrong with the outcome of a run; empty if nothing is. */
export function judge(
	run: WriteRun,
	{ items, errorItems, error }: NodeResult,
	arrivals: Arrival[],
): string[] {
	const results = [...items, ...errorItems];
	if (error !== undefined)
		return [...arrivalComplaints(run, arrivals), ...stopComplaints(run, error, arrivals)];
	return [
		...(results.length === run.items.length ? [] : [`${results.length} items were returned`]),
		...arrivalComplaints(run, arrivals),
		...results.flatMap((result) => resultComplaints(run, result, arrivals)),
		...(run.operation.includes('Wait') ? uploadComplaints(run, results, arrivals) : []),
	];
}

/** The item that writes for this one: an engagement and connector are refreshed once, by the first that names them. */
function senderOf({ items, operation }: WriteRun, index: number): number {
	if (!operation.startsWith('dataRefresh.run')) return index;
	return items.findIndex(({ engagement }) => engagement === items[index]?.engagement);
}

/** What belongs together is not written twice, and what has one key is written in the order of the items, never at once. */
function arrivalComplaints(run: WriteRun, arrivals: Arrival[]): string[] {
	const { items, operation } = run;
	const complaints: string[] = [];
	const mayBeDone = ({ fate }: Arrival) => fate === 'done' || isUnknown(fate);
	const isCreate = operation === 'engagement.create';
	const toKey = ({ item }: Arrival) => {
		const { engagement, external } = items[item] ?? {};
		return isCreate ? external || `none ${item}` : engagement;
	};
	const isFirst = (arrival: Arrival) =>
		arrivals.find(({ item }) => item === arrival.item) === arrival;
	for (const [at, one] of arrivals.entries()) {
		if (senderOf(run, one.item) !== one.item) complaints.push(`item ${one.item} was sent, too`);
		if (isCreate && toKey(one) === 'E1') complaints.push(`item ${one.item} created a second E1`);
		for (const other of arrivals.slice(at + 1).filter((each) => toKey(each) === toKey(one))) {
			if (mayBeDone(one) && (isCreate || one.item === other.item))
				complaints.push(`item ${one.item} was done, and item ${other.item} sent nevertheless`);
			if (isFirst(one) && isFirst(other) && one.item > other.item)
				complaints.push(`item ${one.item} was sent before item ${other.item}`);
			if (other.request.at < (one.request.doneAt ?? Infinity))
				complaints.push(`items ${one.item} and ${other.item} overlapped`);
		}
	}
	return complaints;
}

const indexOf = ({ pairedItem }: INodeExecutionData) =>
	[pairedItem].flat().map((paired) => Object(paired).item as number)[0] ?? -1;

const timesOut = ({ operation, uploadDurationMs }: WriteRun, text: string) =>
	operation.includes('Wait') && uploadDurationMs > 60_000 && text.includes('did not complete');

/** Each item says what became of its write. */
function resultComplaints(run: WriteRun, result: INodeExecutionData, arrivals: Arrival[]) {
	const index = indexOf(result);
	const { external = '' } = run.items[index] ?? {};
	const own = arrivals.filter(({ item }) => item === senderOf(run, index));
	const fate = own.at(-1)?.fate;
	const isError = result.json.error !== undefined;
	const text = String(result.json.error ?? '');
	/** Perhaps because another item has created it meanwhile. */
	const mayBeFound = run.operation === 'engagement.create' && external !== '';
	const complaints: string[] = [];
	const complain = (what: string) =>
		complaints.push(`item ${index} (${fate}) ${what}: ${JSON.stringify(result.json)}`);
	if (fate === undefined && !mayBeFound) complain('was not sent');
	if (fate === 'done' && isError && !timesOut(run, text)) complain('is an error');
	const isReported = text.includes('(422)');
	const isOfOther = mayBeFound && (!isError || text.includes('outcome is unknown'));
	if (fate === 'refused' && !isReported && !isOfOther) complain('is not reported as rejected');
	// n8n tries again as long as the first item is an error.
	const refusals = own.filter((each) => each.fate === 'refused').length;
	if (index === 0 && fate === 'refused' && isReported && refusals !== (run.maxTries ?? 1))
		complain(`was refused ${refusals} times`);
	if (mayBeFound && !isError && result.json.created !== (fate === 'done'))
		complain('is wrong about who created it');
	if (isUnknown(fate) && !/outcome is unknown/.test(text)) complain('is not reported as unknown');
	return complaints;
}

/** Each refresh that was waited for has the upload that it started. */
function uploadComplaints(run: WriteRun, results: INodeExecutionData[], arrivals: Arrival[]) {
	/** A refresh with an unknown outcome may have started an upload, and nobody can know. */
	const isAmbiguous = (engagement: number | undefined) =>
		arrivals.some(
			({ item, fate }) => run.items[item]?.engagement === engagement && isUnknown(fate),
		);
	return results.flatMap((result) => {
		if (result.json.error !== undefined) return [];
		const index = indexOf(result);
		const { uploadId } = Object(result.json.upload) as { uploadId?: unknown };
		// What an attempt has sent before a failure stopped it is done, though not waited for.
		const done = arrivals.findLastIndex(({ item }) => item === senderOf(run, index));
		const isBeforeFailure = arrivals.slice(done).some(({ fate }) => fate !== 'done');
		if (uploadId === undefined && run.onError === 'stopWorkflow' && isBeforeFailure) return [];
		const owner = arrivals.find((arrival) => arrival.uploadId === uploadId)?.item;
		if (owner === senderOf(run, index) || isAmbiguous(run.items[index]?.engagement)) return [];
		return [`item ${index} has the upload of item ${owner}`];
	});
}

/** Nothing is sent after a failure that stops the run, which is tried again if it was refused; the error names what was created. */
function stopComplaints(run: WriteRun, error: Error, arrivals: Arrival[]): string[] {
	const text = errorText({ error: error as never });
	const last = arrivals.at(-1);
	if (last === undefined) return [`nothing was sent: ${text}`];
	const later = arrivals.filter(({ item }) => item > last.item);
	const refusals = arrivals.filter(({ fate }) => fate === 'refused').length;
	const isTriedAgain = last.fate !== 'refused' || refusals === (run.maxTries ?? 1);
	const isDone = last.fate === 'done' && !timesOut(run, text);
	const made = arrivals.filter(({ fate }) => fate === 'done').length;
	const [, ids = ''] = /Engagements created: ([\d, ]+)/.exec(text) ?? [];
	const named = ids.match(/\d+/g) ?? [];
	const isComplete = run.operation !== 'engagement.create' || named.length === made;
	return [
		...later.map(({ item }) => `item ${item} was sent after the failure`),
		...(isDone ? [`nothing failed: ${text}`] : []),
		...(isTriedAgain ? [] : [`${refusals} refusals ended the run`]),
		...(isComplete ? [] : [`${made} were created, ${named.length} named: ${text}`]),
	];
}
