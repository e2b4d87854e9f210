/** Include Steps: the steps of each upload, as far as the service allows. */
import type { IDataObject } from 'n8n-workflow';
import { systemClock } from '../../nodes/EngagementUploads/values/clock.ts';
import { makeCredential } from '../support/world/credentials.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import {
	changeAnswers,
	complete,
	completeMany,
	drain,
	modes,
	service,
	trigger,
	useSmallService,
} from './polling.mts';

const MINUTE = 60_000;

useVirtualTime();
useSmallService();

/** The IDs of the uploads whose steps have been requested. */
const asked = () =>
	service.requests.flatMap(({ path }) => /\/workflows\/.*\/uploads\/(.*)$/.exec(path)?.[1] ?? []);

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

	it.each(modes)(
		'under a rate limit come out as far as they could be fetched, %o',
		async (mode) => {
			const ids = completeMany(100);
			const poller = trigger(parameters, mode);
			service.settings.rateLimit = { requests: 30, perMs: MINUTE };
			const emitted: string[] = [];
			for (let polls = 0; emitted.length < ids.length; polls++) {
				expect(polls).toBeLessThan(6);
				const before = new Set(emitted);
				service.clearRequests();
				const items = (await poller.poll()) ?? [];
				expect(items.length).toBeGreaterThan(0);
				expect(asked().filter((id) => before.has(id))).toEqual([]);
				for (const { json } of items) {
					expect(json.currentStep).toEqual(expect.any(String));
					emitted.push(String(json.uploadId));
				}
				// The service's clock, and its limits, move on.
				service.model.clock.move(MINUTE);
				await systemClock.sleep(MINUTE);
			}
			expect(emitted).toEqual(ids);
		},
	);

	it('that take too long come out with a later poll', async () => {
		service.settings.latencyMs = 600;
		const ids = completeMany(100);
		const options = { pageSize: 1000, includeWorkflow: true };
		const poller = trigger({ startFrom: 'beginning', options }, { budgetMs: 3000 });
		const polls = await drain(poller);
		expect(polls.length).toBeGreaterThan(1);
		expect(polls.flat()).toEqual(ids);
	});
});

/** The items of uploads, of which these have steps. */
function withSteps(ids: string[], hasSteps = (_id: string) => true): object[] {
	const all = { steps: expect.any(Array), currentStep: 'Store', currentStepStatus: 'COMPLETED' };
	const none = { steps: null, currentStep: null, currentStepStatus: null };
	return ids.map((uploadId) => ({ json: { uploadId, ...(hasSteps(uploadId) ? all : none) } }));
}
