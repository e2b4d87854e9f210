/* What must hold in random runs of writes. */

import type { INodeExecutionData } from 'n8n-workflow';

import type { NodeResult } from '../support/engine/run.mts';
import type { Arrival, Fate, WriteRun } from './writeRuns.mts';

/** Everything that is wrong with the outcome of a run; empty if nothing is. */
export function judge(
	run: WriteRun,
	{ items, errorItems, error }: NodeResult,
	arrivals: Arrival[],
): string[] {
	const results = [...items, ...errorItems];
	return [
		...(error === undefined && results.length !== run.items.length
			? [`${results.length} items were returned`]
			: []),
		...arrivalComplaints(run, arrivals),
		...(error === undefined ? resultComplaints(run, results, arrivals) : []),
		...(error !== undefined ? stopComplaints(run, error, arrivals) : []),
	];
}

const isUnknown = (fate: Fate) => fate.startsWith('doneAnd') || fate === 'lost';

function arrivalComplaints(
	{ items, operation, events, maxTries }: WriteRun,
	arrivals: Arrival[],
): string[] {
	const complaints: string[] = [];
	for (const index of items.keys()) {
		const fates = arrivals.filter(({ item }) => item === index).map(({ fate }) => fate);
		if (fates.slice(0, -1).some((fate) => fate === 'done' || isUnknown(fate)))
			complaints.push(`item ${index} was sent again: ${fates.join()}`);
	}
	const keyOf = ({ item }: Arrival) => {
		const { engagement, external } = items[item] ?? {};
		const isCreate = operation === 'engagement.create';
		return isCreate ? external?.toLowerCase() || `none ${item}` : String(engagement);
	};
	const first = arrivals.filter(
		(arrival) => arrivals.find(({ item }) => item === arrival.item) === arrival,
	);
	// An item that failed before it was sent has its turn in the next attempt.
	const mayBeLate = maxTries > 1 && (events.includes('denied') || events.includes('unavailable'));
	for (const [at, one] of first.entries())
		for (const other of first.slice(at + 1))
			if (!mayBeLate && keyOf(one) === keyOf(other) && one.item > other.item)
				complaints.push(`item ${one.item} was sent before item ${other.item}`);
	for (const [at, one] of arrivals.entries())
		for (const other of arrivals.slice(at + 1))
			if (keyOf(one) === keyOf(other) && other.request.at < (one.request.doneAt ?? Infinity))
				complaints.push(`items ${one.item} and ${other.item} overlapped`);
	return complaints;
}

function resultComplaints(
	{ items, operation }: WriteRun,
	results: INodeExecutionData[],
	arrivals: Arrival[],
): string[] {
	const complaints: string[] = [];
	const uploads = new Set<unknown>();
	const isWaiting = operation === 'dataRefresh.run with Wait for Completion';
	/** A refresh with an unknown outcome may have started an upload, and nobody can know. */
	const isAmbiguous = (engagement: number | undefined) =>
		arrivals.some(({ item, fate }) => items[item]?.engagement === engagement && isUnknown(fate));
	for (const { json, pairedItem } of results) {
		const index = [pairedItem].flat().map((paired) => Object(paired).item as number)[0] ?? -1;
		const fate = arrivals.findLast(({ item }) => item === index)?.fate;
		const { external, returnExisting } = items[index] ?? {};
		const isLookedUp = operation === 'engagement.create' && external !== '';
		const text = String(json.error ?? '');
		const isError = json.error !== undefined;
		const complain = (what: string) =>
			complaints.push(`item ${index} (${fate}) ${what}: ${JSON.stringify(json)}`);
		if (fate === undefined && !(isLookedUp && returnExisting) && !isError)
			complain('was returned without being sent');
		const isCheckDenied = isWaiting && text.includes('403)');
		const isTimeout = isWaiting && text.includes('was not complete after 1 minute');
		if (fate === 'done' && isError && !isCheckDenied && !isTimeout) complain('is an error');
		// Another item may have created the engagement by the next attempt.
		const mayBeFound = isLookedUp && returnExisting;
		// Or the next attempt did not get as far as sending it.
		const isReported =
			isCheckDenied ||
			/\(422\)|^Not created: |^Could not look up |did not return a token/.test(text);
		if (fate === 'refused' && !isReported && (isError || !mayBeFound))
			complain('is not reported as rejected');
		if (fate !== undefined && isUnknown(fate) && !/outcome is unknown/.test(text))
			complain('is not reported as unknown');
		if (isWaiting && !isError) {
			const id = Object(json.upload).uploadId as unknown;
			if (id === undefined || uploads.has(id)) complain('has no upload of its own');
			uploads.add(id);
			const owner = arrivals.find(({ uploadId }) => uploadId === id)?.item;
			if (owner !== index && !isAmbiguous(items[index]?.engagement))
				complain(`has the upload of item ${owner}`);
		}
	}
	return complaints;
}

function stopComplaints({ operation }: WriteRun, error: Error, arrivals: Arrival[]): string[] {
	const failed = arrivals.at(-1)?.item ?? -1;
	const later = arrivals.filter(({ item, fate }) => item > failed && fate !== undefined);
	const made = new Set(arrivals.filter(({ fate }) => fate === 'done').map(({ item }) => item));
	const [, ids = ''] = /Engagements created: ([\d, ]+)/.exec(error.message) ?? [];
	const named = ids.match(/\d+/g) ?? [];
	return [
		...later.map(({ item }) => `item ${item} was sent after the failure`),
		...(operation === 'engagement.create' && named.length < made.size
			? [`${made.size} were created, ${named.length} named: ${error.message}`]
			: []),
	];
}
