import type { IDataObject } from 'n8n-workflow';
import { onlyRequest, outputOf } from '../support/runs.mts';
import type { SimulatedService } from '../support/service/http.mts';
import { smallWorld } from '../support/smallWorld.mts';

let service: SimulatedService;

beforeAll(async () => {
	({ service } = await smallWorld());
});

afterAll(async () => await service.close());

const schedule = (over: IDataObject) => ({
	resource: 'dataRefresh',
	operation: 'schedule',
	engagementId: 1001,
	...over,
});

it('is marked as required, and so refused by n8n itself, unless nothing is scheduled', async () => {
	for (const scheduleFrequency of ['3', 'Weekly', 3]) {
		const parameters = schedule({ scheduleFrequency, scheduleStartDate: '' });
		await expect(outputOf(service, parameters)).rejects.toThrow(/Start Date/);
		expect(service.requests).toEqual([]);
	}
});

it.each(['0', 0, 'NOT_SCHEDULED', 'Not Scheduled', '={{ "0" }}', '={{ "not scheduled" }}'])(
	'may stay empty with the frequency %j',
	async (scheduleFrequency) => {
		await outputOf(service, schedule({ scheduleFrequency }));
		expect(onlyRequest(service).body).toEqual({
			scheduleFrequency: '0',
			scheduleStartDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
		});
	},
);

it.each([
	['0', '0'],
	['3', '3'],
	[3, '3'],
	['Weekly', '3'],
	['={{ "3" }}', '3'],
	['={{ "WEEKLY" }}', '3'],
])('is sent as entered with the frequency %j', async (scheduleFrequency, code) => {
	await outputOf(service, schedule({ scheduleFrequency, scheduleStartDate: '2026-12-02' }));
	expect(onlyRequest(service).body).toEqual({
		scheduleFrequency: code,
		scheduleStartDate: '2026-12-02',
	});
});
