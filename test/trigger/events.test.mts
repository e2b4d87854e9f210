import type { IDataObject } from 'n8n-workflow';
import type { SimulatedService } from '../support/service/http.mts';
import type { Poller } from '../support/engine/poll.mts';
import { drain, idsOf, pollerOf, startSmallService } from '../support/polls.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let service: SimulatedService;
beforeEach(async () => {
	service = await startSmallService();
	service.settings.uploadDurationMs = Infinity;
	service.model.addConnector({ name: 'ledgerpro' });
});
afterEach(async () => await service.close());

/** An upload that stays in progress until a test changes it. */
function start(minutesAgo = 0, connectorName = 'cloudbooks'): string {
	const { model } = service;
	const { uploadId } = model.startUpload(1, connectorName);
	model.updateUpload(uploadId, { createdAt: model.now - minutesAgo * MINUTE });
	return uploadId;
}

const setStatus = (uploadId: string, status: string) =>
	service.model.updateUpload(uploadId, { status });

async function itemsOf(poller: Poller): Promise<IDataObject[]> {
	return ((await poller.poll()) ?? []).map(({ json }) => json);
}

/** The previous and current status of each upload that a poll emits. */
async function changesOf(poller: Poller) {
	const items = await itemsOf(poller);
	return items.map(({ uploadId, previousStatus, uploadStatus }) => [
		uploadId,
		previousStatus,
		uploadStatus,
	]);
}

const modes = [{ durable: false }, { durable: true }];

describe.each(modes)('Upload Started, %o', (mode) => {
	it('emits each upload once, when it is listed', async () => {
		start(10);
		const poller = pollerOf(service, { event: 'uploadStarted' }, mode);
		expect(await idsOf(poller)).toEqual([]);
		const ids = [start(), start()];
		expect((await idsOf(poller)).toSorted()).toEqual(ids.toSorted());
		for (const id of ids) service.model.completeUpload(id);
		poller.restart();
		expect(await idsOf(poller)).toEqual([]);
	});

	it('starts where Start From says', async () => {
		const ids = [3000, 100, 5].map((minutes) => start(minutes));
		const all = { event: 'uploadStarted', startFrom: 'beginning' };
		expect(await drain(pollerOf(service, all, mode))).toEqual([ids]);
		const dated = { event: 'uploadStarted', startFrom: 'date', startDate: '2026-06-15T08:00:00Z' };
		expect(await drain(pollerOf(service, dated, mode))).toEqual([ids.slice(1)]);
	});
});

describe.each(modes)('Upload Failed, %o', (mode) => {
	it('emits an upload when it is first seen to have failed', async () => {
		const [old, running] = [start(10), start(5)];
		setStatus(old, 'FAILED');
		const poller = pollerOf(service, { event: 'uploadFailed' }, mode);
		expect(await idsOf(poller)).toEqual([]);
		const next = start();
		expect(await idsOf(poller)).toEqual([]);
		setStatus(running, 'FAILED');
		service.model.completeUpload(next);
		expect(await idsOf(poller)).toEqual([running]);
		setStatus(next, 'TIMED_OUT');
		poller.restart();
		expect(await idsOf(poller)).toEqual([next]);
		setStatus(running, 'ABORTED');
		expect(await idsOf(poller)).toEqual([]);
	});

	it.each([
		'FAILED',
		'Aborted',
		'CANCELLED',
		'rejected',
		'ERROR',
		'EXPIRED',
		'timed_out',
		'TimedOut',
	])('counts %s', async (status) => {
		const id = start(5);
		const poller = pollerOf(service, { event: 'uploadFailed' }, mode);
		await poller.poll();
		setStatus(id, status);
		expect(await idsOf(poller)).toEqual([id]);
	});

	it.each(['COMPLETED', 'PROCESSING', 'COMPLETED_WITHOUT_ERRORS', 'NO_ERRORS'])(
		'does not count %s',
		async (status) => {
			const id = start(5);
			const poller = pollerOf(service, { event: 'uploadFailed' }, mode);
			await poller.poll();
			setStatus(id, status);
			expect(await idsOf(poller)).toEqual([]);
		},
	);

	it('emits failures that happened while n8n was down', async () => {
		const running = start(5);
		const poller = pollerOf(service, { event: 'uploadFailed' }, mode);
		await poller.poll();
		service.model.moveClock(2 * DAY);
		const [started] = [start(DAY / MINUTE)];
		for (const id of [running, started]) setStatus(id, 'FAILED');
		poller.restart();
		expect(await idsOf(poller)).toEqual([running, started]);
	});

	it('emits filtered-out failures neither immediately nor under another filter', async () => {
		const id = start(5, 'ledgerpro');
		const parameters = { event: 'uploadFailed', filters: { connectorNames: 'cloudbooks' } };
		const poller = pollerOf(service, parameters, mode);
		await poller.poll();
		setStatus(id, 'FAILED');
		expect(await idsOf(poller)).toEqual([]);
		poller.change({ event: 'uploadFailed' });
		expect(await idsOf(poller)).toEqual([]);
		const next = start(1);
		setStatus(next, 'FAILED');
		expect(await idsOf(poller)).toEqual([next]);
	});
});

