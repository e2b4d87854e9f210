import type { IDataObject } from 'n8n-workflow';

import { errorText, linesOf, outputOf, run } from '../support/runs.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import type { Settings } from '../support/service/settings.mts';
import { useVirtualTime } from '../support/virtualTime.mts';

useVirtualTime();

const NOW = Date.UTC(2026, 5, 15, 12);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let service: SimulatedService;

async function start(engagements: number, settings: Partial<Settings> = {}): Promise<void> {
	service = await startService({ settings: { uploadDurationMs: Infinity, ...settings } });
	const { model } = service;
	model.setClock(NOW);
	model.addConnector({ name: 'cloudbooks' });
	for (let id = 1; id <= engagements; id += 1)
		model.addEngagement({ id, dataRefreshEnabled: id % 2 === 0 });
}
afterEach(async () => await service.close());

const complete = (engagementId: number, ago: number) =>
	service.model.addCompletedUpload({ engagementId, completedAt: NOW - ago }).uploadId;
const begin = (engagementId: number, ago: number) => {
	const { uploadId } = service.model.startUpload(engagementId, 'cloudbooks');
	return service.model.updateUpload(uploadId, { createdAt: NOW - ago }).uploadId;
};
const fail = (engagementId: number, ago: number) =>
	service.model.failUpload(begin(engagementId, ago)).uploadId;

const getStatus = { resource: 'engagement', operation: 'getStatus' };
const statuses = async (more: IDataObject = {}) =>
	(await outputOf(service, { ...getStatus, returnAll: true, ...more })).map(
		({ engagementId, dataStatus }) => `${engagementId} ${dataStatus}`,
	);
const failure = async () => errorText(await run(service, { ...getStatus, returnAll: true }));
const requestsTo = (end: string) => linesOf(service).filter((line) => line.includes(end));

it('returns the data status of every engagement, in the order of the list', async () => {
	await start(4);
	fail(2, 3 * DAY);
	begin(3, 6 * HOUR + 1000);
	complete(4, 30 * DAY + 1000);
	expect(await statuses()).toEqual(['1 never', '2 failed', '3 stuck', '4 stale']);
	expect(await statuses({ staleAfter: 30.5, stuckAfter: '7' })).toEqual(
		expect.arrayContaining(['3 running', '4 fresh']),
	);
	expect(await statuses({ dataStatuses: ['stuck', 'Never'] })).toEqual(['1 never', '3 stuck']);
	expect(await statuses({ dataStatuses: 'stale FAILED' })).toEqual(['2 failed', '4 stale']);
	expect(await statuses({ filters: { refreshable: false }, dataStatuses: [] })).toEqual([
		...['1 never', '3 stuck'],
	]);
});

it.each<[number, number, string]>([
	[6, 23 * HOUR, 'stuck'],
	[6, 25 * HOUR, 'fresh'],
	[30, 59 * HOUR, 'stuck'],
])(
	'sees newer uploads where the last upload is the last successful one (%d h, %d ms)',
	async (stuckAfter, ago, dataStatus) => {
		await start(3, { lastUploadsOf: 'completed' });
		complete(1, 3 * DAY);
		begin(1, ago);
		complete(2, HOUR);
		fail(3, HOUR);
		expect(await statuses({ stuckAfter })).toEqual([`1 ${dataStatus}`, '2 fresh', '3 failed']);
	},
);

it('reads the uploads of the last day once per run, however many items there are', async () => {
	await start(3);
	await run(service, { ...getStatus, stuckAfter: '={{ $json.hours }}' }, [
		{ hours: 1 },
		{ hours: 20 },
	]);
	expect(requestsTo('/uploads?')).toEqual([
		expect.stringContaining('createdDateFrom=2026-06-13T20:00:00'),
	]);
});

