/** A service that stops honouring an order that it honoured, or sorts by another field. */
import type { Settings } from '../support/service/settings.mts';
import { useVirtualTime } from '../support/virtualTime.mts';
import {
	activated,
	complete,
	completeMany,
	expectNext,
	idsOf,
	service,
	setStatus,
	start,
	trigger,
	useSmallService,
} from './polling.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

useVirtualTime();

useSmallService();

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
		completeMany(40, 30);
		const poller = trigger({ options: { pageSize: 10 } });
		for (let polls = 0; polls < 5; polls++) {
			if (polls === honoured) Object.assign(service.settings, settings);
			// The later one completed, the longer it took.
			const ids = Array.from({ length: polls === 0 ? 0 : 12 }, (_each, index) => {
				const createdAt = service.model.now - (index + 1) * HOUR;
				return complete(12 - index, { createdAt });
			});
			expect(await idsOf(poller)).toEqual(ids);
			service.model.moveClock(20 * MINUTE);
		}
		expect(await idsOf(poller)).toEqual([]);
	});

	it('loses no failure', async () => {
		const open = Array.from({ length: 12 }, (_each, hours) => start(60 * (12 - hours)));
		const poller = await activated({ event: 'uploadFailed', options: { pageSize: 5 } });
		Object.assign(service.settings, settings);
		for (const id of open.slice(0, 4)) {
			setStatus(id, 'FAILED');
			expect(await idsOf(poller)).toEqual([id]);
			service.model.moveClock(10 * MINUTE);
			start();
		}
	});
});

it.each([400, 405, 406, 414, 422])(
	'an order that is rejected with %i is left out',
	async (status) => {
		service.fail({ query: { orderBy: /./ } }, { kind: 'status', status }, { times: Infinity });
		const poller = await activated();
		await expectNext(poller);
		expect(await idsOf(poller)).toEqual([]);
	},
);

it('a page that is in order by chance ends nothing', async () => {
	Object.assign(service.settings, { honourOrderBy: false, unsortedDefault: 'newestFirst' });
	const slow = start(5 * 24 * 60);
	for (const minutesAgo of [240, 5]) complete(minutesAgo);
	const poller = await activated({ options: { pageSize: 3 } });
	service.model.moveClock(MINUTE);
	// The first page begins with this one, and ends with one from before the window.
	const quick = complete();
	service.model.completeUpload(slow);
	expect((await idsOf(poller)).sort()).toEqual([quick, slow].sort());
});

it('a page without any completion date proves no order', async () => {
	Object.assign(service.settings, {
		honourOrderBy: false,
		honourCompletedFrom: false,
		maxPageSize: 3,
	});
	for (let open = 0; open < 3; open++) start(60);
	for (const minutesAgo of [10, 5 * 24 * 60, 6 * 24 * 60]) complete(minutesAgo);
	const last = start(60);
	const poller = await activated();
	service.model.moveClock(MINUTE);
	service.model.completeUpload(last);
	expect(await idsOf(poller)).toEqual([last]);
});
