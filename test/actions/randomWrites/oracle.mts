/* What must hold in random runs of writes. */

import type { INodeExecutionData } from 'n8n-workflow';

import type { NodeResult } from '../../support/engine/nodeRun.mts';
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

/** No write is sent again; those with one key arrive in the order of the items and never overlap. */
function arrivalComplaints({ items, operation }: WriteRun, arrivals: Arrival[]): string[] {
	const complaints: string[] = [];
	for (const index of items.keys()) {
		const fates = arrivals.filter(({ item }) => item === index).map(({ fate }) => fate);
		if (fates.slice(0, -1).some((fate) => fate === 'done' || isUnknown(fate)))
			complaints.push(`item ${index} was sent again: ${fates.join()}`);
	}
	const toKey = ({ item }: Arrival) => {
		const { engagement, external } = items[item] ?? {};
		if (operation !== 'engagement.create') return engagement;
		return external || `none ${item}`;
	};
	const isFirst = (arrival: Arrival) =>
		arrivals.find(({ item }) => item === arrival.item) === arrival;
	for (const [at, one] of arrivals.entries())
		for (const other of arrivals.slice(at + 1).filter((each) => toKey(each) === toKey(one))) {
			if (isFirst(one) && isFirst(other) && one.item > other.item)
				complaints.push(`item ${one.item} was sent before item ${other.item}`);
			if (other.request.at < (one.request.doneAt ?? Infinity))
				complaints.push(`items ${one.item} and ${other.item} overlapped`);
		}
	return complaints;
}

/** The item that writes for this one: an engagement and connector are refreshed once, by the first that names them. */
function senderOf({ items, operation }: WriteRun, index: number): number {
	if (!operation.startsWith('dataRefresh.run')) return index;
	return items.findIndex(({ engagement }) => engagement === items[index]?.engagement);
}

const indexOf = ({ pairedItem }: INodeExecutionData) =>
	[pairedItem].flat().map((paired) => Object(paired).item as number)[0] ?? -1;

/** Each item says what became of its write. */
function resultComplaints(run: WriteRun, result: INodeExecutionData, arrivals: Arrival[]) {
	const index = indexOf(result);
	const { external = '' } = run.items[index] ?? {};
	const fate = arrivals.findLast(({ item }) => item === senderOf(run, index))?.fate;
	const isError = result.json.error !== undefined;
	const text = String(result.json.error ?? '');
	/** Perhaps because another item has created it meanwhile. */
	const mayBeFound = run.operation === 'engagement.create' && external !== '';
	const complaints: string[] = [];
	const complain = (what: string) =>
		complaints.push(`item ${index} (${fate}) ${what}: ${JSON.stringify(result.json)}`);
	if (fate === undefined && !mayBeFound) complain('was not sent');
	const isTimeout = run.operation.includes('Wait') && /not complete after 1 minute/.test(text);
	if (fate === 'done' && isError && !isTimeout) complain('is an error');
	const isReported = /\(422\)|^Not created: /.test(text);
	if (fate === 'refused' && !isReported && (isError || !mayBeFound))
		complain('is not reported as rejected');
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
		// What an earlier attempt has sent is done, though not waited for.
		if (uploadId === undefined && run.maxTries !== undefined) return [];
		const owner = arrivals.find((arrival) => arrival.uploadId === uploadId)?.item;
		if (owner === senderOf(run, index) || isAmbiguous(run.items[index]?.engagement)) return [];
		return [`item ${index} has the upload of item ${owner}`];
	});
}

/** Nothing is sent after a failure that stops the run, and its message names what was created. */
function stopComplaints({ operation }: WriteRun, error: Error, arrivals: Arrival[]): string[] {
	if (arrivals.length === 0) return [`nothing was sent: ${error.message}`];
	const failed = arrivals.at(-1)?.item ?? -1;
	const later = arrivals.filter(({ item }) => item > failed);
	const made = new Set(arrivals.filter(({ fate }) => fate === 'done').map(({ item }) => item));
	const [, ids = ''] = /Engagements created: ([\d, ]+)/.exec(error.message) ?? [];
	const named = ids.match(/\d+/g) ?? [];
	const isComplete = operation !== 'engagement.create' || named.length >= made.size;
	return [
		...later.map(({ item }) => `item ${item} was sent after the failure`),
		...(isComplete ? [] : [`${made.size} were created, ${named.length} named: ${error.message}`]),
	];
}
