/** A service that stops honouring an order that it honoured, or sorts by another field. */
import type { SimulatedService } from '../support/service/http.mts';
import type { Settings } from '../support/service/settings.mts';
import {
	completeUpload,
	idsOf,
	pollerOf,
	useSmallService,
	startUpload,
} from '../support/polls.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let service: SimulatedService;
useSmallService((started) => (service = started));

const orders: Array<[string, Partial<Settings>]> = [
	['is ignored', { honourOrderBy: false }],
	['is rejected', { rejectOrderBy: true }],
	['is by creation, as the page fields say', { orderByInstead: 'creationDate' }],
	[
		'is by creation, as only the records show',
		{ orderByInstead: 'creationDate', pageFields: 'lastOnly' },
	],
];

describe.each(orders)('an order that %s', (_, settings) => {
	it.each([
		['from the start', 0],
		['from the third poll on', 2],
	])('%s loses and repeats nothing', async (_when, honoured) => {
		for (let index = 0; index < 40; index++) completeUpload(service, 30 * (40 - index));
		const poller = pollerOf(service, { options: { pageSize: 10 } });
		for (let polls = 0; polls < 5; polls++) {
			if (polls === honoured) Object.assign(service.settings, settings);
			// The later one completed, the longer it took.
			const ids = Array.from({ length: polls === 0 ? 0 : 12 }, (_each, index) => {
				const createdAt = service.model.now - (index + 1) * HOUR;
				return completeUpload(service, 12 - index, { createdAt });
			});
			expect(await idsOf(poller)).toEqual(ids);
			service.model.moveClock(20 * MINUTE);
		}
		expect(await idsOf(poller)).toEqual([]);
	});

	it('loses no failure', async () => {
		const open = Array.from({ length: 12 }, (_each, hours) =>
			startUpload(service, 60 * (12 - hours)),
		);
		const poller = pollerOf(service, { event: 'uploadFailed', options: { pageSize: 5 } });
		await poller.poll();
		Object.assign(service.settings, settings);
		for (const id of open.slice(0, 4)) {
			service.model.updateUpload(id, { status: 'FAILED' });
			expect(await idsOf(poller)).toEqual([id]);
			service.model.moveClock(10 * MINUTE);
			startUpload(service);
		}
	});
});

it('an order that is honoured only while it is proven silences nothing', async () => {
	for (let index = 0; index < 40; index++) completeUpload(service, 30 * (40 - index));
	const poller = pollerOf(service, { options: { pageSize: 10 } });
	service.settings.honouredOrders = 2;
	expect(await idsOf(poller)).toEqual([]);
	for (let polls = 0; polls < 3; polls++) {
		const id = completeUpload(service);
		expect(await idsOf(poller)).toEqual([id]);
		service.model.moveClock(20 * MINUTE);
	}
});

it('a page that is in order by chance ends nothing', async () => {
	Object.assign(service.settings, { honourOrderBy: false, unsortedDefault: 'newestFirst' });
	const slow = startUpload(service, 5 * 24 * 60);
	for (const minutesAgo of [240, 5]) completeUpload(service, minutesAgo);
	const poller = pollerOf(service, { options: { pageSize: 3 } });
	expect(await idsOf(poller)).toEqual([]);
	service.model.moveClock(MINUTE);
	// The first page begins with this one, and ends with one from before the window.
	const quick = completeUpload(service);
	service.model.completeUpload(slow);
	expect((await idsOf(poller)).sort()).toEqual([quick, slow].sort());
});

it('a page without any completion date proves no order', async () => {
	Object.assign(service.settings, {
		honourOrderBy: false,
		honourCompletedFrom: false,
		maxPageSize: 3,
	});
	for (let open = 0; open < 3; open++) startUpload(service, 60);
	for (const minutesAgo of [10, 5 * 24 * 60, 6 * 24 * 60]) completeUpload(service, minutesAgo);
	const last = startUpload(service, 60);
	const poller = pollerOf(service);
	expect(await idsOf(poller)).toEqual([]);
	service.model.moveClock(MINUTE);
	service.model.completeUpload(last);
	expect(await idsOf(poller)).toEqual([last]);
});
