import type { SimulatedService } from '../support/service/http.mts';
import {
	changesOf,
	drain,
	idsOf,
	modes,
	pollerOf,
	startSmallService,
	startUpload,
} from '../support/polls.mts';

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
const start = (minutesAgo?: number, connectorName?: string) =>
	startUpload(service, minutesAgo, connectorName);

const setStatus = (uploadId: string, status: string) =>
	service.model.updateUpload(uploadId, { status });

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
