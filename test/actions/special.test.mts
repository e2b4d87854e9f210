/** What is special about single operations. */
import type { IDataObject } from 'n8n-workflow';

import type { SimulatedService } from '../support/service/http.mts';
import { errorText, onlyRequest, readOutput, run, useService } from '../support/engine/runs.mts';
import { smallWorld } from '../support/world/smallWorld.mts';

let service: SimulatedService;

useService(beforeAll, async () => ({ service } = await smallWorld()));

const TRUE = [true, 'TRUE', 'yes', 1];
const FALSE = [false, 'False', 'no', '0', null];

it.each([
	['connector', 'isRefreshable'],
	['engagement', 'dataRefreshEnabled'],
])('the filter Refreshable of %ss understands booleans in any form', async (resource, name) => {
	const body = [...TRUE, ...FALSE].map((value, index) => ({
		...{ id: index + 1, name: 'a' },
		[name]: value,
	}));
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
	const own = { uploadId: 'a', engagementId: 1001 };
	const steps = [2, 1, 3].map((sorting) => ({ sorting }));
	service.fail({}, { kind: 'status', status: 200, body: { ...own, steps } });
	// docs/output.md has a whole step.
	const split = { resource: 'upload', operation: 'getWorkflow', splitSteps: true, output: 'raw' };
	const expected = [1, 2, 3].map((sorting) => ({ sorting, ...own }));
	expect(await readOutput(service, { ...split, ...own })).toMatchObject(expected);
});

it.each([
	[{ type: 'DOWNLOAD', redirectUrl: 'https://a', acmeClientUrl: 'https://b' }, 'https://b'],
	[{ type: 'REDIRECT', redirectUrl: 'https://a', acmeClientUrl: 'https://b' }, 'https://a'],
	[{ type: 'DOWNLOAD', acmeClientUrl: 'null', url: 'https://a' }, 'https://a'],
])('Upload > Start takes the address for the customer from %j', async (body, url) => {
	service.fail({}, { kind: 'status', status: 200, body });
	const start = { resource: 'upload', operation: 'start', connectorName: 'cloudbooks' };
	expect(await readOutput(service, { ...start, engagementId: 1001 })).toMatchObject([{ url }]);
});

it('Upload > Start without an address for the customer has an unknown outcome', async () => {
	service.fail({}, { kind: 'status', status: 200, body: { type: 'REDIRECT', url: 'null' } });
	const start = { resource: 'upload', operation: 'start', connectorName: 'cloudbooks' };
	expect(errorText(await run(service, { ...start, engagementId: 1001 }))).toMatch(
		/outcome is unknown because .* has type, url, expected redirectUrl or another web address/,
	);
});

describe('dataRefresh.schedule', () => {
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
});
