/** Lists that are in another order than asked for, or change while they are read. */
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
	trigger,
	useSmallService,
} from './polling.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

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

it('an upload that is listed late, but within the look-back, is emitted', async () => {
	const poller = await activated();
	for (let polls = 0; polls < 3; polls++) {
		service.model.clock.move(10 * MINUTE);
		const [late, now] = [complete(119), complete()];
		expect(await listIds(poller)).toEqual([late, now]);
		expect(await listIds(poller)).toEqual([]);
	}
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
