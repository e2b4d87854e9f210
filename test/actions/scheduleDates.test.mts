import type { IDataObject } from 'n8n-workflow';
import { errorText, onlyRequest, outputOf, run } from '../support/runs.mts';
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

it.each(['3', 'Weekly', 3, '={{ "3" }}'])(
	'is required with the frequency %j, which is checked before anything is sent',
	async (scheduleFrequency) => {
		const parameters = schedule({ scheduleFrequency, scheduleStartDate: '' });
		const result = await run(service, parameters);
		expect(errorText(result)).toMatch(/Start Date is empty \[item 0\]/);
		expect(service.requests).toEqual([]);
	},
);

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
