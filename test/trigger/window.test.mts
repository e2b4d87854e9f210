/** What the window finds in lists that come late, in another order than asked for, or change while they are read. */
import type { Fault } from '../support/service/faults.mts';
import type { Settings } from '../support/service/settings.mts';
import { afterRequest, requestLines } from '../support/engine/runs.mts';
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
const HOUR = 60 * MINUTE;
const REFUSED: Fault = { kind: 'status', status: 400, body: { message: 'not supported' } };
const LIMIT: Fault = { kind: 'status', status: 429, headers: { 'retry-after': '60' } };

useVirtualTime();
useSmallService();

it.each<[string, Partial<Settings>]>([
	['is ignored', { honourOrderBy: false }],
	['is rejected', { rejectOrderBy: 400 }],
	['fails', { rejectOrderBy: 500 }],
	['is not implemented', { rejectOrderBy: 501 }],
])('an order that %s, though honoured before, loses and repeats nothing', async (_, settings) => {
	completeMany(40, 30);
	const poller = trigger({ options: { pageSize: 10 } });
	for (let polls = 0; polls < 5; polls++) {
		if (polls === 2) Object.assign(service.settings, settings);
		// The later one completed, the longer it took.
		const ids = Array.from({ length: polls === 0 ? 0 : 12 }, (_each, index) => {
			const createdAt = service.model.now - (index + 1) * HOUR;
			return complete(12 - index, { createdAt });
		});
		expect(await listIds(poller)).toEqual(ids);
		service.model.clock.move(20 * MINUTE);
	}
	expect(await listIds(poller)).toEqual([]);
});

/** How many days ago uploads completed, in the order of the list: a page, and one that completed before. */
const inOrder = [19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 20];
const almostInOrder = [19, 18, 17, 16, 15, 14, 13, 12, 10, 11, 20];

it.each([
	['rejected, and the first page is in order', inOrder, { rejectOrderBy: 400 }],
	['another, and the first page is in order', inOrder, { honourOrderBy: false }],
	[
		'ignored, and the first page is not quite in order',
		almostInOrder,
		{ honourOrderBy: false, pageFields: 'lastOnly' },
	],
])('back-logs come out oldest first if the order is %s', async (_, daysAgo, settings) => {
	Object.assign(service.settings, settings);
	const byAge = daysAgo.map((days, index) => {
		const createdAt = service.model.now - (30 * 24 - index) * HOUR;
		return [days, complete(days * 24 * 60, { createdAt })] as const;
	});
	const options = { pageSize: 10, maxUploadsPerPoll: 5 };
	const polls = await drain(trigger({ startFrom: 'beginning', options }));
	const oldestFirst = byAge.toSorted(([one], [other]) => other - one);
	expect(polls.flat()).toEqual(oldestFirst.map(([, id]) => id));
});

it('an upload that slips to an earlier page while the list is read is emitted by the next poll', async () => {
	const [first, ...others] = completeMany(7, 1000);
	const poller = trigger({ startFrom: 'beginning', options: { pageSize: 2 } });
	afterRequest(service, 1, () => service.model.deleteUpload(first ?? ''));
	const emitted = [...(await listIds(poller)), ...(await listIds(poller))];
	expect(emitted.toSorted()).toEqual([first, ...others].toSorted());
	expect(await listIds(poller)).toEqual([]);
});

it('a page of equal dates does not show that the service honours the order', async () => {
	// Nor does the service say how it sorts.
	const ignored = { honourOrderBy: false, unsortedDefault: 'newestFirst' };
	Object.assign(service.settings, { ...ignored, pageFields: 'lastOnly' });
	const completeBatch = () => Array.from({ length: 30 }, () => complete());
	const options = { maxUploadsPerPoll: 10, pageSize: 20, lookback: 0 };
	const poller = trigger({ startFrom: 'beginning', options });
	const ids = [...completeMany(10, 120), ...completeBatch()];
	const emitted = await listIds(poller);
	service.model.clock.move(MINUTE);
	ids.push(...completeBatch());
	emitted.push(...(await drain(poller)).flat());
	expect(emitted.toSorted()).toEqual(ids.toSorted());
});

it.each([2, 6].flatMap((requests) => modes.map((mode) => ({ ...mode, requests }))))(
	'Start From Now emits nothing that slipped from a page while it was read, %o',
	async ({ requests, durable }) => {
		Object.assign(service.settings, { honourOrderBy: false, unsortedDefault: 'newestFirst' });
		const newest = completeMany(12).at(-1);
		const poller = trigger({ options: { pageSize: 3 } }, { durable });
		// The first page moves up when the newest upload goes.
		afterRequest(service, requests, () => service.model.deleteUpload(newest ?? ''));
		expect(await listIds(poller)).toEqual([]);
		expect(await listIds(poller)).toEqual([]);
		expect(await listIds(poller)).toEqual([]);
	},
);

it.each(['size', 'orderBy'])(
	'a refused %s is left out, with what else it can do without',
	async (name) => {
		service.fail({ query: { [name]: /./ } }, REFUSED, { times: Infinity });
		const poller = await activated();
		service.clearRequests();
		const id = complete();
		expect(await listIds(poller)).toEqual([id]);
		const asked = requestLines(service).map((line) =>
			['orderBy=', 'size='].filter((part) => line.includes(part)),
		);
		expect(asked).toEqual([['orderBy=', 'size='], []]);
	},
);

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
