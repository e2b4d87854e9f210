/** Engagement > Get Data Status. test/service/dataStatus.test.mts has the data status of each kind of upload. */
import type { IDataObject } from 'n8n-workflow';

import { listHints } from './creates.mts';
import { changeLists } from './refreshes.mts';
import { errorText, requestLines, readOutput, run } from '../support/engine/runs.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import type { Settings } from '../support/service/settings.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';

const NOW = Math.floor(Date.now() / 1000) * 1000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

useVirtualTime();

let service: SimulatedService;

afterEach(async () => await service.close());

/** A service whose clock stands still, with engagements from 1; every second one can be refreshed. */
async function start(engagements: number, settings: Partial<Settings> = {}): Promise<void> {
	service = await startService({ settings: { uploadDurationMs: Infinity, ...settings } });
	const { model } = service;
	model.clock.set(NOW);
	model.addConnector({ name: 'cloudbooks' });
	for (let id = 1; id <= engagements; id += 1)
		model.addEngagement({ id, dataRefreshEnabled: id % 2 === 0 });
}

const complete = (engagementId: number, ago: number) =>
	service.model.addCompletedUpload({ engagementId, completedAt: NOW - ago }).uploadId;
const begin = (engagementId: number, ago: number) => {
	const { uploadId } = service.model.startUpload(engagementId, 'cloudbooks');
	return service.model.updateUpload(uploadId, { createdAt: NOW - ago }).uploadId;
};
const fail = (engagementId: number, ago: number) =>
	service.model.failUpload(begin(engagementId, ago)).uploadId;

const parameters = { resource: 'engagement', operation: 'getStatus', returnAll: true };
const records = async (more: IDataObject = {}) =>
	await readOutput(service, { ...parameters, ...more });
const statuses = async (more: IDataObject = {}) =>
	(await records(more)).map(({ engagementId, dataStatus }) => `${engagementId} ${dataStatus}`);
const failure = async () => errorText(await run(service, parameters));
const requestsTo = (end: string) => requestLines(service).filter((line) => line.includes(end));

it('returns the data status of every engagement, in the order of the list', async () => {
	await start(4);
	fail(2, 3 * DAY);
	begin(3, 6 * HOUR + 1000);
	complete(4, 30 * DAY + 1000);
	expect(await statuses()).toEqual(['1 never', '2 failed', '3 stuck', '4 stale']);
	expect(await statuses({ staleAfter: 30.5, stuckAfter: '7' })).toEqual(
		expect.arrayContaining(['3 running', '4 fresh']),
	);
});

it('filters by data status and refreshable, before the limit applies', async () => {
	await start(2000);
	for (let id = 1; id <= 2000; id += 1) if (id % 10 > 0) complete(id, HOUR);
	fail(3, 0);
	const some = { returnAll: false, limit: 3 };
	expect(await statuses(some)).toEqual(['1 fresh', '2 fresh', '3 failed']);
	expect(requestLines(service)).toContainEqual(
		expect.stringMatching(/engagements\?page=0&size=3$/),
	);
	expect(requestsTo('lastUploads')).toHaveLength(1);
	const wanted = { dataStatuses: ['failed', 'Never'], returnAll: false, limit: 13 };
	const never = Array.from({ length: 12 }, (_, index) => `${10 * (index + 1)} never`);
	expect(await statuses(wanted)).toEqual(['3 failed', ...never]);
	// It stops when enough match.
	expect(requestsTo('/engagements?')).toHaveLength(1);
	const refreshable = { filters: { refreshable: false }, dataStatuses: 'never, FAILED' };
	expect(await statuses(refreshable)).toEqual(['3 failed']);
});

it('asks for the last uploads of no more engagements than it returns', async () => {
	await start(60);
	const limited = { returnAll: false, limit: 45, options: { pageSize: 30 } };
	expect(await statuses(limited)).toHaveLength(45);
	const asked = service.requests.flatMap(({ query }) => query.engagementIds ?? []);
	expect(asked.map((ids) => ids.split(',').length)).toEqual([30, 15]);
});

it('costs the pages of the list and a request per 100 engagements, in parallel', async () => {
	await start(2345, { latencyMs: 20 });
	for (const maxPageSize of [500, 30]) {
		service.settings.maxPageSize = maxPageSize;
		expect(await statuses()).toHaveLength(2345);
		expect(requestsTo('/engagements?')).toHaveLength(Math.ceil(2345 / maxPageSize));
		expect(requestsTo('/lastUploads?')).toHaveLength(24);
		expect(requestsTo('/uploads?')).toHaveLength(1);
	}
	expect(service.mostAtOnce).toBeGreaterThan(4);
});

