import type { IDataObject } from 'n8n-workflow';

import { linesOf, outputOf, run } from '../support/runs.mts';
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

it('an engagement that is not found among the last uploads has none', async () => {
	await start(3, { strictLastUploads: true });
	complete(2, HOUR);
	service.fail(
		{ path: /lastUploads/, query: { engagementIds: /\b3\b/ } },
		{ kind: 'status', status: 404 },
		{ times: Infinity },
	);
	expect(await statuses()).toEqual(['1 never', '2 fresh', '3 never']);
});

it.each(['a\ud800b', 'x'.repeat(3000)])(
	'an engagement with an ID that no URL can contain holds up no other',
	async (odd) => {
		await start(1);
		complete(1, HOUR);
		const body = [{ Id: odd }, { Id: 1 }];
		service.fail({ path: /engagements$/ }, { kind: 'status', status: 200, body });
		expect(await statuses()).toEqual([`${odd} never`, '1 fresh']);
	},
);

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
