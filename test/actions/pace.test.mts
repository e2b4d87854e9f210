import type { IDataObject } from 'n8n-workflow';

import { startService, type SimulatedService } from '../support/service/http.mts';
import { errorText, itemsFrom, outputOf, run, start, until, useService } from '../support/runs.mts';
import { useVirtualTime } from '../support/virtualTime.mts';

useVirtualTime();

let service: SimulatedService;

useService(beforeEach, async () => (service = await startService({ settings: { latencyMs: 10 } })));
beforeEach(() => {
	service.model.addConnector({ name: 'cloudbooks' });
	for (const { id } of itemsFrom(1, 300)) service.model.addEngagement({ id });
});

const company = (options: IDataObject = {}): IDataObject => ({
	resource: 'company',
	operation: 'get',
	engagementId: '={{ $json.id }}',
	options,
});
const pages = (options: IDataObject = {}): IDataObject => ({
	resource: 'engagement',
	operation: 'getAll',
	returnAll: true,
	options: { pageSize: 10, ...options },
});

describe('Parallel Requests', () => {
	it.each([1, 2, 3, 8, 20])('limits parallel items to %i', async (parallelRequests) => {
		// Long enough to send the last request before the first response, however busy the machine is.
		service.settings.latencyMs = 10 * parallelRequests;
		const { error } = await run(
			service,
			company({ parallelRequests }),
			itemsFrom(1, 8 * parallelRequests),
		);
		expect(error).toBeUndefined();
		expect(service.mostAtOnce).toBe(parallelRequests);
	});

	it.each([1, 3, 8])('limits parallel pages to %i', async (parallelRequests) => {
		expect(await outputOf(service, pages({ parallelRequests }))).toHaveLength(300);
		expect(service.mostAtOnce).toBe(parallelRequests);
	});

	it('counts items and their pages together', async () => {
		const list = { ...pages({ parallelRequests: 5 }), output: 'selectedFields', fields: 'Id' };
		const { items } = await run(service, list, itemsFrom(1, 3));
		expect(items).toHaveLength(900);
		expect(service.mostAtOnce).toBe(5);
	});

	it('starts with 32 and increases to 64 while the service keeps up', async () => {
		// Long enough to send all of them before the first response, however busy the machine.
		service.settings.latencyMs = 1000;
		const { error } = await run(service, company(), itemsFrom(1, 130));
		expect(error).toBeUndefined();
		const firstDone = Math.min(...service.requests.map(({ doneAt = Infinity }) => doneAt));
		expect(service.requests.filter(({ at }) => at < firstDone)).toHaveLength(32);
		expect(service.mostAtOnce).toBeGreaterThan(40);
		expect(service.mostAtOnce).toBeLessThanOrEqual(64);
	});
});

it.each([5, 10, 20])('loses nothing if the service accepts %i a second', async (requests) => {
	service.settings.rateLimit = { requests, perMs: 1000 };
	const { error, items } = await run(service, company(), itemsFrom(1, 80));
	expect([error, items.length]).toEqual([undefined, 80]);
});

describe('cancelling', () => {
	/** Cancels as soon as the condition holds; returns the requests sent well after that. */
	async function cancelWhen(
		condition: () => boolean,
		...[parameters, items]: [IDataObject, IDataObject[]?]
	) {
		const { done, cancel } = start(service, parameters, items);
		await until(condition, 'the execution can be cancelled');
		const cancelledAt = Date.now();
		cancel();
		await done;
		expect(Date.now() - cancelledAt).toBeLessThan(1000);
		return service.requests.filter(({ at }) => at > cancelledAt + 100);
	}

	it('stops further requests of many items within a second', async () => {
		service.settings.latencyMs = 30;
		const sentMany = () => service.requests.length > 20;
		const items = itemsFrom(1, 300);
		expect(await cancelWhen(sentMany, company({ parallelRequests: 4 }), items)).toEqual([]);
		expect(service.requests.length).toBeLessThan(60);
	});

	it('stops a wait for Retry-After within a second', async () => {
		const headers = { 'retry-after': '60' };
		service.fail({}, { kind: 'status', status: 429, headers }, { times: 99 });
		const isRefused = () => service.requests[0]?.doneAt !== undefined;
		await cancelWhen(isRefused, company(), itemsFrom(1, 1));
		expect(service.requests).toHaveLength(1);
	});

	it('stops a request in flight within a second, and does not repeat it', async () => {
		service.fail({}, { kind: 'hang' }, { times: 99 });
		await cancelWhen(() => service.requests.length > 0, company(), itemsFrom(1, 1));
		expect(service.requests).toHaveLength(1);
	});

	it('stops between two pages', async () => {
		await cancelWhen(() => service.requests.length > 3, pages({ parallelRequests: 1 }));
		expect(service.requests.length).toBeLessThan(10);
	});
});

it('gives each item its own Timeout', async () => {
	service.fail({ path: /\/2\// }, { kind: 'hang' }, { times: 99 });
	const parameters = {
		resource: 'dataRefresh',
		operation: 'run',
		engagementId: '={{ $json.id }}',
		connectorName: 'cloudbooks',
		options: { timeout: '={{ $json.id === 2 ? 0.1 : 60 }}' },
	};
	const { items } = await run(service, parameters, itemsFrom(1, 3), {
		onError: 'continueRegularOutput',
	});
	expect(items[1]?.json.error).toContain('did not respond within 0.1 seconds');
	expect(items[2]?.json.engagementId).toBe(3);
});

it('closes the connection when a response that trickles in takes too long', async () => {
	service.fail({}, { kind: 'drip', intervalMs: 150 }, { times: 99 });
	const parameters = {
		resource: 'dataRefresh',
		operation: 'run',
		engagementId: 1,
		connectorName: 'cloudbooks',
		options: { timeout: 0.5 },
	};
	const begun = Date.now();
	const result = await run(service, parameters, [{}]);
	expect(errorText(result)).toContain('did not respond within 0.5 seconds');
	await until(() => service.requests[0]?.doneAt !== undefined, 'the connection was closed');
	expect(Date.now() - begun).toBeLessThan(3000);
});
