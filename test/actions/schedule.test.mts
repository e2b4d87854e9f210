/** Data Refresh > Schedule: its start date. */
import type { IDataObject } from 'n8n-workflow';

import { onlyRequest, readOutput, service } from '../support/engine/runs.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';

// Today must not end between the test and the node.
useVirtualTime();
useSmallWorld(beforeAll);

const bodySent = async (over: IDataObject, timezone?: string) => {
	const schedule = { resource: 'dataRefresh', operation: 'schedule', engagementId: 1001 };
	await readOutput(service, { ...schedule, ...over }, [{}], { timezone });
	return onlyRequest(service).body;
};

it('takes a start date that Custom Body names', async () => {
	const sent = { scheduleFrequency: '3', scheduleStartDate: '2026-05-01' };
	const { scheduleFrequency, ...customBody } = sent;
	const over = { scheduleFrequency, scheduleStartDate: '', options: { customBody } };
	expect(await bodySent(over)).toEqual(sent);
});

it("needs none for no schedule, and then sends today's, in the workflow's time zone", async () => {
	const today = new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);
	for (const [entered, sent] of Object.entries({ '': today, '2026-12-01': '2026-12-01' })) {
		const over = { scheduleFrequency: 'Not Scheduled', scheduleStartDate: entered };
		expect(await bodySent(over, 'Pacific/Kiritimati')).toEqual({
			scheduleFrequency: '0',
			scheduleStartDate: sent,
		});
	}
});