describe.each(modes)('Upload Status Changed, %o', (mode) => {
	const parameters = { event: 'uploadStatusChanged' };

	it('emits each change, with the previous status', async () => {
		const known = start(5);
		const poller = pollerOf(service, parameters, mode);
		expect(await changesOf(poller)).toEqual([]);
		const added = start();
		expect(await changesOf(poller)).toEqual([[added, null, 'LOADING']]);
		setStatus(known, 'PROCESSING');
		setStatus(known, 'VALIDATING');
		expect(await changesOf(poller)).toEqual([[known, 'LOADING', 'VALIDATING']]);
		service.model.completeUpload(added);
		poller.restart();
		expect(await changesOf(poller)).toEqual([[added, 'LOADING', 'COMPLETED']]);
		expect(await changesOf(poller)).toEqual([]);
	});

	it('follows uploads until the look-back has passed after their end', async () => {
		const id = start(5);
		const poller = pollerOf(service, parameters, mode);
		await poller.poll();
		service.model.completeUpload(id);
		expect(await changesOf(poller)).toEqual([[id, 'LOADING', 'COMPLETED']]);
		service.model.moveClock(119 * MINUTE);
		setStatus(id, 'ARCHIVED');
		expect(await changesOf(poller)).toEqual([[id, 'COMPLETED', 'ARCHIVED']]);
		service.model.moveClock(2 * MINUTE);
		setStatus(id, 'DELETED');
		expect(await changesOf(poller)).toEqual([]);
	});

	it('follows uploads no longer than Follow For', async () => {
		const id = start(5);
		const given = { ...parameters, options: { followFor: 1 } };
		const poller = pollerOf(service, given, mode);
		await poller.poll();
		service.model.moveClock(23 * HOUR);
		setStatus(id, 'PROCESSING');
		expect(await changesOf(poller)).toEqual([[id, 'LOADING', 'PROCESSING']]);
		service.model.moveClock(2 * HOUR);
		setStatus(id, 'FAILED');
		expect(await changesOf(poller)).toEqual([]);
	});

	it('applies filters to the current record', async () => {
		const id = start(5);
		const given = { ...parameters, filters: { uploadStatuses: 'completed' } };
		const poller = pollerOf(service, given, mode);
		await poller.poll();
		setStatus(id, 'PROCESSING');
		expect(await changesOf(poller)).toEqual([]);
		service.model.completeUpload(id);
		expect(await changesOf(poller)).toEqual([[id, 'PROCESSING', 'COMPLETED']]);
	});

	it('postpones what exceeds one poll, and loses nothing', async () => {
		const poller = pollerOf(service, { ...parameters, options: { maxUploadsPerPoll: 2 } }, mode);
		await poller.poll();
		const ids = [5, 4, 3, 2, 1].map((minutes) => start(minutes));
		expect((await drain(poller)).flat()).toEqual(ids);
		for (const id of ids) setStatus(id, 'PROCESSING');
		expect((await drain(poller)).flat()).toEqual(ids);
	});
});

describe('following', () => {
	it('costs two requests if one upload never ends, however long the history', async () => {
		for (let minutes = 20_000; minutes > 0; minutes -= 10)
			service.model.addCompletedUpload({ completedAt: service.model.now - minutes * MINUTE });
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
		for (let minutes = 5000; minutes > 0; minutes -= 10)
			service.model.addCompletedUpload({ completedAt: service.model.now - minutes * MINUTE });
		const options = { pageSize: 50 };
		const poller = pollerOf(service, { event: 'uploadFailed', options });
		for (let poll = 0; poll < 2; poll++) expect(await idsOf(poller)).toEqual([]);
		for (const id of ids) setStatus(id, 'FAILED');
		service.clearRequests();
		expect(await idsOf(poller)).toEqual(ids);
		expect(service.requests.length).toBeLessThan(40);
	});

	it('forgets an upload that is no longer listed', async () => {
		const ids = [start(300), start(280)];
		const poller = pollerOf(service, { event: 'uploadFailed', options: { pageSize: 1 } });
		for (let poll = 0; poll < 3; poll++) await poller.poll();
		service.model.deleteUpload(ids[0] ?? '');
		setStatus(ids[1] ?? '', 'FAILED');
		expect(await idsOf(poller)).toEqual([ids[1]]);
		const { followed } = poller.state.cursor as { followed: object };
		expect(Object.keys(followed)).toEqual([ids[1]]);
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

describe.each(modes)('a trigger, %o', (mode) => {
	it('continues when it is renamed, and renamed back', async () => {
		const parameters = { event: 'uploadStarted' };
		const before = pollerOf(service, parameters, { ...mode, nodeName: 'Before' });
		await before.poll();
		const first = start();
		expect(await idsOf(before)).toEqual([first]);
		const data = { globalStaticData: before.globalState };
		const after = pollerOf(service, parameters, { ...mode, ...data, nodeName: 'After' });
		const second = start();
		expect(await idsOf(after)).toEqual([second]);
		const both = { staticData: before.state, globalStaticData: after.globalState };
		const again = pollerOf(service, parameters, { ...mode, ...both, nodeName: 'Before' });
		const third = start();
		expect(await idsOf(again)).toEqual([third]);
	});

	it('starts over when it is deleted and added again', async () => {
		const parameters = { event: 'uploadStarted' };
		const deleted = pollerOf(service, parameters, mode);
		await deleted.poll();
		start();
		expect(await idsOf(deleted)).toHaveLength(1);
		start();
		const data = { staticData: deleted.state, globalStaticData: deleted.globalState };
		const added = pollerOf(service, parameters, { ...mode, ...data, nodeId: 'another' });
		expect(await idsOf(added)).toEqual([]);
		const next = start();
		expect(await idsOf(added)).toEqual([next]);
	});
});
