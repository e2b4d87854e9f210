import type { IDataObject } from 'n8n-workflow';

import { pollerOf } from '../polls.mts';
import { outputOf, useService } from '../runs.mts';
import { startService, type SimulatedService } from './http.mts';
import { NOTABLE } from './sampleStatuses.mts';

const HOUR = 3_600_000;

let service: SimulatedService;
useService(beforeEach, async () => {
	service = await startService({ sample: true });
	// Otherwise, time passes while the test runs.
	service.model.setClock(service.model.now);
	return service;
});

/** The data statuses as the node returns them, without any setting. */
async function statuses(): Promise<IDataObject[]> {
	return await outputOf(service, { resource: 'engagement', operation: 'getStatus' });
}

it('has a customer of every data status among the first that are listed', async () => {
	const found = new Map((await statuses()).map((each) => [each.engagementId, each]));
	const statusOf = (id: number) => found.get(id)?.dataStatus;
	expect(NOTABLE.neverShared.map(statusOf)).toEqual(['never', 'never']);
	expect(NOTABLE.gettingStuck.map(statusOf)).toEqual(NOTABLE.gettingStuck.map(() => 'running'));
	expect(statusOf(NOTABLE.stale)).toBe('stale');
	expect(statusOf(NOTABLE.stuck)).toBe('stuck');
	expect([...found.values()].map(({ dataStatus }) => dataStatus)).toContain('fresh');
	expect(found.get(NOTABLE.lastFailed)).toMatchObject({ dataStatus: 'failed', ageDays: 12 });
});

it('has uploads that get stuck one after the other while somebody tries the trigger', async () => {
	const poller = pollerOf(service, { event: 'uploadStuck' });
	expect(await poller.poll()).toBeNull();
	const emitted: unknown[] = [];
	for (let tenth = 0; tenth < 10; tenth += 1) {
		service.model.moveClock(HOUR / 10);
		emitted.push(...((await poller.poll()) ?? []).map(({ json }) => json.engagementId));
	}
	expect(emitted).toEqual(NOTABLE.gettingStuck);
});
