/**
 * Lookups of many items share requests. If the service refuses one, only the item at fault fails; if
 * it refuses each of them, few are sent.
 */
import type { IDataObject } from 'n8n-workflow';

import { startService, type SimulatedService } from '../support/service/http.mts';
import type { Match } from '../support/service/faults.mts';
import { itemsFrom, run, useService } from '../support/runs.mts';
import { useVirtualTime } from '../support/virtualTime.mts';

useVirtualTime();

const COUNT = 500;
const items = itemsFrom(1001, COUNT);
let service: SimulatedService;

useService(beforeAll, async () => (service = await startService()));
beforeAll(() => {
	service.model.addConnector({ id: '1', name: 'cloudbooks' });
	for (const { id } of items) {
		service.model.addEngagement({ id, externalEngagementId: `CRM-${id}` });
		service.model.addCompletedUpload({ engagementId: id });
	}
});
beforeEach(() => service.clearFaults());

/** An operation on each item, and the requests of its lookup: all, or those with one of the keys. */
interface Lookup {
	parameters: IDataObject;
	match: Match;
	ofItem: (id: number) => Match;
	/** How many items share a request. */
	together: number;
}

const externalId = '=CRM-{{ $json.id }}';
const byExternalId: Omit<Lookup, 'parameters'> = {
	together: 50,
	match: { method: 'GET', path: /engagements$/ },
	ofItem: (id) => ({ query: { externalEngagementId: new RegExp(`CRM-${id}\\b`) } }),
};

const lookups: Array<[string, Lookup]> = [
	[
		'last uploads',
		{
			parameters: { resource: 'upload', operation: 'getLast', engagementIds: '={{ $json.id }}' },
			match: { path: /lastUploads$/ },
			together: 100,
			ofItem: (id) => ({ query: { engagementIds: new RegExp(`\\b${id}\\b`) } }),
		},
	],
	[
		'external IDs',
		{
			parameters: {
				resource: 'company',
				operation: 'get',
				engagementId: { __rl: true, mode: 'externalId', value: externalId },
			},
			...byExternalId,
		},
	],
	[
		'engagements that Return Existing looks for',
		{
			parameters: {
				resource: 'engagement',
				operation: 'create',
				name: 'A customer',
				additionalFields: { externalEngagementId: externalId, returnExisting: true },
			},
			...byExternalId,
		},
	],
	[
		'uploads before refreshes',
		{
			parameters: {
				resource: 'dataRefresh',
				operation: 'run',
				engagementId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
				connectorName: { __rl: true, mode: 'name', value: 'cloudbooks' },
				waitForCompletion: true,
			},
			match: { path: /\/uploads$/ },
			together: 100,
			ofItem: (id) => ({ query: { engagementId: new RegExp(`\\b${id}\\b`) } }),
		},
	],
];

const onError = 'continueRegularOutput';

describe.each(lookups)('lookups of %s', (_, { parameters, match, ofItem, together }) => {
	/** The error of the last item that failed. */
	let message: unknown;

	async function failures(count: number): Promise<number[]> {
		const { items: results } = await run(service, parameters, items.slice(0, count), { onError });
		expect(results).toHaveLength(count);
		message = results.findLast(({ json }) => 'error' in json)?.json.error;
		return results.flatMap(({ json }, index) => ('error' in json ? [index] : []));
	}

	it.each([400, 403, 404, 413, 451])(
		'cost at most 20 requests for 500 items if each gets a %d',
		async (status) => {
			service.fail(match, { kind: 'status', status }, { times: Infinity });
			expect(await failures(COUNT)).toHaveLength(COUNT);
			expect(service.requests.length).toBeLessThanOrEqual(20);
		},
	);

	it.each([401, 403, 429])('are not split after a %d that is about all of them', async (status) => {
		const headers = { 'retry-after': '3600' };
		service.fail(match, { kind: 'status', status, headers }, { times: Infinity });
		expect(await failures(COUNT)).toHaveLength(COUNT);
		expect(service.requests.length).toBeLessThanOrEqual(10);
	});

	it('cost no more than the first requests if the token is rejected for each item', async () => {
		service.fail(match, { kind: 'status', status: 401 }, { times: Infinity });
		expect(await failures(COUNT)).toHaveLength(COUNT);
		expect(service.requests.length).toBeLessThanOrEqual(9);
	});

	it('split each request of an outage into six parts', async () => {
		service.fail(match, { kind: 'status', status: 503 }, { times: Infinity });
		expect(await failures(100)).toHaveLength(100);
		expect(service.requests.length).toBe((100 / together) * (5 + 6));
	});

	it.each([400, 403, 408, 409, 410, 413, 422, 423, 431, 451, 500])(
		'fail only for the item that gets a %d',
		async (status) => {
			service.fail(ofItem(1008), { kind: 'status', status }, { times: Infinity });
			expect(await failures(40)).toEqual([7]);
			expect(message).toContain('1008');
		},
	);
});
