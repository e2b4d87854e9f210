/** What is special about single operations. */
import type { IDataObject } from 'n8n-workflow';

import type { SimulatedService } from '../support/service/http.mts';
import { onlyRequest, readOutput, run, useService } from '../support/runs.mts';
import { smallWorld } from '../support/smallWorld.mts';

let service: SimulatedService;
let uploads: string[];

useService(beforeAll, async () => ({ service, uploads } = await smallWorld()));

const TRUE = [true, 'TRUE', 'yes', 1];
const FALSE = [false, 'False', 'no', '0', null];

it.each([
	['connector', 'isRefreshable'],
	['engagement', 'dataRefreshEnabled'],
])('the filter Refreshable of %ss understands booleans in any form', async (resource, name) => {
	const body = [...TRUE, ...FALSE].map((value, index) => ({ id: index + 1, [name]: value }));
	const count = async (refreshable: string) => {
		service.fail({}, { kind: 'status', status: 200, body });
		const given = { resource, operation: 'getAll', filters: { refreshable } };
		return (await readOutput(service, given)).length;
	};
	expect([await count('Yes'), await count('false')]).toEqual([TRUE.length, FALSE.length]);
});

it('what Custom Body and Custom Query name takes precedence', async () => {
	service.settings.extraBody = ['sme.country'];
	const create = {
		...{ resource: 'engagement', operation: 'create', name: 'Elder & Co' },
		additionalFields: { externalEngagementId: 'A', usePortal: true },
		options: {
			customBody: { sme: { country: 'GB' }, externalEngagementId: 'B' },
			customQuery: { usePortal: false },
		},
	};
	await readOutput(service, create);
	expect(onlyRequest(service)).toMatchObject({
		query: { usePortal: 'false' },
		body: { sme: { name: 'Elder & Co', country: 'GB' }, externalEngagementId: 'B' },
	});
});

it('Split Steps returns one item per step in the order of the process', async () => {
	const own = { uploadId: uploads[0], engagementId: 1001 };
	const raw = service.ask('GET', `/v1/workflows/engagements/1001/uploads/${uploads[0]}`).body;
	const { steps } = raw as { steps: IDataObject[] };
	const shuffled = { ...Object(raw), steps: [...steps].reverse() };
	service.fail({}, { kind: 'status', status: 200, body: shuffled });
	const split = { resource: 'upload', operation: 'getWorkflow', splitSteps: true, output: 'raw' };
	const iso = (time: unknown) => (typeof time === 'string' ? `${time}.000Z` : time);
	expect(await readOutput(service, { ...split, ...own })).toEqual(
		steps.map((step) => ({
			...step,
			created: iso(step.created),
			started: iso(step.started),
			lastUpdate: iso(step.lastUpdate),
			...own,
		})),
	);
});

it.each([
	[{ type: 'DOWNLOAD', redirectUrl: 'https://a', acmeClientUrl: 'https://b' }, 'https://b'],
	[{ type: 'REDIRECT', redirectUrl: 'https://a', acmeClientUrl: 'https://b' }, 'https://a'],
	[{ type: 'DOWNLOAD', acmeClientUrl: 'null', url: 'https://a' }, 'https://a'],
	[{ type: 'REDIRECT', url: 'null' }, null],
])('Upload > Start takes the address for the customer from %j', async (body, url) => {
	service.fail({}, { kind: 'status', status: 200, body });
	const start = { resource: 'upload', operation: 'start', connectorName: 'cloudbooks' };
	expect(await readOutput(service, { ...start, engagementId: 1001 })).toMatchObject([{ url }]);
});

describe('dataRefresh.schedule', () => {
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

	it("sends today's date, in the workflow's time zone, for no schedule", async () => {
		const over = { scheduleFrequency: 'Not Scheduled', scheduleStartDate: '' };
		const { error } = await schedule(over, 'Pacific/Kiritimati');
		expect(error).toBeUndefined();
		const today = new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);
		expect(onlyRequest(service).body).toEqual({ scheduleFrequency: '0', scheduleStartDate: today });
	});

	it.each(['0', '1'])('sends the calendar day as entered (Frequency: %s)', async (frequency) => {
		const over = {
			scheduleFrequency: frequency,
			scheduleStartDate: '2026-12-01T23:30:00-11:00',
		};
		const { error } = await schedule(over, 'Asia/Tokyo');
		expect(error).toBeUndefined();
		expect(onlyRequest(service).body).toMatchObject({ scheduleStartDate: '2026-12-01' });
	});
});
