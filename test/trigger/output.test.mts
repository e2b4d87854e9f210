/** What the trigger emits; docs/output.md shows the usual forms. */
import type { IDataObject } from 'n8n-workflow';
import { makeCredential } from '../support/world/credentials.mts';
import {
	activated,
	changeAnswers,
	pollChanges,
	complete,
	completeMany,
	listIds,
	service,
	setStatus,
	start,
	trigger,
	useSmallService,
} from './polling.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';

useVirtualTime();

useSmallService(() => {
	service.model.addEngagement({ id: 2 });
});

it('has the selected fields, simplified ones first', async () => {
	const uploadId = complete(5);
	const fields = 'uploadId, completionDate, nowhere';
	const given = { startFrom: 'beginning', output: 'selectedFields', fields };
	const completionDate = '2026-06-15T09:55:00.000Z';
	expect(await trigger(given).poll()).toEqual([
		{ json: { uploadId, completionDate, nowhere: null } },
	]);
});

describe('the steps of each upload', () => {
	const parameters = { startFrom: 'beginning', options: { includeWorkflow: true } };

	it('are in order, with times as ISO 8601, and with the current one as text', async () => {
		service.settings.printZone = 'America/New_York';
		const uploadId = complete(5);
		const credential = makeCredential(service, { timeZone: 'America/New_York' });
		const items = (await trigger({ ...parameters, output: 'raw' }, { credential }).poll()) ?? [];
		const { json = {} } = items[0] ?? {};
		expect(json).toMatchObject({ uploadId, currentStep: 'Store', currentStepStatus: 'COMPLETED' });
		const steps = json.steps as IDataObject[];
		expect(steps.map(({ sorting }) => sorting)).toEqual([1, 2, 3, 4, 5]);
		for (const { started } of steps) expect(started).toMatch(/^2026-06-15T09:.*Z$/);
		expect(json).not.toHaveProperty('workflow');
	});

	it.each([
		...[401, 403, 400, 404, 410, 500, 503].map((status) => ({ kind: 'status', status }) as const),
		{ kind: 'html' } as const,
		{ kind: 'hang' } as const,
		{ kind: 'reset' } as const,
		{ kind: 'redirect', location: 'https://elsewhere.example' } as const,
	])('are null if the response is always %j, and holds up no other', async (fault) => {
		const ids = [complete(5), complete(4), complete(3)];
		service.fail({ path: new RegExp(`${ids[0]}$`) }, fault, { times: Infinity });
		const items = await trigger(parameters, { budgetMs: 5000 }).poll();
		expect(items).toMatchObject(withSteps(ids, (id) => id !== ids[0]));
	});

	it('are null if no URL can contain the ID of an upload', async () => {
		const ids = [
			complete(5, { uploadId: 'a\ud800b' }),
			complete(4, { uploadId: 'x'.repeat(3000) }),
		];
		const last = complete(3);
		const items = await trigger(parameters).poll();
		expect(items).toMatchObject(withSteps([...ids, last], (id) => id === last));
	});

	it('are null, and not requested, if an upload names no engagement', async () => {
		const ids = [complete(5), complete(4)];
		changeAnswers(({ body }) => Object.assign(Object(body?.content?.[0]), { engagementId: null }));
		const items = await trigger(parameters).poll();
		expect(items).toMatchObject(withSteps(ids, (id) => id === ids[1]));
		expect(service.requests.filter(({ path }) => path.includes('workflows'))).toHaveLength(1);
	});

	it('wait for the next poll where many others are refused with a 401', async () => {
		const ids = completeMany(160);
		const refused = new RegExp(`(${ids.slice(5, 120).join('|')})$`);
		service.fail({ path: refused }, { kind: 'status', status: 401 }, { times: Infinity });
		const poller = trigger(parameters);
		const isRead = (id: string) => !refused.test(id);
		const items = [...((await poller.poll()) ?? []), ...((await poller.poll()) ?? [])];
		expect(items).toMatchObject(withSteps(ids, isRead));
	});

	it.each([
		['a quota', { kind: 'status', status: 403, headers: { 'retry-after': '3600' } } as const],
		['an outage', { kind: 'status', status: 503 } as const],
	])('fail a poll that has fetched none because of %s, and nothing is lost', async (_, fault) => {
		const ids = [complete(5), complete(4)];
		const poller = trigger(parameters);
		service.fail({ path: /workflows/ }, fault, { times: Infinity });
		await expect(poller.poll()).rejects.toThrow('Could not get the steps of upload');
		expect(poller.globalState).toEqual({});
		service.clearFaults();
		expect(await poller.poll()).toMatchObject(withSteps(ids));
	});
});

