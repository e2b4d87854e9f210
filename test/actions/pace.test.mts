import type { IDataObject } from 'n8n-workflow';

import { startService, type SimulatedService } from '../support/service/http.mts';
import { errorText, itemsFrom, outputOf, run, start, until } from '../support/runs.mts';

let service: SimulatedService;

beforeEach(async () => {
	service = await startService({ settings: { latencyMs: 10 } });
	service.model.addConnector({ name: 'cloudbooks' });
	for (const { id } of itemsFrom(1, 300)) service.model.addEngagement({ id });
});

afterEach(async () => await service.close());

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

	it('accepts a number as text', async () => {
		await run(service, company({ parallelRequests: '2' }), itemsFrom(1, 10));
		expect(service.mostAtOnce).toBe(2);
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

	it('decreases when the service asks to slow down', async () => {
		service.fail(
			{},
			{ kind: 'status', status: 429, headers: { 'retry-after': '0.2' } },
			{ skip: 100 },
		);
		const { error } = await run(service, company(), itemsFrom(1, 300));
		expect(error).toBeUndefined();
		const refusedAt = service.requests.find(({ status }) => status === 429)?.doneAt ?? Infinity;
		const openAt = (time: number) =>
			service.requests.filter(({ at, doneAt = 0 }) => at <= time && doneAt > time).length;
		const later = service.requests.filter(({ at }) => at > refusedAt + 150);
		const before = Math.max(
			...service.requests.filter(({ at }) => at <= refusedAt).map(({ at }) => openAt(at)),
		);
		expect(openAt(later[0]?.at ?? 0)).toBeLessThan(before);
	});

	it('keeps within a rate limit without losing anything', async () => {
		service.settings.rateLimit = { requests: 40, perMs: 500 };
		const { items, error } = await run(service, company(), itemsFrom(1, 100));
		expect(error).toBeUndefined();
		expect(items).toHaveLength(100);
	}, 15_000);
});

describe('cancelling', () => {
	it('stops further requests of many items within a second', async () => {
		service.settings.latencyMs = 30;
		const { done, cancel } = start(service, company({ parallelRequests: 4 }), itemsFrom(1, 300));
		await until(() => service.requests.length > 20, 'some requests were sent');
		const cancelledAt = Date.now();
		cancel();
		await done;
		expect(Date.now() - cancelledAt).toBeLessThan(1000);
		const late = service.requests.filter(({ at }) => at > cancelledAt + 100);
		expect(late).toEqual([]);
		expect(service.requests.length).toBeLessThan(60);
	});

	it('stops a wait for Retry-After within a second', async () => {
		service.fail(
			{},
			{ kind: 'status', status: 429, headers: { 'retry-after': '60' } },
			{ times: 99 },
		);
		const { done, cancel } = start(service, company(), itemsFrom(1, 1));
		await until(() => service.requests[0]?.doneAt !== undefined, 'the request was refused');
		const cancelledAt = Date.now();
		cancel();
		await done;
		expect(Date.now() - cancelledAt).toBeLessThan(1000);
		expect(service.requests).toHaveLength(1);
	});

	it('stops a request in flight within a second, and does not repeat it', async () => {
		service.fail({}, { kind: 'hang' }, { times: 99 });
		const { done, cancel } = start(service, company(), itemsFrom(1, 1));
		await until(() => service.requests.length > 0, 'the request was sent');
		const cancelledAt = Date.now();
		cancel();
		await done;
		expect(Date.now() - cancelledAt).toBeLessThan(1000);
		expect(service.requests).toHaveLength(1);
	});

	it('stops between two pages', async () => {
		const { done, cancel } = start(service, pages({ parallelRequests: 1 }));
		await until(() => service.requests.length > 3, 'some pages were read');
		cancel();
		await done;
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