describe('the data status is based on an answer', () => {
	const lastUploads = { path: /lastUploads$/ };
	const of = (id: number) => ({
		...lastUploads,
		query: { engagementIds: new RegExp(`\\b${id}\\b`) },
	});
	const refuse = (match: object, status: number) =>
		service.fail(match, { kind: 'status', status }, { times: Infinity });

	it('an engagement has no upload if it is not found, and the upload list is empty', async () => {
		await start(4);
		complete(2, HOUR);
		complete(4, HOUR);
		for (const id of [3, 4]) refuse(of(id), 404);
		expect(await statuses()).toEqual(['1 never', '2 fresh', '3 never', '4 unknown']);
		expect(requestsTo('/uploads?engagementId=')).toEqual([
			expect.stringContaining('engagementId=3,4&'),
		]);
	});

	it.each([400, 403, 410, 423, 451, 500])(
		'one that is answered with %d is unknown, and fails no other',
		async (status) => {
			await start(5);
			for (let id = 1; id <= 5; id++) complete(id, HOUR);
			refuse(of(3), status);
			const expected = ['1 fresh', '2 fresh', '3 unknown', '4 fresh', '5 fresh'];
			expect(await statuses()).toEqual(expected);
			expect(await statuses({ dataStatuses: ['unknown'] })).toEqual(['3 unknown']);
		},
	);

	it('many in a row may be unknown', async () => {
		await start(200);
		complete(1, HOUR);
		for (let id = 101; id <= 200; id++) refuse(of(id), 403);
		const wanted = { returnAll: false, limit: 150, dataStatuses: ['unknown'] };
		expect(await statuses(wanted)).toEqual(
			Array.from({ length: 100 }, (_, index) => `${101 + index} unknown`),
		);
	});

	it.each([400, 403, 404, 405, 410, 451])(
		'where all are answered with %d, the node fails after at most 20 requests',
		async (status) => {
			await start(500);
			complete(1, HOUR);
			refuse(lastUploads, status);
			expect(await failure()).toContain(`(${status})`);
			expect(service.requests.length).toBeLessThanOrEqual(20);
		},
	);

	it('where few are not found, the upload list decides', async () => {
		await start(2);
		refuse(lastUploads, 404);
		expect(await statuses()).toEqual(['1 never', '2 never']);
		complete(2, 3 * DAY);
		expect(await failure()).toContain('engagement 2: the service could not find it (404)');
		refuse({ path: /uploads$/, query: { engagementId: /./ } }, 403);
		expect(await failure()).toContain('the service denied access (403)');
	});

	it.each([
		['half a character', 'a\ud800b'],
		['3,000 characters', 'x'.repeat(3000)],
		['null', null],
		['the text null', 'null'],
		['nothing', undefined],
	])('an engagement whose ID is %s is unknown, and holds up no other', async (_, odd) => {
		await start(1);
		complete(1, HOUR);
		const body = [{ Id: odd, externalEngagementId: 'E' }, { Id: 1 }];
		service.fail({ path: /engagements$/ }, { kind: 'status', status: 200, body });
		const records = await outputOf(service, { ...getStatus, returnAll: true });
		expect(records.map(({ dataStatus }) => dataStatus)).toEqual(['unknown', 'fresh']);
	});
});

describe('the age of the data', () => {
	const records = async () =>
		(await outputOf(service, { ...getStatus, returnAll: true })).map(
			({ dataStatus, ageDays, lastUploadId }) => ({ dataStatus, ageDays, lastUploadId }),
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

it('stops when enough engagements match', async () => {
	await start(2000);
	for (let id = 1; id <= 2000; id += 1) if (id % 10 > 0) complete(id, HOUR);
	expect(await statuses({ returnAll: false, limit: 3 })).toHaveLength(3);
	expect(linesOf(service)[0]).toMatch(/page=0&size=3$/);
	expect(requestsTo('lastUploads')).toHaveLength(1);
	const never = { returnAll: false, limit: 12, dataStatuses: ['never'] };
	expect(await statuses(never)).toEqual(
		Array.from({ length: 12 }, (_, index) => `${10 * (index + 1)} never`),
	);
	expect(requestsTo('lastUploads').length).toBeLessThanOrEqual(3);
	expect(requestsTo('/engagements?').length).toBeLessThanOrEqual(1);
});

it('costs the pages of the list and a request per 100 engagements, in parallel', async () => {
	await start(2345, { latencyMs: 20 });
	expect(await statuses()).toHaveLength(2345);
	expect(requestsTo('/engagements?')).toHaveLength(5);
	expect(requestsTo('/lastUploads?')).toHaveLength(24);
	expect(requestsTo('/uploads?')).toHaveLength(1);
	expect(service.mostAtOnce).toBeGreaterThan(4);
	service.settings.maxPageSize = 30;
	expect(await statuses()).toHaveLength(2345);
	expect(requestsTo('/lastUploads?')).toHaveLength(24);
});
