/** Get Data Status: how old the data is. */
import { outputOf } from '../support/runs.mts';
import {
	begin,
	complete,
	DAY,
	fail,
	getStatus,
	HOUR,
	NOW,
	requestsTo,
	service,
	start,
} from './dataStatus.mts';

describe('the age of the data', () => {
	const records = async () =>
		(await outputOf(service, { ...getStatus, returnAll: true })).map(
			({ dataStatus, ageDays, completionDate, lastUploadId }) => {
				return { dataStatus, ageDays, completionDate, lastUploadId };
			},
		);

	it('is that of the last upload that completed', async () => {
		await start(5);
		for (const [id, days] of [40, 9, 5, 3, 2].entries()) complete(id + 1, days * DAY + HOUR);
		complete(1, 50 * DAY);
		const last = [fail(1, 3 * DAY), begin(2, 8 * HOUR), begin(3, HOUR)];
		service.model.updateUpload(last[0] ?? '', { completedAt: NOW - DAY });
		const all = await records();
		expect(all.map(({ dataStatus, ageDays }) => [dataStatus, ageDays])).toEqual([
			...[
				['failed', 40],
				['stuck', 9],
				['running', 5],
			],
			...[
				['fresh', 3],
				['fresh', 2],
			],
		]);
		expect(all.slice(0, 3).map(({ lastUploadId }) => lastUploadId)).toEqual(last);
		expect(requestsTo('/uploads?engagementId=')).toEqual([
			expect.stringContaining('engagementId=1,2,3&'),
		]);
	});

	it('is null where only failed uploads have a completion date', async () => {
		await start(1, { lastUploadsOf: 'completed' });
		for (const days of [2, 1])
			service.model.updateUpload(fail(1, days * DAY), { completedAt: NOW - days * DAY });
		expect(await records()).toEqual([
			expect.objectContaining({ dataStatus: 'failed', ageDays: null, completionDate: null }),
		]);
	});

	it('needs no further request where the last upload is the last successful one', async () => {
		await start(2, { lastUploadsOf: 'completed' });
		complete(1, 3 * DAY);
		fail(1, HOUR);
		fail(2, HOUR);
		expect(await records()).toEqual([
			expect.objectContaining({ dataStatus: 'failed', ageDays: 3 }),
			expect.objectContaining({ dataStatus: 'failed', ageDays: null }),
		]);
		expect(requestsTo('/uploads?engagementId=')).toEqual([
			expect.stringContaining('engagementId=2&'),
		]);
	});

	it('costs one more request for 100 engagements, and is right if the filter is ignored', async () => {
		await start(250, { honourEngagementFilter: false });
		for (let id = 1; id <= 250; id++) {
			complete(id, (id % 10) * DAY + HOUR);
			fail(id, 0);
		}
		const ages = (await records()).map(({ ageDays }) => ageDays);
		expect(ages).toEqual(Array.from({ length: 250 }, (_, index) => (index + 1) % 10));
		expect(requestsTo('/uploads?engagementId=')).toHaveLength(3);
	});

	it('is missing for an engagement whose uploads the service does not list', async () => {
		await start(2);
		for (const id of [1, 2]) {
			complete(id, 2 * DAY);
			fail(id, HOUR);
		}
		const query = { engagementId: /\b1\b/ };
		service.fail({ path: /uploads$/, query }, { kind: 'status', status: 410 }, { times: Infinity });
		expect((await records()).map(({ dataStatus, ageDays }) => [dataStatus, ageDays])).toEqual([
			['failed', null],
			['failed', 2],
		]);
	});
});
