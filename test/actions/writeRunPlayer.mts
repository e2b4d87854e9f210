/* Plays random runs of writes against the simulated service. */

import { runNode } from '../support/engine/run.mts';
import { setupOf } from '../support/runs.mts';
import { endpointCredentialOf } from '../support/credentials.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import { judge } from './writeRunOracle.mts';
import { writes, type Arrival, type Event, type Fate, type WriteRun } from './writeRuns.mts';

/** Plays a run; returns everything that is wrong with it. */
export async function complaintsAbout(run: WriteRun): Promise<string[]> {
	const service = await startService({
		settings: {
			extraBody: ['marker'],
			uploadDurationMs: run.uploadDurationMs,
			latencyMs: [0, 3],
		},
	});
	try {
		service.model.addConnector({ name: 'cloudbooks' });
		for (const id of [1, 2, 3]) service.model.addEngagement({ id, externalEngagementId: `E${id}` });
		const complaints: string[] = [];
		const script = { fates: [...run.fates], events: [...run.events] };
		for (let index = 0; index < run.runs; index++)
			complaints.push(...(await playOnce(service, run, script)));
		return complaints;
	} finally {
		await service.close();
	}
}

/** What is still to happen. */
interface Script {
	fates: Fate[];
	events: Event[];
}

async function playOnce(service: SimulatedService, run: WriteRun, script: Script) {
	service.clearRequests();
	const arrivals: Arrival[] = [];
	const restore = decideFates(service, script, arrivals);
	const marked = run.items.map((item, index) => ({ ...item, marker: `item ${index}` }));
	const input = marked.map(({ engagement, ...item }) => ({ ...item, engagement: engagement + 1 }));
	const { operation, onError, maxTries, parallelRequests } = run;
	const [name = ''] = operation.split(' ');
	const [resource, value] = name.split('.');
	const parameters = {
		resource,
		operation: value,
		...writes[operation],
		options: {
			parallelRequests,
			waitInterval: 10,
			waitTimeout: 1,
			...(name !== 'engagement.create' && { customBody: '={{ { marker: $json.marker } }}' }),
		},
	};
	const result = await runNode({
		...setupOf(service, parameters, input, { credential: endpointCredentialOf(service) }),
		onError,
		...(maxTries > 1 && { maxTries }),
	});
	restore();
	return judge(run, result, arrivals);
}

function decideFates(service: SimulatedService, script: Script, arrivals: Arrival[]): () => void {
	const handle = service.handle.bind(service);
	const answer = (status: number, headers = {}) => ({
		response: { status, headers, body: { message: `Simulated ${status}` } },
	});
	service.handle = (request) => {
		const token = (request.headers.authorization ?? '').replace('Bearer ', '');
		const isWrite = request.method === 'POST' && !request.path.endsWith('/token');
		if (!isWrite) return disturb(script.events.shift()) ?? handle(request);
		if (service.tokens.state(token) !== 'valid') return handle(request);
		const fate = script.fates.shift() ?? 'done';
		const recorded = service.requests.findLast(({ url, body }) => {
			return url === request.url && JSON.stringify(body) === request.body;
		});
		if (recorded === undefined) throw new Error('The request was not recorded');
		const { marker, sme } = recorded.body as { marker?: string; sme?: { name: string } };
		const item = Number((marker ?? sme?.name ?? '').replace('item ', ''));
		const arrival: Arrival = { item, fate, request: recorded };
		arrivals.push(arrival);
		if (fate === 'refused') return answer(422);
		if (fate === 'throttled') return answer(429, { 'retry-after': '0' });
		if (fate === 'lost') return { wire: { kind: 'reset' } };
		const done = handle(request);
		arrival.uploadId = service.model.uploads.all.at(-1)?.uploadId;
		if (fate === 'done') return done;
		if (fate === 'doneAndLost') return { wire: { kind: 'reset' } };
		return fate === 'doneAnd502'
			? answer(502)
			: { response: { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>Bye</p>' } };
	};
	/** What happens before a request is answered, or the answer that it gets instead. */
	function disturb(event: Event = 'none') {
		if (event === 'tokenExpires') service.expireTokens();
		if (event === 'unavailable') return answer(503);
		return event === 'denied' ? answer(403) : undefined;
	}
	return () => (service.handle = handle);
}
