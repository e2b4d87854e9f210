import type { IDataObject } from 'n8n-workflow';

import { onlyRequest, run, useService } from '../support/runs.mts';
import type { SimulatedService } from '../support/service/http.mts';
import { smallWorld } from '../support/smallWorld.mts';

let service: SimulatedService;

useService(beforeAll, async () => ({ service } = await smallWorld()));

const schedule = (over: IDataObject, timezone?: string) =>
	run(
		service,
		{ resource: 'dataRefresh', operation: 'schedule', engagementId: 1001, ...over },
		[{}],
		{ timezone },
	);

it('takes a start date that Custom Body names', async () => {
	const customBody = '{"scheduleStartDate": "2026-05-01"}';
	const over = { scheduleFrequency: '3', scheduleStartDate: '', options: { customBody } };
	expect((await schedule(over)).error).toBeUndefined();
	expect(onlyRequest(service).body).toEqual({
		scheduleFrequency: '3',
		scheduleStartDate: '2026-05-01',
	});
});

it("sends today's date, in the workflow's time zone, if there is to be no schedule", async () => {
	const over = { scheduleFrequency: 'Not Scheduled', scheduleStartDate: '' };
	const { error } = await schedule(over, 'Pacific/Kiritimati');
	expect(error).toBeUndefined();
	const today = new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);
	expect(onlyRequest(service).body).toEqual({ scheduleFrequency: '0', scheduleStartDate: today });
});

it('sends the calendar day as entered', async () => {
	const { error } = await schedule(
		{ scheduleStartDate: '2026-12-01T23:30:00-11:00' },
		'Asia/Tokyo',
	);
	expect(error).toBeUndefined();
	expect(onlyRequest(service).body).toMatchObject({ scheduleStartDate: '2026-12-01' });
});
