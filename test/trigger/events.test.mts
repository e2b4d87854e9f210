/** What the random histories and the explorer leave out about events. */
import { isFailedStatus } from '../../nodes/EngagementUploads/api/uploadStatus.ts';
import type { SimulatedService } from '../support/service/http.mts';
import {
	changesOf,
	completeUpload,
	drain,
	idsOf,
	pollerOf,
	startUpload,
	useSmallService,
} from '../support/polls.mts';

const HOUR = 3_600_000;

let service: SimulatedService;
useSmallService((started) => {
	service = started;
	service.model.addConnector({ name: 'ledgerpro' });
});

const setStatus = (uploadId: string, status: string) =>
	service.model.updateUpload(uploadId, { status });

it.each([
	['FAILED', true],
	['Aborted', true],
	['CANCELLED', true],
	['rejected', true],
	['ERROR', true],
	['EXPIRED', true],
	['timed_out', true],
	['TimedOut', true],
	['UNSUCCESSFUL', true],
	['DENIED', true],
	['STOPPED', true],
	['COMPLETED', false],
	['PROCESSING', false],
	['COMPLETED_WITHOUT_ERRORS', false],
	['NO_ERRORS', false],
	['RETRYING_AFTER_ERROR', false],
	['ERROR_FREE', false],
])('%s counts as failed: %s', (status, isFailed) => {
	expect(isFailedStatus(status)).toBe(isFailed);
});

it('failures that were filtered out are not emitted under another filter', async () => {
	const id = startUpload(service, 5, 'ledgerpro');
	const parameters = { event: 'uploadFailed', filters: { connectorNames: 'cloudbooks' } };
	const poller = pollerOf(service, parameters);
	await poller.poll();
	setStatus(id, 'FAILED');
	expect(await idsOf(poller)).toEqual([]);
	poller.change({ event: 'uploadFailed' });
	expect(await idsOf(poller)).toEqual([]);
	const next = startUpload(service, 1);
	setStatus(next, 'FAILED');
	expect(await idsOf(poller)).toEqual([next]);
});

it('an upload whose completion date moves stays the same upload', async () => {
	const poller = pollerOf(service);
	await poller.poll();
	const id = completeUpload(service);
	expect(await idsOf(poller)).toEqual([id]);
	for (let moved = 0; moved < 6; moved++) {
		service.model.moveClock(HOUR);
		service.model.updateUpload(id, { completedAt: service.model.now });
		expect(await idsOf(poller)).toEqual([]);
	}
});

describe('uploads are followed', () => {
	it('until the look-back has passed after their end', async () => {
		const id = startUpload(service, 5);
		const poller = pollerOf(service, { event: 'uploadStatusChanged' });
		await poller.poll();
		service.model.completeUpload(id);
		expect(await changesOf(poller)).toEqual([[id, 'LOADING', 'COMPLETED']]);
		service.model.moveClock(2 * HOUR - 60_000);
		setStatus(id, 'ARCHIVED');
		expect(await changesOf(poller)).toEqual([[id, 'COMPLETED', 'ARCHIVED']]);
		service.model.moveClock(120_000);
		setStatus(id, 'DELETED');
		expect(await changesOf(poller)).toEqual([]);
	});

	it('no longer than Follow For', async () => {
		const id = startUpload(service, 5);
		const parameters = { event: 'uploadStatusChanged', options: { followFor: 1 } };
		const poller = pollerOf(service, parameters);
		await poller.poll();
		service.model.moveClock(23 * HOUR);
		setStatus(id, 'PROCESSING');
		expect(await changesOf(poller)).toEqual([[id, 'LOADING', 'PROCESSING']]);
		service.model.moveClock(2 * HOUR);
		setStatus(id, 'FAILED');
		expect(await changesOf(poller)).toEqual([]);
	});

	it('even if there is more than one poll may emit', async () => {
		const options = { maxUploadsPerPoll: 2 };
		const poller = pollerOf(service, { event: 'uploadStatusChanged', options });
		await poller.poll();
		const ids = [5, 4, 3, 2, 1].map((minutes) => startUpload(service, minutes));
		expect((await drain(poller)).flat()).toEqual(ids);
		for (const id of ids) setStatus(id, 'PROCESSING');
		expect((await drain(poller)).flat()).toEqual(ids);
	});
});
