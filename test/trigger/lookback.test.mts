import type { SimulatedService } from '../support/service/http.mts';
import {
	completeUpload,
	drain,
	idsOf,
	modes,
	pollerOf,
	startSmallService,
} from '../support/polls.mts';

const MINUTE = 60_000;
const LONG = { options: { lookback: 1440 } };
const SHORT = { options: { lookback: 10 } };

let service: SimulatedService;

beforeEach(async () => {
	service = await startSmallService();
});
afterEach(async () => await service.close());

const complete = (minutesAgo: number) => completeUpload(service, minutesAgo);

describe.each(modes)('a look-back that is made longer, %o', (mode) => {
	it('emits nothing that was listed at the first poll', async () => {
		[600, 1].map(complete);
		const poller = pollerOf(service, {}, mode);
		await poller.poll();
		poller.change(LONG);
		expect(await idsOf(poller)).toEqual([]);
	});

	it('repeats nothing', async () => {
		[600, 1].map(complete);
		const poller = pollerOf(service, { startFrom: 'beginning' }, mode);
		expect((await drain(poller)).flat()).toHaveLength(2);
		poller.change({ startFrom: 'beginning', ...LONG });
		expect(await idsOf(poller)).toEqual([]);
	});

	it('repeats nothing after being shorter for a while', async () => {
		[150, 1].map(complete);
		const poller = pollerOf(service, { startFrom: 'beginning' }, mode);
		await drain(poller);
		poller.change({ startFrom: 'beginning', ...SHORT });
		complete(0);
		await drain(poller);
		poller.change({ startFrom: 'beginning' });
		expect(await idsOf(poller)).toEqual([]);
	});

	it('emits uploads that are listed late from then on', async () => {
		complete(1);
		const poller = pollerOf(service, {}, mode);
		await poller.poll();
		poller.change(LONG);
		service.model.moveClock(600 * MINUTE);
		const ids = [complete(0)];
		expect(await idsOf(poller)).toEqual(ids);
		const late = complete(500);
		expect(await idsOf(poller)).toEqual([late]);
	});
});
