/** Engagement > Get Data Status. test/service/dataStatus.test.mts has the data status of each kind of upload. */
import type { IDataObject } from 'n8n-workflow';

import {
	errorText,
	readOutput,
	requestLines,
	run,
	service,
	useService,
} from '../support/engine/runs.mts';
import { startService } from '../support/service/http.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import { NOW } from '../support/world/smallWorld.mts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

// Uploads have a given age, in time that does not pass.
useVirtualTime();
useService(beforeEach, startService);
beforeEach(() => {
	service.model.clock.set(NOW);
	service.model.addConnector({ name: 'cloudbooks' });
});

/** Adds engagements from 1; every second one can be refreshed. */
function add(engagements: number): void {
	for (let id = 1; id <= engagements; id += 1)
		service.model.addEngagement({ id, dataRefreshEnabled: id % 2 === 0 });
}

/** Adds an upload of this age (ms), which has completed. */
const complete = (engagementId: number, age: number) =>
	service.model.addCompletedUpload({ engagementId, completedAt: NOW - age });
/** Adds one with this status, which has not. */
const addOpen = (engagementId: number, status: string, age: number) =>
	service.model.addUpload({ engagementId, status, createdAt: NOW - age });

const parameters = { resource: 'engagement', operation: 'getStatus' };
const records = async (more: IDataObject = {}) =>
	await readOutput(service, { ...parameters, ...more });
/** The data status of each, such as `1 fresh`. */
const statuses = async (more: IDataObject = {}) =>
	(await records(more)).map(({ engagementId, dataStatus }) => `${engagementId} ${dataStatus}`);

it('returns the data status of every engagement, in the order of the list', async () => {
	add(4);
	addOpen(2, 'FAILED', 3 * DAY);
	addOpen(3, 'LOADING', 6 * HOUR + 1000);
	complete(4, 30 * DAY + 1000);
	expect(await statuses()).toEqual(['1 never', '2 failed', '3 stuck', '4 stale']);
	const later = await statuses({ staleAfter: 30.5, stuckAfter: '7' });
	expect(later.slice(2)).toEqual(['3 running', '4 fresh']);
	const chosen = { dataStatuses: 'never, FAILED', filters: { refreshable: false } };
	expect(await statuses(chosen)).toEqual(['1 never']);
});

it('returns all, for the pages of the list and a request per 100 engagements, in parallel', async () => {
	add(2345);
	service.settings.latencyMs = 20;
	expect(await statuses()).toHaveLength(2345);
	const lines = requestLines(service);
	expect(lines.filter((line) => line.includes('/lastUploads?'))).toHaveLength(24);
	expect(lines).toHaveLength(24 + 5);
	expect(service.mostAtOnce).toBeGreaterThan(4);
});

it('returns fields of the data status and of the engagement, whose manager a report can go to', async () => {
	add(2);
	addOpen(2, 'FAILED', 3 * DAY);
	service.model.updateEngagement(2, { relationshipManager: 'Ada Lund', name: 'Ashby' });
	const expected = {
		dataStatus: 'failed',
		ageDays: null,
		creationDate: new Date(NOW - 3 * DAY).toISOString(),
		createdAt: new Date(NOW).toISOString(),
		name: 'Ashby',
		relationshipManager: 'Ada Lund',
		status: 'ACTIVE',
		'Owner.email': 'user1@example.com',
		nothing: null,
	};
	const fields = Object.keys(expected);
	const given = { output: 'selectedFields', fields, dataStatuses: ['failed'] };
	expect(await records(given)).toEqual([{ engagementId: 2, ...expected }]);
});

it.each([
	[{ engagementIds: '2; 4.0' }, '2,4'],
	[{ relationshipManagers: ['somebody', ' ZO\u00cb LUND'] }, '3'],
])('with %j, asks for the uploads of %s only', async (filters, ids) => {
	add(4);
	service.model.updateEngagement(3, { relationshipManager: 'Zoe\u0308 Lund' });
	expect(await statuses({ filters })).toEqual(ids.split(',').map((id) => `${id} never`));
	expect(service.requests.flatMap(({ query }) => query.engagementIds ?? [])).toEqual([ids]);
});

describe('last uploads that the service refuses', () => {
	const refuse = (status: number, query = {}) =>
		service.fail({ path: /lastUploads$/, query }, { kind: 'status', status }, { times: Infinity });

	it.each([403, 500])('one that gets a %d is unknown, and fails no other', async (status) => {
		add(4);
		refuse(status, { engagementIds: /\b3\b/ });
		expect(await statuses()).toEqual(['1 never', '2 never', '3 unknown', '4 never']);
	});

	it.each([1, 300])('where it refuses all %d, the node fails', async (count) => {
		add(count);
		refuse(403);
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
