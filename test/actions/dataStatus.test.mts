/** Engagement > Get Data Status. test/service/dataStatus.test.mts has the data status of each kind of upload. */
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

it('returns the data status of every engagement, in the order of the list', async () => {
	add(4);
	fail(2, 3 * DAY);
	begin(3, 6 * HOUR + 1000);
	complete(4, 30 * DAY + 1000);
	expect(await statuses()).toEqual(['1 never', '2 failed', '3 stuck', '4 stale']);
	expect(await statuses({ staleAfter: 30.5, stuckAfter: '7' })).toEqual(
		expect.arrayContaining(['3 running', '4 fresh']),
	);
});

it('filters by data status and refreshable, and returns all', async () => {
	add(2000);
	for (let id = 1; id <= 2000; id += 1) if (id % 10 > 0) complete(id, HOUR);
	fail(3, 0);
	const wanted = { dataStatuses: ['failed', 'Never'] };
	const never = Array.from({ length: 200 }, (_, index) => `${10 * (index + 1)} never`);
	expect(await statuses(wanted)).toEqual(['3 failed', ...never]);
	const refreshable = { filters: { refreshable: false }, dataStatuses: 'never, FAILED' };
	expect(await statuses(refreshable)).toEqual(['3 failed']);
});

it('costs the pages of the list and a request per 100 engagements, in parallel', async () => {
	add(2345, { latencyMs: 20 });
	for (const maxPageSize of [500, 30]) {
		service.settings.maxPageSize = maxPageSize;
		expect(await statuses()).toHaveLength(2345);
		expect(requestsTo('/engagements?')).toHaveLength(Math.ceil(2345 / maxPageSize));
		expect(requestsTo('/lastUploads?')).toHaveLength(24);
		expect(requestsTo('/uploads?')).toHaveLength(0);
	}
	expect(service.mostAtOnce).toBeGreaterThan(4);
});

it('returns fields of the data status and of the engagement, whose manager a report can go to', async () => {
	add(2);
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
	add(4);
	for (const id of [1, 2, 3, 4]) complete(id, HOUR);
	service.model.updateEngagement(3, { relationshipManager: 'Zoe\u0308 Lund' });
	const asked = () => service.requests.flatMap(({ query }) => query.engagementIds ?? []);
	for (const [filters, ids] of [
		[{ engagementIds: '2; 4.0' }, '2,4'],
		[{ relationshipManagers: ['somebody', ' ZOË LUND'] }, '3'],
	] as const) {
		expect(await statuses({ filters })).toHaveLength(ids.split(',').length);
		expect(asked()).toEqual([ids]);
	}
	expect(await statuses({ filters: { relationshipManagers: 'Nobody' } })).toEqual([]);
	expect(service.requests).toHaveLength(1);
});

describe('an engagement whose last upload says that it is not active', () => {
	const disable = (...ids: number[]) => {
		for (const id of ids) service.model.updateEngagement(id, { active: false });
	};

	it('is disabled', async () => {
		add(3);
		complete(1, HOUR);
		fail(2, HOUR);
		disable(2);
		expect(await statuses()).toEqual(['1 fresh', '2 disabled', '3 never']);
		expect(await statuses({ dataStatuses: ['failed', 'never'] })).toEqual(['3 never']);
	});
});

describe('last uploads that the service refuses', () => {
	const refuse = (match: object, status: number) =>
		service.fail(match, { kind: 'status', status }, { times: Infinity });
	const of = (id: number) => ({
		path: /lastUploads$/,
		query: { engagementIds: new RegExp(`\\b${id}\\b`) },
	});

	it.each([403, 404, 500])('one that gets a %d is unknown, and fails no other', async (status) => {
		add(4);
		for (let id = 1; id <= 4; id++) complete(id, HOUR);
		refuse(of(3), status);
		expect(await statuses()).toEqual(['1 fresh', '2 fresh', '3 unknown', '4 fresh']);
		expect(await statuses({ dataStatuses: ['unknown'] })).toEqual(['3 unknown']);
	});

	it.each([1, 300])('where it refuses all %d, the node fails', async (count) => {
		add(count);
		refuse({ path: /lastUploads$/ }, 403);
		expect(errorText(await run(service, parameters))).toContain('(403)');
		expect(service.requests.length).toBeLessThanOrEqual(102);
	});
});

it('of several last uploads, the newest by its dates counts, in whichever order they come', async () => {
	add(1);
	const upload = (uploadId: string, status: string, age: number) => {
		const creationDate = new Date(NOW - age).toISOString();
		return { engagementId: 1, uploadId, status, creationDate };
	};
	const uploads = [upload('old', 'COMPLETED', 3 * DAY), upload('new', 'FAILED', 2 * DAY)];
	for (const body of [uploads, uploads.toReversed()]) {
		service.fail({ path: /lastUploads$/ }, { kind: 'status', status: 200, body });
		expect(await statuses()).toEqual(['1 failed']);
	}
});
