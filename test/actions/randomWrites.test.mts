/**
 * Whatever n8n does, every item's write reaches the service once, or is reported as unknown or
 * rejected.
 */

import * as fc from 'fast-check';

import { fuzz } from '../hardening/fuzz.mts';
import { examples, operationName } from '../support/world/examples.mts';
import { run as runNode } from '../support/engine/runs.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import type { Settings } from '../support/service/settings.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import { judge } from './randomWrites/oracle.mts';
import { writeRuns, writes, type Arrival, type Fate, type WriteRun } from './randomWrites/runs.mts';

jest.setTimeout(3_600_000);
useVirtualTime();

/** Plays a run against the simulated service; returns everything that is wrong with it. */
async function complaintsAbout(run: WriteRun): Promise<string[]> {
	const { operation, uploadDurationMs, onError, maxTries } = run;
	const settings: Partial<Settings> = {
		extraBody: ['marker'],
		uploadDurationMs,
		latencyMs: [0, 3],
	};
	const service = await startService({ settings });
	try {
		service.model.addConnector({
			name: 'cloudbooks',
			scopes: run.items.map((_, index) => `item ${index}`),
		});
		for (const id of [1, 2, 3]) {
			service.model.addEngagement({ id, externalEngagementId: `E${id}` });
			// Without one, the customer would have to act before a refresh.
			service.model.addCompletedUpload({ engagementId: id });
		}
		const arrivals: Arrival[] = [];
		decideFates(service, [...run.fates], arrivals);
		const [name = ''] = operation.split(' ');
		const [resource, value] = name.split('.');
		const parameters = { resource, operation: value, ...writes[operation] };
		const items = run.items.map((item, index) => ({ ...item, marker: `item ${index}` }));
		const result = await runNode(service, parameters, items, { onError, maxTries });
		return judge(run, result, arrivals);
	} finally {
		await service.close();
	}
}

/** Decides what happens to each write that arrives, and notes it. */
function decideFates(service: SimulatedService, fates: Fate[], arrivals: Arrival[]): void {
	const handle = service.handle.bind(service);
	const answer = (status: number, headers = {}, body: unknown = {}) => ({
		response: { status, headers, body },
	});
	service.handle = (request) => {
		if (request.method !== 'POST') return handle(request);
		const fate = fates.shift() ?? 'done';
		const recorded = service.requests.findLast(
			({ url, body }) => url === request.url && JSON.stringify(body) === request.body,
		);
		if (recorded === undefined) throw new Error('The request was not recorded');
		const { marker, sme, scheduleStartDate } = Object(recorded.body);
		const sent = marker ?? sme?.name ?? scheduleStartDate ?? recorded.query.scopeName;
		const item = Number(String(sent).slice(-1));
		const arrival: Arrival = { item, fate, request: recorded };
		arrivals.push(arrival);
		if (fate === 'refused') return answer(422);
		if (fate === 'throttled') return answer(429, { 'retry-after': '0' });
		if (fate === 'lost') return { wire: { kind: 'reset' } };
		const done = handle(request);
		arrival.uploadId = service.model.uploads.all.at(-1)?.uploadId;
		if (fate === 'doneAndLost') return { wire: { kind: 'reset' } };
		if (fate === 'doneAnd502') return answer(502);
		if (fate === 'doneAndHtml') return answer(200, { 'content-type': 'text/html' }, '<p>Bye</p>');
		return done;
	};
}

it('sends every write once in random runs, and those with one key in the order of the items', async () => {
	const property = fc.asyncProperty(writeRuns, async (run) =>
		expect(await complaintsAbout(run)).toEqual([]),
	);
	await fc.assert(property, fuzz(100));
});

it('leaves out no operation that writes', () => {
	const names = examples
		.filter(({ method }) => method === 'POST')
		.map(({ operation }) => operationName(operation));
	const missing = names.filter((name) => !Object.hasOwn(writes, name));
	expect(missing.map((name) => `Add ${name} to the writes in randomWrites/runs.mts`)).toEqual([]);
});
