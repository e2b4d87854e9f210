import type { SimulatedService } from '../support/service/http.mts';
import { idsOf, pollerOf, startSmallService, startUpload } from '../support/polls.mts';
import { isFailedStatus } from '../../nodes/EngagementUploads/api/uploadStatus.ts';

const HOUR = 3_600_000;

let service: SimulatedService;
beforeEach(async () => {
	service = await startSmallService();
	service.settings.uploadDurationMs = Infinity;
});
afterEach(async () => await service.close());

describe('Upload Stuck', () => {
	it('is emitted once, some hours after creation, and not for what was stuck before', async () => {
		const before = startUpload(service, 7 * 60);
		const poller = pollerOf(service, { event: 'uploadStuck' });
		expect(await idsOf(poller)).toEqual([]);
		const id = startUpload(service);
		const done = startUpload(service);
		for (let hours = 0; hours < 5; hours++) {
			service.model.moveClock(HOUR);
			expect(await idsOf(poller)).toEqual([]);
		}
		service.model.updateUpload(done, { completedAt: service.model.now, status: 'COMPLETED' });
		service.model.moveClock(HOUR);
		expect(await idsOf(poller)).toEqual([id]);
		poller.restart();
		expect(await idsOf(poller)).toEqual([]);
		expect(before).not.toBe(id);
	});

	it('rejects a time that is not shorter than Follow For', async () => {
		const options = { stuckAfter: 24, followFor: 1 };
		await expect(pollerOf(service, { event: 'uploadStuck', options }).poll()).rejects.toThrow(
			'Stuck After is not shorter than Follow For',
		);
	});
});

it('Upload Completed leaves failed uploads to Upload Failed', async () => {
	const given = { completedAt: service.model.now, status: 'FAILED' };
	service.model.addCompletedUpload(given);
	expect(await idsOf(pollerOf(service, { startFrom: 'beginning' }))).toEqual([]);
	const filters = { uploadStatuses: ['FAILED', 'ABORTED'] };
	await expect(pollerOf(service, { filters }).poll()).rejects.toThrow('only failed statuses');
});

it.each([
	['UNSUCCESSFUL', true],
	['DENIED', true],
	['STOPPED', true],
	['RETRYING_AFTER_ERROR', false],
	['ERROR_FREE', false],
])('%s counts as failed: %s', (status, isFailed) => {
	expect(isFailedStatus(status)).toBe(isFailed);
});

it('a saved state that cannot be read is an error with advice', async () => {
	const staticData = { cursor: { version: 3, known: 'damaged' } };
	await expect(pollerOf(service, {}, { staticData }).poll()).rejects.toThrow(
		'The saved state of the trigger cannot be read',
	);
});

it('asks for a hundred followed uploads in one request, and forgets none that is not listed', async () => {
	for (let id = 2; id <= 101; id++) service.model.addEngagement({ id });
	const ids = Array.from({ length: 100 }, (_, index) => {
		const { uploadId } = service.model.startUpload(index + 2, 'cloudbooks');
		service.model.updateUpload(uploadId, { createdAt: service.model.now - 24 * HOUR });
		return uploadId;
	});
	const poller = pollerOf(service, { event: 'uploadFailed', options: { pageSize: 10 } });
	await poller.poll();
	startUpload(service);
	await poller.poll();
	await poller.poll();
	for (const [status, count] of [
		[404, 1],
		[403, 1],
	] as const) {
		service.fail({ query: { engagementId: /./ } }, { kind: 'status', status }, { times: count });
		await poller.poll();
	}
	service.clearRequests();
	await poller.poll();
	expect(service.requests.length).toBeLessThanOrEqual(3);
	service.model.updateUpload(ids[50] ?? '', { status: 'FAILED' });
	expect(await idsOf(poller)).toEqual([ids[50]]);
});
