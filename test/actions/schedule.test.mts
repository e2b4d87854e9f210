/** Data Refresh > Schedule: its frequency and start date. */
import type { IDataObject } from 'n8n-workflow';

import { makeSetup, onlyRequest, readOutput, service } from '../support/engine/runs.mts';
import { callTool } from '../support/engine/tool.mts';
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

it("takes none for no schedule, and then sends today's, in the workflow's time zone", async () => {
	const today = new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);
	for (const scheduleStartDate of ['', '2026-12-01'])
		expect(
			await bodySent(
				{ scheduleFrequency: 'Not Scheduled', scheduleStartDate },
				'Pacific/Kiritimati',
			),
		).toEqual({ scheduleFrequency: '0', scheduleStartDate: today });
});

it("an agent's empty call sets no schedule, and is told what is missing", async () => {
	const schedule = { resource: 'dataRefresh', operation: 'schedule', engagementId: 1001 };
	const before = service.requests.length;
	const [answer] = await callTool(makeSetup(service, schedule));
	expect(answer).toContain('Frequency is empty');
	expect(service.requests).toHaveLength(before);
});