it('returns fields of the data status and of the engagement, whose manager a report can go to', async () => {
	await start(2);
	fail(2, 3 * DAY);
	service.model.updateEngagement(2, { relationshipManager: 'Ada Lund', name: 'Ashby' });
	const expected = {
		dataStatus: 'failed',
		ageDays: null,
		creationDate: new Date(NOW - 3 * DAY).toISOString(),
		createdAt: new Date(NOW).toISOString(),
		name: 'Ashby',
		ownerEmail: 'user1@example.com',
		relationshipManager: 'Ada Lund',
		status: 'ACTIVE',
		type: 'AUDIT',
		'Owner.email': 'user1@example.com',
		dataRefreshEnabled: true,
		connectorId: 1,
		nothing: null,
	};
	const fields = Object.keys(expected);
	const given = { output: 'selectedFields', fields, dataStatuses: ['failed'] };
	expect(await records(given)).toEqual([{ engagementId: 2, ...expected }]);
});

it('leaves out other engagements before it asks for uploads', async () => {
	await start(4);
	for (const id of [1, 2, 3, 4]) complete(id, HOUR);
	service.model.updateEngagement(3, { relationshipManager: 'Zoe\u0308 Lund' });
	const asked = () => service.requests.flatMap(({ query }) => query.engagementIds ?? []);
	for (const [filters, ids] of [
		[{ engagementIds: '2; 4.0' }, '2,4'],
		[{ relationshipManagers: ['somebody', ' ZOË LUND'] }, '3'],
		[{ statuses: 'active', engagementIds: 1 }, '1'],
	] as const) {
		expect(await statuses({ filters, limit: 2, returnAll: false })).toHaveLength(
			ids.split(',').length,
		);
		expect(asked()).toEqual([ids]);
	}
	expect(await statuses({ filters: { statuses: 'closed' } })).toEqual([]);
	expect(service.requests).toHaveLength(1);
});

it('Data Older Than goes by the last completed upload, whatever the data status', async () => {
	await start(6);
	for (const [id, days] of [20, 14, 20, 20, 20].entries()) complete(id + 1, days * DAY + HOUR);
	complete(2, 14 * DAY);
	fail(3, HOUR);
	begin(4, HOUR);
	complete(5, 2 * DAY);
	fail(5, HOUR);
	const filters = { olderThan: 14 };
	expect(await statuses({ filters })).toEqual(['1 fresh', '3 failed', '4 running']);
	expect(await statuses({ filters: { olderThan: '13.9' } })).toContain('2 fresh');
	const stale = { filters, dataStatuses: ['fresh'], returnAll: false, limit: 1 };
	expect(await statuses(stale)).toEqual(['1 fresh']);
});

describe('an engagement whose last upload says that it is not active', () => {
	const disable = (...ids: number[]) =>
		changeLists(service, (uploads) => {
			for (const each of uploads) each.active = String(!ids.includes(Number(each.engagementId)));
		});

	it('is disabled, which is among its fields', async () => {
		await start(3);
		complete(1, HOUR);
		complete(1, 2 * HOUR);
		fail(2, HOUR);
		disable(2);
		expect(await statuses()).toEqual(['1 fresh', '2 disabled', '3 never']);
		expect(await statuses({ dataStatuses: ['failed', 'never'] })).toEqual(['3 never']);
		const fields = { output: 'selectedFields', fields: ['active'] };
		expect((await records(fields)).map(({ active }) => active)).toEqual([true, false, null]);
	});

	it.each([
		[[1, 2], []],
		[
			[1, 2, 3],
			[
				"3 of 4 engagements with uploads are disabled: 'active' is false in their last upload. If these customers are not disabled in the service, go by 'ageDays' instead.",
			],
		],
	])('%j of four: a hint if it is more than half', async (ids, hints) => {
		await start(6);
		for (const id of [1, 2, 3, 4]) complete(id, HOUR);
		disable(...ids);
		const given = { ...parameters, dataStatuses: '={{ $json.status }}' };
		expect(
			listHints(await run(service, given, [{ status: 'stale' }, { status: 'fresh' }])),
		).toEqual(hints);
	});
});

