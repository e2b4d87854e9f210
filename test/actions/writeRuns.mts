/* Random runs of writes: what is run, how it is played against the simulated service, and what must hold. */

import * as fc from 'fast-check';
import type { IDataObject, INodeExecutionData, OnError } from 'n8n-workflow';

import { runNode } from '../support/engine/run.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import type { RecordedRequest } from '../support/service/log.mts';
import { setupOf } from '../support/runs.mts';

/** What happens to a write that reaches the service. */
type Fate =
	| 'done'
	| 'refused'
	| 'throttled'
	| 'lost'
	| 'doneAndLost'
	| 'doneAnd502'
	| 'doneAndHtml';

type Operation = 'create' | 'schedule' | 'start' | 'refresh' | 'refreshAndWait';

interface RandomItem {
	/** An engagement, by its position among the existing ones. */
	engagement: number;
	/** The external ID of an engagement to create. */
	external: string;
	returnExisting: boolean;
}

export interface WriteRun {
	operation: Operation;
	items: RandomItem[];
	/** In the order in which writes arrive; any further ones succeed. */
	fates: Fate[];
	onError: OnError;
	/** Attempts under Retry On Fail; 1 without it. */
	maxTries: number;
	parallelRequests: number;
	/** How often the node runs with these items. */
	runs: number;
}

