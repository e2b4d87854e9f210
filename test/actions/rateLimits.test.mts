/** Rate limits far below what the node would send. */
import { startService, type SimulatedService } from '../support/service/http.mts';
import { useVirtualTime } from '../support/virtualTime.mts';
import { itemsFrom, jsonOf, run, useService } from '../support/runs.mts';

useVirtualTime();

let service: SimulatedService;

useService(beforeEach, async () => (service = await startService({ settings: { latencyMs: 2 } })));
beforeEach(() => {
	for (const { id } of itemsFrom(1, 80)) service.model.addEngagement({ id });
});

it.each([5, 10, 20])(
	'loses nothing if the service accepts %i requests a second',
	async (requests) => {
		service.settings.rateLimit = { requests, perMs: 1000 };
		const company = { resource: 'company', operation: 'get', engagementId: '={{ $json.id }}' };
		const { items } = await run(service, company, itemsFrom(1, 80), {
			onError: 'continueRegularOutput',
		});
		expect(jsonOf(items).filter(({ error }) => error !== undefined)).toEqual([]);
	},
);
