import type { IDataObject } from 'n8n-workflow';

import { startService, type SimulatedService } from '../support/service/http.mts';
import { itemsFrom, run, start, until, useService } from '../support/runs.mts';
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
	it('limits items and their pages together', async () => {
		const list = { ...pages({ parallelRequests: 5 }), output: 'selectedFields', fields: 'Id' };
		const { items } = await run(service, list, itemsFrom(1, 3));
		expect(items).toHaveLength(900);
		expect(service.mostAtOnce).toBe(5);
	});
});

it('nothing is lost if the service accepts 10 requests a second', async () => {
	service.settings.rateLimit = { requests: 10, perMs: 1000 };
	const { error, items } = await run(service, company(), itemsFrom(1, 80));
	expect([error, items.length]).toEqual([undefined, 80]);
});

it('a cancelled execution ends within a second, and sends nothing more', async () => {
	service.fail({}, { kind: 'hang' }, { skip: 20, times: 99 });
	const { done, cancel } = start(service, company({ parallelRequests: 4 }), itemsFrom(1, 300));
	await until(() => service.requests.length === 24, 'requests are in flight');
	const cancelledAt = Date.now();
	cancel();
	await done;
	expect(Date.now() - cancelledAt).toBeLessThan(1000);
	expect(service.requests).toHaveLength(24);
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
