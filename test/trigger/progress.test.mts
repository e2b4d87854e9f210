/** A service that allows or answers little: each poll emits something, moves on, or says why not. */
import { systemClock } from '../../nodes/EngagementUploads/values/clock.ts';
import type { Fault } from '../support/service/faults.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import {
	activated,
	complete,
	completeMany,
	drain,
	listIds,
	modes,
	service,
	trigger,
	useSmallService,
} from './polling.mts';

const MINUTE = 60_000;
const LIMIT: Fault = { kind: 'status', status: 429, headers: { 'retry-after': '60' } };

useVirtualTime();
useSmallService();

/** The IDs of the uploads whose steps have been requested. */
const withSteps = () =>
	service.requests.flatMap(({ path }) => /\/workflows\/.*\/uploads\/(.*)$/.exec(path)?.[1] ?? []);

describe('reading the list', () => {
	it('goes on after a restart whose first poll has too little time', async () => {
		// Pages whose number is not known are read one after the other.
		Object.assign(service.settings, { maxPageSize: 3, pageFields: 'none' });
		const poller = await activated({ options: { maxUploadsPerPoll: 59 } });
		const ids = completeMany(60);
		expect(await listIds(poller)).toEqual(ids.slice(0, -1));
		poller.restart();
		service.settings.latencyMs = 2000;
		expect(await listIds(poller)).toEqual([]);
		expect(await listIds(poller)).toEqual(ids.slice(-1));
	});

	it('is an error with advice if it takes too long, and loses nothing', async () => {
		completeMany(120);
		Object.assign(service.settings, { latencyMs: 100, pageFields: 'lastOnly' });
		const poller = await activated(
			{ options: { pageSize: 10 } },
			{ durable: true, budgetMs: 4000 },
		);
		const id = complete();
		// 60 pages one after the other take 6 s.
		poller.change({ options: { pageSize: 2 } });
		for (let polls = 0; polls < 2; polls++)
			await expect(poller.poll()).rejects.toThrow('could not be read in the time');
		poller.change({ options: { pageSize: 200 } });
		expect(await listIds(poller)).toEqual([id]);
	});
});

describe('steps', () => {
	it.each(modes)('under a quota come out as far as they could be fetched, %o', async (mode) => {
		const ids = completeMany(100);
		const parameters = { startFrom: 'beginning', options: { includeWorkflow: true } };
		const poller = trigger(parameters, mode);
		service.settings.rateLimit = { requests: 30, perMs: MINUTE };
		const emitted: string[] = [];
		for (let polls = 0; emitted.length < ids.length; polls++) {
			expect(polls).toBeLessThan(6);
			const before = new Set(emitted);
			service.clearRequests();
			const items = (await poller.poll()) ?? [];
			expect(items.length).toBeGreaterThan(0);
			expect(withSteps().filter((id) => before.has(id))).toEqual([]);
			for (const { json } of items) {
				expect(json.currentStep).toEqual(expect.any(String));
				emitted.push(String(json.uploadId));
			}
			// The service's clock, and its limits, move on.
			service.model.clock.move(MINUTE);
			await systemClock.sleep(MINUTE);
		}
		expect(emitted).toEqual(ids);
	});

	it('that take too long come out with a later poll', async () => {
		service.settings.latencyMs = 150;
		const ids = completeMany(400);
		const options = { pageSize: 1000, includeWorkflow: true };
		const poller = trigger({ startFrom: 'beginning', options }, { budgetMs: 3000 });
		const polls = await drain(poller);
		expect(polls.length).toBeGreaterThan(1);
		expect(polls.flat()).toEqual(ids);
	});
});

describe('a failed poll', () => {
	it('with an hour to wait changes nothing, and tells n8n when to poll again', async () => {
		const poller = trigger();
		service.fail({}, { kind: 'status', status: 429, headers: { 'retry-after': '3600' } });
		const retryAfterMs: unknown = expect.closeTo(3_600_000, -5);
		await expect(poller.poll()).rejects.toMatchObject({
			failure: { cause: 'rate-limited', retryAfterMs },
		});
		expect([poller.state, poller.globalState]).toEqual([{}, {}]);
	});

	it('with nothing to emit says why the list could not be read to its end', async () => {
		completeMany(10);
		const poller = await activated({ options: { pageSize: 2 } });
		service.fail({ query: { page: '1' } }, { kind: 'status', status: 403 }, { times: Infinity });
		await expect(poller.poll()).rejects.toThrow('denied access (403)');
	});

	it('does not wait longer than its remaining time, nor for one request', async () => {
		for (const fault of [LIMIT, { kind: 'hang' } as const]) {
			const poller = trigger({}, { budgetMs: 3000 });
			service.fail({}, fault, { times: Infinity });
			const begun = Date.now();
			await expect(poller.poll()).rejects.toHaveProperty('failure');
			expect(Date.now() - begun).toBeLessThan(3000);
			service.clearFaults();
		}
	});
});
