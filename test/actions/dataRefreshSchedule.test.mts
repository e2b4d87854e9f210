import type { IDataObject } from 'n8n-workflow';
import { errorText, onlyRequest, run } from '../support/runs.mts';
import type { SimulatedService } from '../support/service/http.mts';
import { smallWorld } from '../support/smallWorld.mts';

let service: SimulatedService;

beforeAll(async () => {
	({ service } = await smallWorld());
});

afterAll(async () => await service.close());

const schedule = (over: IDataObject, timezone?: string) =>
	run(
		service,
		{ resource: 'dataRefresh', operation: 'schedule', engagementId: 1001, ...over },
		[{}],
		{ timezone },
	);

it.each([
	...['1', '2', '3', '4', '5', 3].map((code) => [code, String(code)]),
	['Weekly', '3'],
	['={{ "3" }}', '3'],
	['={{ "WEEKLY" }}', '3'],
	['={{ "ANNUALLY" }}', '1'],
])('sends the frequency %j', async (scheduleFrequency = '', code) => {
	await schedule({ scheduleFrequency, scheduleStartDate: '2026-12-02' });
	const { url, body } = onlyRequest(service);
	expect(url).toBe(`/v1/clients/${service.clientId}/engagements/1001/schedule`);
	expect(body).toEqual({ scheduleFrequency: code, scheduleStartDate: '2026-12-02' });
});

it.each(['3', 'Weekly', 3, '={{ "3" }}'])(
	'requires a start date with the frequency %j',
	async (scheduleFrequency) => {
		const result = await schedule({ scheduleFrequency, scheduleStartDate: '' });
		expect(errorText(result)).toMatch(/Start Date is empty \[item 0\]/);
		expect(service.requests).toEqual([]);
	},
);

it.each(['0', 0, 'NOT_SCHEDULED', 'Not Scheduled', '={{ "0" }}', '={{ "not scheduled" }}'])(
	"sends today's date, in the workflow's time zone, with the frequency %j",
	async (scheduleFrequency) => {
		const over = { scheduleFrequency, scheduleStartDate: '' };
		const { error } = await schedule(over, 'Pacific/Kiritimati');
		expect(error).toBeUndefined();
		const today = new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);
		expect(onlyRequest(service).body).toEqual({
			scheduleFrequency: '0',
			scheduleStartDate: today,
		});
	},
);

it.each([
	['2026-12-01T23:30:00'],
	['2026-12-01T23:30:00-11:00'],
	['={{ DateTime.fromISO("2026-12-01T23:30:00", { zone: "Pacific/Auckland" }) }}'],
])('sends the calendar day as entered: %s', async (scheduleStartDate) => {
	const { error } = await schedule({ scheduleStartDate }, 'Asia/Tokyo');
	expect(error).toBeUndefined();
	expect(onlyRequest(service).body).toMatchObject({ scheduleStartDate: '2026-12-01' });
});

it('gives Custom Body precedence', async () => {
	service.settings.extraBody = ['note'];
	const options = { customBody: '{"scheduleFrequency": "4", "note": "x"}' };
	const date = '2026-12-01';
	await schedule({ scheduleFrequency: '3', scheduleStartDate: date, options });
	expect(onlyRequest(service).body).toEqual({
		scheduleFrequency: '4',
		scheduleStartDate: date,
		note: 'x',
	});
});