/** The items of uploads, of which these have steps. */
function withSteps(ids: string[], hasSteps = (_id: string) => true): object[] {
	const all = { steps: expect.any(Array), currentStep: 'Store', currentStepStatus: 'COMPLETED' };
	const none = { steps: null, currentStep: null, currentStepStatus: null };
	return ids.map((uploadId) => ({ json: { uploadId, ...(hasSteps(uploadId) ? all : none) } }));
}

describe('a manual test', () => {
	const manual = (parameters: object = {}, staticData = {}) =>
		trigger({ ...parameters }, { mode: 'manual', staticData });

	it('shows the latest five, whatever the state, and changes nothing', async () => {
		const ids = [70, 60, 50, 40, 30, 20].map((minutes) => complete(minutes));
		const active = await activated();
		const poller = manual({}, active.state);
		expect(await listIds(poller)).toEqual(ids.slice(1));
		expect(await listIds(poller)).toEqual(ids.slice(1));
		expect(poller.state).toEqual(active.state);
		expect(poller.globalState).toEqual({});
	});

	it('shows only matching uploads, however far back', async () => {
		const first = complete(1000, { engagementId: 2 });
		completeMany(2100, 0.1);
		const filters = { engagementIds: '2' };
		expect(await listIds(manual({ filters }))).toEqual([first]);
	});

	it('fails if uploads name their connectors in another way than the filter', async () => {
		complete(5, { connectorName: 'Cloud Books v2' });
		const poller = manual({ filters: { connectorNames: ['cloudbooks'] } });
		await expect(poller.poll()).rejects.toThrow(
			/^Connector Names or IDs excludes all uploads, .* than the connectors: “Cloud Books v2”/,
		);
		complete(4, { connectorName: 'cloudbooks' });
		expect(await listIds(poller)).toHaveLength(1);
	});

	it('looks through the latest 2,000 uploads at most', async () => {
		completeMany(2500);
		const filters = { externalEngagementIds: 'none' };
		expect(await listIds(manual({ filters }))).toEqual([]);
		expect(service.requests).toHaveLength(10);
	});

	it('reads no more if the date of one upload cannot be read', async () => {
		completeMany(400);
		const odd = { completionDate: '15/06/2026 10:00' };
		changeAnswers(({ body }, { query }) => {
			if (query.page === '0') Object.assign(Object(body?.content?.[3]), odd);
		});
		expect(await listIds(manual())).toHaveLength(5);
		expect(service.requests).toHaveLength(1);
	});

	it('shows the latest even if the service ignores the order', async () => {
		service.settings.honourOrderBy = false;
		const ids = completeMany(2100);
		expect(await listIds(manual())).toEqual(ids.slice(-5));
	});

	it('shows failures, or statuses, of an event that follows uploads', async () => {
		const ids = [50, 40, 30].map((minutes) => start(minutes));
		setStatus(ids[1] ?? '', 'FAILED');
		expect(await listIds(manual({ event: 'uploadFailed' }))).toEqual([ids[1]]);
		expect(await pollChanges(manual({ event: 'uploadStatusChanged' }))).toEqual([
			[ids[0], null, 'LOADING'],
			[ids[1], null, 'FAILED'],
			[ids[2], null, 'LOADING'],
		]);
	});
});