describe('where the last upload is the last successful one', () => {
	const successful = { lastUploadsOf: 'completed' } as const;

	it.each<[stuckAfter: number, ago: number, dataStatus: string]>([
		[6, 23 * HOUR, 'stuck'],
		[6, 25 * HOUR, 'fresh'],
		[30, 59 * HOUR, 'stuck'],
	])('a newer one counts (%d h, %d ms)', async (stuckAfter, ago, dataStatus) => {
		await start(3, { ...successful, unsortedDefault: 'newestFirst' });
		complete(1, 3 * DAY);
		begin(1, ago);
		complete(2, HOUR);
		complete(3, 20 * HOUR);
		fail(3, HOUR);
		const found = await statuses({ stuckAfter });
		expect(found.sort()).toEqual([`1 ${dataStatus}`, '2 fresh', '3 failed']);
	});

	it('the newer ones are listed once a run, however many items there are', async () => {
		await start(3, successful);
		const given = { ...parameters, stuckAfter: '={{ $json.hours }}' };
		await run(service, given, [{ hours: 1 }, { hours: 20 }]);
		const from = new Date(NOW - 40 * HOUR).toISOString().slice(0, 16);
		expect(requestsTo('/uploads?')).toEqual([expect.stringContaining(`createdDateFrom=${from}`)]);
	});
});

it('the age of the data is that of the last upload that completed, for one more request per 100 engagements', async () => {
	await start(150, { honourEngagementFilter: false });
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

	it.each([403, 500])('one that gets a %d is unknown, and fails no other', async (status) => {
		await start(5);
		for (let id = 1; id <= 5; id++) complete(id, HOUR);
		refuse(of(3), status);
		const expected = ['1 fresh', '2 fresh', '3 unknown', '4 fresh', '5 fresh'];
		expect(await statuses()).toEqual(expected);
		expect(await statuses({ dataStatuses: ['unknown'] })).toEqual(['3 unknown']);
	});

	it('one that is not found has no upload if its upload list is empty', async () => {
		await start(3);
		complete(2, HOUR);
		complete(3, HOUR);
		for (const id of [1, 3]) refuse(of(id), 404);
		expect(await statuses()).toEqual(['1 never', '2 fresh', '3 unknown']);
	});

	it.each([403, 404])('where all are answered with %d, the node fails', async (status) => {
		await start(500);
		for (let id = 1; id <= 500; id++) complete(id, HOUR);
		refuse(lastUploads, status);
		expect(await failure()).toContain(`(${status})`);
		expect(service.requests.length).toBeLessThanOrEqual(25);
	});

	it('where the recent uploads alone are refused, the last uploads decide, and a hint says so', async () => {
		await start(2, { lastUploadsOf: 'completed' });
		complete(1, HOUR);
		fail(1, 0);
		refuse({ path: /\/uploads$/ }, 403);
		const result = await run(service, parameters);
		expect(result.items.map(({ json }) => json.dataStatus)).toEqual(['fresh', 'never']);
		expect(listHints(result)).toEqual([
			expect.stringMatching(
				/^Newer failed or unfinished uploads may be missing.*Could not get the recent uploads: .*\(403\)/,
			),
		]);
		refuse(lastUploads, 403);
		expect(await failure()).toMatch(/^Could not get the last upload.*\(403\)/);
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
		await start(1);
		for (const [page, content] of pages.entries()) {
			const match = { ...lastUploads, query: { page: String(page) } };
			const body = { content, totalPages: total };
			service.fail(match, { kind: 'status', status: 200, body });
		}
		const pageSize = pages[0]?.length;
		expect(await statuses({ options: { pageSize } })).toEqual(['1 failed']);
	});

	it('a page that is not full, and has an upload for each, ends a list without page fields', async () => {
		await start(2, { pageFields: 'none' });
		for (const id of [1, 2]) complete(id, HOUR);
		expect(await statuses()).toEqual(['1 fresh', '2 fresh']);
		expect(requestsTo('lastUploads')).toHaveLength(1);
	});

	it('an engagement whose ID no URL can contain is unknown, and holds up no other', async () => {
		await start(1);
		complete(1, HOUR);
		const odd = ['a\ud800b', 'x'.repeat(3000), 'null', undefined];
		const body = [...odd.map((Id) => ({ Id, externalEngagementId: 'E' })), { Id: 1 }];
		service.fail({ path: /engagements$/ }, { kind: 'status', status: 200, body });
		const all = await records();
		expect(all.map(({ dataStatus }) => dataStatus)).toEqual([...odd.map(() => 'unknown'), 'fresh']);
	});
});
