import type { IDataObject } from 'n8n-workflow';
import { errorText, linesOf, outputOf, run } from '../support/runs.mts';
import {
	begin,
	complete,
	DAY,
	fail,
	getStatus,
	HOUR,
	requestsTo,
	service,
	start,
} from './dataStatus.mts';

const statuses = async (more: IDataObject = {}) =>
	(await outputOf(service, { ...getStatus, returnAll: true, ...more })).map(
		({ engagementId, dataStatus }) => `${engagementId} ${dataStatus}`,
	);
const failure = async () => errorText(await run(service, { ...getStatus, returnAll: true }));

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

it('the newest of an engagement’s recent uploads counts, though the list begins with it', async () => {
	await start(1, { lastUploadsOf: 'completed', unsortedDefault: 'newestFirst' });
	complete(1, 20 * HOUR);
	fail(1, HOUR);
	expect(await statuses()).toEqual(['1 failed']);
});

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

	it.each([400, 403, 404, 410, 423, 451, 500])(
		'one whose uploads are answered with %d fails no other',
		async (status) => {
			await start(4);
			for (const id of [1, 3]) complete(id, HOUR);
			fail(2, HOUR);
			refuse(of(4), 404);
			refuse({ path: /uploads$/, query: { engagementId: /\b[24]\b/ } }, status);
			expect(await statuses()).toEqual(['1 fresh', '2 failed', '3 fresh', '4 unknown']);
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
