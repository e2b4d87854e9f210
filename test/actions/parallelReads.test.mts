/** Reads of many items: side by side, each with its own result, error and options. */
import type { IDataObject } from 'n8n-workflow';

import { startService } from '../support/service/http.mts';
import {
	itemsFrom,
	onErrorContinue,
	run,
	service,
	start,
	toJson,
	until,
	useService,
} from '../support/engine/runs.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';

useVirtualTime();

const COUNT = 200;
/** The only engagement that does not exist. */
const BAD = 117;

useService(beforeEach, async () => await startService({ settings: { latencyMs: 10 } }));
beforeEach(() => {
	service.model.addConnector({ name: 'cloudbooks' });
	for (const { id } of itemsFrom(1, COUNT)) {
		if (id === BAD) continue;
		service.model.addEngagement({ id, name: `Company ${id}` });
		service.model.addCompletedUpload({ engagementId: id });
	}
});

const company: IDataObject = {
	resource: 'company',
	operation: 'get',
	engagementId: '={{ $json.id }}',
};
const items = itemsFrom(1, COUNT);

describe('On Error', () => {
	it('continues with all other results in input order, and one error, each linked to its item', async () => {
		service.settings.latencyMs = [1, 40];
		const { items: results, error } = await run(service, company, items, onErrorContinue);
		expect(error).toBeUndefined();
		expect(results.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
		const failed =
			/^Could not get the company details of engagement 117: .*\(404\).*“Engagement 117 not found”/;
		expect(toJson(results).map(({ engagementId, error: text }) => text ?? engagementId)).toEqual(
			items.map(({ id }) => (id === BAD ? expect.stringMatching(failed) : id)),
		);
		expect(service.requests).toHaveLength(COUNT);
		// It begins with 32, and each success adds one.
		expect(service.mostAtOnce).toBeGreaterThan(40);
	});

	it('stops at the first failure by default, and waits for no other item', async () => {
		const later = { 'retry-after': '60' };
		service.fail({ path: /engagements\/116/ }, { kind: 'status', status: 503, headers: later });
		const { items: results, error } = await run(service, company, items.slice(BAD - 10));
		expect(results).toEqual([]);
		expect(error).toMatchObject({ name: 'NodeApiError', httpCode: '404' });
		expect(error?.message).toContain('[item 9]');
		expect(service.requests.length).toBeLessThan(COUNT - BAD);
		expect(service.requests.filter(({ path }) => path.includes('/116/'))).toHaveLength(1);
	});
});

it('a cancelled execution ends within a second, and sends nothing more', async () => {
	service.fail({}, { kind: 'hang' }, { skip: 20, times: COUNT });
	const { done, cancel } = start(service, company, items);
	await until(() => service.requests.length > 40, 'requests are in flight');
	const sent = service.requests.length;
	const cancelledAt = Date.now();
	cancel();
	await done;
	expect(Date.now() - cancelledAt).toBeLessThan(1000);
	expect(service.requests).toHaveLength(sent);
});
