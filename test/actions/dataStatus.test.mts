/** Engagement > Get Data Status. test/service/dataStatus.test.mts has the data status of each kind of upload. */
import { requestLines, service } from '../support/engine/runs.mts';
import {
	add,
	begin,
	complete,
	DAY,
	fail,
	HOUR,
	NOW,
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

it('filters by data status and refreshable, before the limit applies', async () => {
	add(2000);
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
	const refreshable = { filters: { refreshable: false }, dataStatuses: 'never, FAILED' };
	expect(await statuses(refreshable)).toEqual(['3 failed']);
});

it('asks for the last uploads of no more engagements than it returns', async () => {
	add(60);
	const limited = { returnAll: false, limit: 45, options: { pageSize: 30 } };
	expect(await statuses(limited)).toHaveLength(45);
	const asked = service.requests.flatMap(({ query }) => query.engagementIds ?? []);
	expect(asked.map((ids) => ids.split(',').length)).toEqual([45]);
});

it('costs the pages of the list and a request per 100 engagements, in parallel', async () => {
	add(2345, { latencyMs: 20 });
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
	add(6);
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
	const disable = (...ids: number[]) => {
		for (const id of ids) service.model.updateEngagement(id, { active: false });
	};

	it('is disabled, which is among its fields', async () => {
		add(3);
		complete(1, HOUR);
		complete(1, 2 * HOUR);
		fail(2, HOUR);
		disable(2);
		expect(await statuses()).toEqual(['1 fresh', '2 disabled', '3 never']);
		expect(await statuses({ dataStatuses: ['failed', 'never'] })).toEqual(['3 never']);
		const fields = { output: 'selectedFields', fields: ['active'] };
		expect((await records(fields)).map(({ active }) => active)).toEqual([true, false, null]);
	});
});
