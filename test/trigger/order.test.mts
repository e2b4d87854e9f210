/** Lists that are in another order than asked for, or change while they are read. */
import type { Settings } from '../support/service/settings.mts';
import { afterRequest } from '../support/runs.mts';
import { useVirtualTime } from '../support/virtualTime.mts';
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
])(
	'an order that %s, though it was honoured before, loses and repeats nothing',
	async (_, settings) => {
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
			service.model.moveClock(20 * MINUTE);
		}
		expect(await listIds(poller)).toEqual([]);
	},
);

it('a back-log comes out oldest first, even if the service honours no parameter', async () => {
	const ignored = { honourOrderBy: false, honourCompletedFrom: false };
	Object.assign(service.settings, { ...ignored, unsortedDefault: 'shuffled' });
	const ids = completeMany(30);
	const options = { maxUploadsPerPoll: 12, pageSize: 5 };
	const polls = await drain(trigger({ startFrom: 'beginning', options }));
	expect(polls).toEqual([ids.slice(0, 12), ids.slice(12, 24), ids.slice(24)]);
});

it('a back-log comes out oldest first, even if the order is rejected and the first page is in order', async () => {
	service.settings.rejectOrderBy = 400;
	const added = (created: number, completed: number) =>
		complete(completed * 1440, { createdAt: service.model.now - created * 1440 * MINUTE });
	const [second, third, first] = [added(20, 2), added(19, 1), added(12, 10)];
	const options = { pageSize: 2, maxUploadsPerPoll: 1 };
	const polls = await drain(trigger({ startFrom: 'beginning', options }));
	expect(polls.flat()).toEqual([first, second, third]);
});

it.each(modes)(
	'an upload that is listed late, but within the look-back, is emitted, %o',
	async (mode) => {
		const poller = await activated({}, mode);
		for (let polls = 0; polls < 3; polls++) {
			service.model.moveClock(10 * MINUTE);
			const [late, now] = [complete(119), complete()];
			expect(await listIds(poller)).toEqual([late, now]);
			expect(await listIds(poller)).toEqual([]);
		}
	},
);

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
	service.model.moveClock(MINUTE);
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
