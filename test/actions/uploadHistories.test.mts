/** On which uploads a data status is based, and of what age the data are. */
import { errorText, run, service } from '../support/engine/runs.mts';
import {
	add,
	begin,
	complete,
	DAY,
	fail,
	HOUR,
	NOW,
	parameters,
	records,
	requestsTo,
	statuses,
	useStatuses,
} from './statuses.mts';

useStatuses();

const failure = async () => errorText(await run(service, parameters));

describe('where the last upload is the last successful one', () => {
	const successful = { lastUploadsOf: 'completed' } as const;

	it.each<[stuckAfter: number, ago: number, dataStatus: string]>([
		[6, 23 * HOUR, 'stuck'],
		[6, 25 * HOUR, 'fresh'],
		[30, 59 * HOUR, 'stuck'],
	])('a newer one counts (%d h, %d ms)', async (stuckAfter, ago, dataStatus) => {
		add(3, { ...successful, unsortedDefault: 'newestFirst' });
		complete(1, 3 * DAY);
		begin(1, ago);
		complete(2, HOUR);
		complete(3, 20 * HOUR);
		fail(3, HOUR);
		const found = await statuses({ stuckAfter });
		expect(found.sort()).toEqual([`1 ${dataStatus}`, '2 fresh', '3 failed']);
	});

	it('the newer ones are listed once a run, however many items there are', async () => {
		add(3, successful);
		const given = { ...parameters, stuckAfter: '={{ $json.hours }}' };
		await run(service, given, [{ hours: 1 }, { hours: 20 }]);
		const from = new Date(NOW - 40 * HOUR).toISOString().slice(0, 16);
		expect(requestsTo('/uploads?')).toEqual([expect.stringContaining(`createdDateFrom=${from}`)]);
	});
});

it('the age of the data is that of the last upload that completed, for one more request per 100 engagements', async () => {
	add(150, { ignoredFilters: ['engagementId'] });
	for (let id = 1; id <= 150; id++) {
		complete(id, 50 * DAY);
		complete(id, (id % 10) * DAY + HOUR);
	}
	const last = [fail(1, HOUR), begin(2, 8 * HOUR), begin(3, HOUR)];
	// A failed upload has not completed, whatever its date says.
	service.model.updateUpload(last[0] ?? '', { completedAt: NOW });
	for (let id = 4; id <= 150; id++) fail(id, 0);
	const all = await records();
	expect(all.map(({ ageDays }) => ageDays)).toEqual(all.map((_, index) => (index + 1) % 10));
	const first = all.slice(0, 3).map(({ dataStatus }) => dataStatus);
	expect(first).toEqual(['failed', 'stuck', 'running']);
	expect(all.slice(0, 3).map(({ lastUploadId }) => lastUploadId)).toEqual(last);
	expect(all[0]?.completionDate).toBe(new Date(NOW - DAY - HOUR).toISOString());
	expect(requestsTo('/uploads?engagementId=')).toHaveLength(2);
});

describe('the data status is based on an answer', () => {
	const lastUploads = { path: /lastUploads$/ };
	const of = (id: number) => ({
		...lastUploads,
		query: { engagementIds: new RegExp(`\\b${id}\\b`) },
	});
	const refuse = (match: object, status: number) =>
		service.fail(match, { kind: 'status', status }, { times: Infinity });

	it.each([403, 404, 500])('one that gets a %d is unknown, and fails no other', async (status) => {
		add(5);
		for (let id = 1; id <= 5; id++) complete(id, HOUR);
		refuse(of(3), status);
		const expected = ['1 fresh', '2 fresh', '3 unknown', '4 fresh', '5 fresh'];
		expect(await statuses()).toEqual(expected);
		expect(await statuses({ dataStatuses: ['unknown'] })).toEqual(['3 unknown']);
	});

	it.each([403, 404])('where all are answered with %d, the node fails', async (status) => {
		add(500);
		for (let id = 1; id <= 500; id++) complete(id, HOUR);
		refuse(lastUploads, status);
		expect(await failure()).toContain(`(${status})`);
		expect(service.requests.length).toBeLessThanOrEqual(25);
	});

	it('where the recent uploads are refused, the node fails', async () => {
		add(1);
		refuse({ path: /\/uploads$/ }, 403);
		expect(await failure()).toMatch(/^Could not get the recent uploads: .*\(403\)/);
	});

	const lastUpload = (uploadId: string, status: string, age: number) => ({
		...{ engagementId: 1, uploadId, status },
		creationDate: new Date(NOW - age).toISOString(),
	});
	const [old, failed] = [
		lastUpload('old', 'COMPLETED', 3 * DAY),
		lastUpload('new', 'FAILED', 2 * DAY),
	];
	it.each([
		['the first', [[failed, old]], 1],
		['the last', [[old, failed]], 1],
		['on a later page', [[old], [failed]], 2],
		['on a later page, of which nobody says', [[old], [failed]], undefined],
	])('of several last uploads, the newest by its dates counts: %s', async (_what, pages, total) => {
		add(1);
		for (const [page, content] of pages.entries()) {
			const match = { ...lastUploads, query: { page: String(page) } };
			const body = { content, totalPages: total };
			service.fail(match, { kind: 'status', status: 200, body });
		}
		const pageSize = pages[0]?.length;
		expect(await statuses({ options: { pageSize } })).toEqual(['1 failed']);
	});

	it('an engagement without an ID is unknown, and holds up no other', async () => {
		add(1);
		complete(1, HOUR);
		const odd = ['null', undefined];
		const body = [...odd.map((Id) => ({ Id, externalEngagementId: 'E' })), { Id: 1 }];
		service.fail({ path: /engagements$/ }, { kind: 'status', status: 200, body });
		const all = await records();
		expect(all.map(({ dataStatus }) => dataStatus)).toEqual([...odd.map(() => 'unknown'), 'fresh']);
	});
});
