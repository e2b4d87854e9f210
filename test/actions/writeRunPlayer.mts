/* Plays random runs of writes against the simulated service. */

import type { IDataObject } from 'n8n-workflow';

import { runNode } from '../support/engine/run.mts';
import { setupOf } from '../support/runs.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import { judge } from './writeRunOracle.mts';
import type { Arrival, Fate, Operation, WriteRun } from './writeRuns.mts';

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
	const result = await runNode({
		...setupOf(service, parameters, input),
		onError,
		...(maxTries > 1 && { maxTries }),
	});
	restore();
	return judge(run, result, arrivals);
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
