import { forgetProcess } from '../../nodes/EngagementUploads/trigger/store.ts';
import type { SimulatedService } from '../support/service/http.mts';
import {
	changesOf,
	completeUpload,
	idsOf,
	pollerOf,
	startSmallService,
	startUpload,
} from '../support/polls.mts';
import { useVirtualTime } from '../support/virtualTime.mts';

useVirtualTime();

let service: SimulatedService;
beforeEach(async () => {
	service = await startSmallService();
	service.settings.uploadDurationMs = Infinity;
});
afterEach(async () => await service.close());

/** An upload that stays in progress until a test changes it. */
const start = (minutesAgo: number) => startUpload(service, minutesAgo);

const setStatus = (uploadId: string, status: string) =>
	service.model.updateUpload(uploadId, { status });

describe('following', () => {
	it('costs two requests if one upload never ends, however long the history', async () => {
		for (let minutes = 20_000; minutes > 0; minutes -= 10) completeUpload(service, minutes);
		const stuck = start(6 * 24 * 60);
		const parameters = { event: 'uploadStatusChanged', options: { pageSize: 100 } };
		const poller = pollerOf(service, parameters);
		for (let poll = 0; poll < 3; poll++) expect(await idsOf(poller)).toEqual([]);
		service.clearRequests();
		expect(await idsOf(poller)).toEqual([]);
		expect(service.requests.length).toBeLessThanOrEqual(2);
		setStatus(stuck, 'FAILED');
		expect(await idsOf(poller)).toEqual([stuck]);
		// Uploads in progress, and those within the look-back and the last polls.
		expect(JSON.stringify(poller.state).length).toBeLessThan(4000);
	});

	it('reads the list if many uploads are in progress', async () => {
		const ids = Array.from({ length: 60 }, (_, index) => start(5000 - index * 60));
		for (let minutes = 5000; minutes > 0; minutes -= 10) completeUpload(service, minutes);
		const options = { pageSize: 50 };
		const poller = pollerOf(service, { event: 'uploadFailed', options });
		for (let poll = 0; poll < 2; poll++) expect(await idsOf(poller)).toEqual([]);
		for (const id of ids) setStatus(id, 'FAILED');
		service.clearRequests();
		expect(await idsOf(poller)).toEqual(ids);
		expect(service.requests.length).toBeLessThan(40);
	});

	it('reports a failure at the first poll after a restart, however long nothing has failed', async () => {
		const poller = pollerOf(service, { event: 'uploadFailed' });
		await poller.poll();
		const first = start(1);
		setStatus(first, 'FAILED');
		expect(await idsOf(poller)).toEqual([first]);
		// n8n saves none of these polls.
		for (let hours = 0; hours < 6 * 24; hours += 12) {
			for (let minutes = 700; minutes > 0; minutes -= 5) completeUpload(service, minutes);
			service.model.moveClock(12 * 3_600_000);
			expect(await idsOf(poller)).toEqual([]);
		}
		poller.restart();
		forgetProcess();
		const fresh = start(0);
		setStatus(fresh, 'FAILED');
		expect(await idsOf(poller)).toEqual([fresh]);
	});

	it('starts from now, whatever Start From says', async () => {
		setStatus(start(5), 'FAILED');
		const parameters = { event: 'uploadFailed', startFrom: 'beginning' };
		expect(await idsOf(pollerOf(service, parameters))).toEqual([]);
	});

	it('shows the latest in a manual test', async () => {
		const ids = [50, 40, 30].map((minutes) => start(minutes));
		setStatus(ids[1] ?? '', 'FAILED');
		const manual = { mode: 'manual' } as const;
		expect(await idsOf(pollerOf(service, { event: 'uploadFailed' }, manual))).toEqual([ids[1]]);
		expect(await changesOf(pollerOf(service, { event: 'uploadStatusChanged' }, manual))).toEqual([
			[ids[0], null, 'LOADING'],
			[ids[1], null, 'FAILED'],
			[ids[2], null, 'LOADING'],
		]);
	});
});
