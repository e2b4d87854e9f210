/** How far back polls read, and what they do if they fail or cannot do everything at once. */
import type { Fault } from '../support/service/faults.mts';
import { afterRequest } from '../support/engine/runs.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import {
	activated,
	complete,
	completeMany,
	drain,
	expectNext,
	listIds,
	service,
	setStatus,
	start,
	trigger,
	useSmallService,
} from './polling.mts';

const LIMIT: Fault = { kind: 'status', status: 429, headers: { 'retry-after': '60' } };

useVirtualTime();
useSmallService();

it('an upload that is listed a day and the look-back late is emitted', async () => {
	const poller = await activated({ options: { lookback: 600 } });
	for (let polls = 0; polls < 3; polls++) await expectNext(poller);
	await expectNext(poller, () => complete((24 + 10) * 60 - 5));
});

it('an upload is emitted once it is stuck, though others are new', async () => {
	const poller = await activated({ event: 'uploadStuck', stuckAfter: 120 });
	const id = start();
	const found = [];
	for (let hours = 0; hours < 120; hours += 20) {
		service.model.clock.move(20 * 3_600_000);
		setStatus(start(), 'COMPLETED');
		found.push(...(await listIds(poller)));
	}
	expect(found).toEqual([id]);
});

it('an upload that slips to an earlier page while the list is read is emitted by the next poll', async () => {
	const [first, ...others] = completeMany(7, 1000);
	const poller = trigger({ startFrom: 'beginning', options: { pageSize: 2 } });
	afterRequest(service, 1, () => service.model.deleteUpload(first ?? ''));
	const emitted = [...(await listIds(poller)), ...(await listIds(poller))];
	expect(emitted.toSorted()).toEqual([first, ...others].toSorted());
	expect(await listIds(poller)).toEqual([]);
});

it('a back-log of weeks comes out over several polls, oldest first, in any order of the list', async () => {
	Object.assign(service.settings, { orderBy: 'ignored', unsortedDefault: 'newestFirst' });
	const ids = completeMany(20, 24 * 60);
	const options = { pageSize: 5, maxUploadsPerPoll: 5 };
	const polls = await drain(trigger({ startFrom: 'beginning', options }));
	expect(polls).toEqual([0, 5, 10, 15].map((first) => ids.slice(first, first + 5)));
});

it('a list that takes too long is an error with advice, and nothing is lost', async () => {
	completeMany(120);
	Object.assign(service.settings, { latencyMs: 100, pageFields: 'lastOnly' });
	const poller = await activated({ options: { pageSize: 10 } }, { durable: true, budgetMs: 4000 });
	const id = complete();
	// 60 pages one after the other take 6 s.
	poller.change({ options: { pageSize: 2 } });
	for (let polls = 0; polls < 2; polls++)
		await expect(poller.poll()).rejects.toThrow('listing the uploads takes too long');
	poller.change({ options: { pageSize: 200 } });
	expect(await listIds(poller)).toEqual([id]);
});

describe('a poll that fails', () => {
	it('with an hour to wait changes nothing, and tells n8n when to poll again', async () => {
		const poller = trigger();
		service.fail({}, { kind: 'status', status: 429, headers: { 'retry-after': '3600' } });
		const retryAfterMs: unknown = expect.closeTo(3_600_000, -5);
		await expect(poller.poll()).rejects.toMatchObject({
			failure: { cause: 'rate-limited', retryAfterMs },
		});
		expect([poller.state, poller.globalState]).toEqual([{}, {}]);
	});

	it('at a later page says why, and what to do', async () => {
		completeMany(10);
		const poller = await activated({ options: { pageSize: 2 } });
		service.fail({ query: { page: '1' } }, { kind: 'status', status: 403 }, { times: Infinity });
		await expect(poller.poll()).rejects.toThrow(/\(403\).*[Cc]heck/s);
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
