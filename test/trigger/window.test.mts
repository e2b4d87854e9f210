/** What the window finds in lists that come late, in another order than asked for, or change while they are read. */
import type { Fault } from '../support/service/faults.mts';
import type { Settings } from '../support/service/settings.mts';
import { afterRequest } from '../support/engine/runs.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import {
	activated,
	complete,
	completeMany,
	drain,
	listIds,
	modes,
	service,
	setStatus,
	start,
	trigger,
	useSmallService,
} from './polling.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const LIMIT: Fault = { kind: 'status', status: 429, headers: { 'retry-after': '60' } };

useVirtualTime();
useSmallService();

it.each<[string, Partial<Settings>]>([
	['is ignored', { orderBy: 'ignored', unsortedDefault: 'newestFirst' }],
	['is rejected', { orderBy: 400 }],
	['fails', { orderBy: 500 }],
	['is not implemented', { orderBy: 501 }],
])(
	'a back-log comes out oldest first, over several polls, if the order %s',
	async (_, settings) => {
		Object.assign(service.settings, settings);
		// The earlier one completed, the later it was created.
		const ids = Array.from({ length: 12 }, (_each, index) => {
			const createdAt = service.model.now - (30 * 24 + index) * HOUR;
			return complete((20 - index) * 24 * 60, { createdAt });
		});
		const options = { pageSize: 5, maxUploadsPerPoll: 5 };
		const polls = await drain(trigger({ startFrom: 'beginning', options }));
		expect(polls).toEqual([ids.slice(0, 5), ids.slice(5, 10), ids.slice(10)]);
	},
);

it.each(modes)(
	'one that is listed a day and the look-back late is emitted once, %o',
	async (mode) => {
		const poller = await activated({}, mode);
		for (let polls = 0; polls < 3; polls++) {
			const ids = [complete((24 + 2) * 60 - 5), complete()];
			expect(await listIds(poller)).toEqual(ids);
			expect(await listIds(poller)).toEqual([]);
			service.model.clock.move(20 * MINUTE);
		}
	},
);

it.each([
	{ event: 'uploadFailed', days: 7, options: {} },
	{ event: 'uploadFailed', days: 2, options: { followFor: 2 } },
	{ event: 'uploadStatusChanged', days: 7, options: {} },
])('$event is noticed $days days after the creation, though others are new', async (row) => {
	const id = start();
	const poller = await activated({ event: row.event, options: row.options });
	for (let day = 0; day < row.days; day++) {
		service.model.clock.move(24 * HOUR);
		expect(await listIds(poller)).toEqual([]);
		// Newer uploads move the window on.
		setStatus(start(), 'LOADING');
		await poller.poll();
	}
	setStatus(id, 'FAILED');
	expect(await listIds(poller)).toEqual([id]);
	expect(await listIds(poller)).toEqual([]);
});

it('an upload that slips to an earlier page while the list is read is emitted by the next poll', async () => {
	const [first, ...others] = completeMany(7, 1000);
	const poller = trigger({ startFrom: 'beginning', options: { pageSize: 2 } });
	afterRequest(service, 1, () => service.model.deleteUpload(first ?? ''));
	const emitted = [...(await listIds(poller)), ...(await listIds(poller))];
	expect(emitted.toSorted()).toEqual([first, ...others].toSorted());
	expect(await listIds(poller)).toEqual([]);
});

it('a list that takes too long is an error with advice, and nothing is lost', async () => {
	completeMany(120);
	Object.assign(service.settings, { latencyMs: 100, pageFields: 'lastOnly' });
	const poller = await activated({ options: { pageSize: 10 } }, { durable: true, budgetMs: 4000 });
	const id = complete();
	// 60 pages one after the other take 6 s.
	poller.change({ options: { pageSize: 2 } });
	for (let polls = 0; polls < 2; polls++)
		await expect(poller.poll()).rejects.toThrow('listing the uploads takes longer');
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