export const writeRuns: fc.Arbitrary<WriteRun> = fc.record({
	operation: fc.constantFrom<Operation>(
		'create',
		'create',
		'schedule',
		'start',
		'refresh',
		'refreshAndWait',
	),
	items: fc.array(
		fc.record({
			engagement: fc.nat(2),
			external: fc.constantFrom('', '', 'X', 'x', 'Y', 'E1'),
			returnExisting: fc.boolean(),
		}),
		{ minLength: 1, maxLength: 6 },
	),
	fates: fc.array(
		fc.constantFrom<Fate>(
			'done',
			'done',
			'refused',
			'throttled',
			'lost',
			'doneAndLost',
			'doneAnd502',
			'doneAndHtml',
		),
		{ maxLength: 10 },
	),
	onError: fc.constantFrom<OnError>('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
	maxTries: fc.integer({ min: 1, max: 3 }),
	parallelRequests: fc.constantFrom(1, 3, 64),
	runs: fc.integer({ min: 1, max: 2 }),
});

const PARAMETERS: Record<Operation, IDataObject> = {
	create: {
		resource: 'engagement',
		operation: 'create',
		name: '={{ $json.marker }}',
		additionalFields: {
			externalEngagementId: '={{ $json.external }}',
			returnExisting: '={{ $json.returnExisting && $json.external !== "" }}',
		},
	},
	schedule: { resource: 'dataRefresh', operation: 'schedule', scheduleStartDate: '2026-12-01' },
	start: { resource: 'upload', operation: 'start', connectorName: 'cloudbooks' },
	refresh: { resource: 'dataRefresh', operation: 'run', connectorName: 'cloudbooks' },
	refreshAndWait: {
		resource: 'dataRefresh',
		operation: 'run',
		connectorName: 'cloudbooks',
		waitForCompletion: true,
	},
};

/** A write as it reached the service. */
interface Arrival {
	item: number;
	fate: Fate;
	request: RecordedRequest;
}

/** Plays a run; returns everything that is wrong with it. */
export async function complaintsAbout(run: WriteRun): Promise<string[]> {
	const service = await startService({
		settings: { extraBody: ['marker'], uploadDurationMs: 0, latencyMs: [0, 3] },
	});
	try {
		service.model.addConnector({ name: 'cloudbooks' });
		for (const id of [1, 2, 3]) service.model.addEngagement({ id, externalEngagementId: `E${id}` });
		const complaints: string[] = [];
		const fates = [...run.fates];
		for (let index = 0; index < run.runs; index++)
			complaints.push(...(await playOnce(service, run, fates)));
		return complaints;
	} finally {
		await service.close();
	}
}

async function playOnce(service: SimulatedService, run: WriteRun, fates: Fate[]) {
	service.clearRequests();
	const arrivals: Arrival[] = [];
	const restore = decideFates(service, fates, arrivals);
	const marked = run.items.map((item, index) => ({ ...item, marker: `item ${index}` }));
	const input = marked.map(({ engagement, ...item }) => ({ ...item, engagement: engagement + 1 }));
	const { operation, onError, maxTries, parallelRequests } = run;
	const parameters = {
		engagementId: '={{ $json.engagement }}',
		...PARAMETERS[operation],
		options: {
			parallelRequests,
			waitInterval: 0.005,
			...(operation !== 'create' && { customBody: '={{ { marker: $json.marker } }}' }),
		},
	};
	const { items, errorItems, error } = await runNode({
		...setupOf(service, parameters, input),
		onError,
		...(maxTries > 1 && { maxTries }),
	});
	restore();
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

function decideFates(service: SimulatedService, fates: Fate[], arrivals: Arrival[]): () => void {
	const handle = service.handle.bind(service);
	service.handle = (request) => {
		if (request.method !== 'POST') return handle(request);
		const fate = fates.shift() ?? 'done';
		const recorded = service.requests.findLast(({ url, body }) => {
			return url === request.url && JSON.stringify(body) === request.body;
		});
		if (recorded === undefined) throw new Error('The request was not recorded');
		const { marker, sme } = recorded.body as { marker?: string; sme?: { name: string } };
		const item = Number((marker ?? sme?.name ?? '').replace('item ', ''));
		arrivals.push({ item, fate, request: recorded });
		const answer = (status: number, headers = {}) => ({
			response: { status, headers, body: { message: `Simulated ${status}` } },
		});
		if (fate === 'refused') return answer(422);
		if (fate === 'throttled') return answer(429, { 'retry-after': '0' });
		if (fate === 'lost') return { wire: { kind: 'reset' } };
		const done = handle(request);
		if (fate === 'done') return done;
		if (fate === 'doneAndLost') return { wire: { kind: 'reset' } };
		return fate === 'doneAnd502'
			? answer(502)
			: { response: { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>Bye</p>' } };
	};
	return () => (service.handle = handle);
}

const isUnknown = (fate: Fate) => fate.startsWith('doneAnd') || fate === 'lost';

function arrivalComplaints({ items, operation }: WriteRun, arrivals: Arrival[]): string[] {
	const complaints: string[] = [];
	for (const index of items.keys()) {
		const fates = arrivals.filter(({ item }) => item === index).map(({ fate }) => fate);
		if (fates.slice(0, -1).some((fate) => fate === 'done' || isUnknown(fate)))
			complaints.push(`item ${index} was sent again: ${fates.join()}`);
	}
	const keyOf = ({ item }: Arrival) => {
		const { engagement, external } = items[item] ?? {};
		const isCreate = operation === 'create';
		return isCreate ? external?.toLowerCase() || `none ${item}` : String(engagement);
	};
	const first = arrivals.filter(
		(arrival) => arrivals.find(({ item }) => item === arrival.item) === arrival,
	);
	for (const [at, one] of first.entries())
		for (const other of first.slice(at + 1))
			if (keyOf(one) === keyOf(other) && one.item > other.item)
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
	for (const { json, pairedItem } of results) {
		const index = [pairedItem].flat().map((paired) => Object(paired).item as number)[0] ?? -1;
		const fate = arrivals.findLast(({ item }) => item === index)?.fate;
		const { external, returnExisting } = items[index] ?? {};
		const isLookedUp = operation === 'create' && external !== '';
		const text = String(json.error ?? '');
		const isError = json.error !== undefined;
		const complain = (what: string) =>
			complaints.push(`item ${index} (${fate}) ${what}: ${JSON.stringify(json)}`);
		if (fate === undefined && !(isLookedUp && returnExisting) && !isError)
			complain('was returned without being sent');
		if (fate === 'done' && isError) complain('is an error');
		// Another item may have created the engagement by the next attempt.
		const mayBeFound = isLookedUp && returnExisting;
		if (fate === 'refused' && !text.includes('(422)') && (isError || !mayBeFound))
			complain('is not reported as rejected');
		if (fate !== undefined && isUnknown(fate) && !isLookedUp && !/unknown/.test(text))
			complain('is not reported as unknown');
		if (fate?.startsWith('doneAnd') && isLookedUp && isError) complain('was not found');
		if (operation === 'refreshAndWait' && !isError) {
			const id = Object(json.upload).uploadId as unknown;
			if (id === undefined || uploads.has(id)) complain('has no upload of its own');
			uploads.add(id);
		}
	}
	return complaints;
}

function stopComplaints({ operation }: WriteRun, error: Error, arrivals: Arrival[]): string[] {
	const failed = arrivals.at(-1)?.item ?? -1;
	const later = arrivals.filter(({ item, fate }) => item > failed && fate !== undefined);
	const made = new Set(arrivals.filter(({ fate }) => fate === 'done').map(({ item }) => item));
	const context = (error as { context?: IDataObject }).context ?? {};
	const named = (context.createdEngagements ?? []) as unknown[];
	return [
		...later.map(({ item }) => `item ${item} was sent after the failure`),
		...(operation === 'create' && named.length < made.size
			? [`${made.size} were created, ${named.length} named: ${error.message}`]
			: []),
	];
}
