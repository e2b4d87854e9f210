/** Filters: which records they let pass, whatever the service makes of them, and what is asked for. */
import type { IDataObject } from 'n8n-workflow';

import { makeCredential } from '../support/world/credentials.mts';
import { onlyRequest, readOutput, run, service } from '../support/engine/runs.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';

useSmallWorld(beforeAll);

const list = (resource: string, more: IDataObject): IDataObject => ({
	...{ resource, operation: 'getAll' },
	...more,
});

/** The service sends these records, whatever it is asked for. */
const send = (content: IDataObject[]) =>
	service.fail({}, { kind: 'status', status: 200, body: { content, last: true } });

const ID = '5f0c9a3e-7d1b-4c52-9a54-0f5b7f1d2c11';
const TIME = '2026-02-01T00:00:00.000Z';
const BEFORE = '2026-01-31T23:59:59.999Z';
const DATES = { Created: 'creationDate', Completed: 'completionDate' };

type Row = [resource: string, filters: IDataObject, matching: IDataObject[], others: IDataObject[]];

/** A From includes its instant, a To excludes it. */
const borders = Object.entries(DATES).flatMap(([event, name]): Row[] => {
	const [from, to] = [`${event.toLowerCase()}DateFrom`, `${event.toLowerCase()}DateTo`];
	return [
		['upload', { [from]: TIME }, [{ [name]: TIME }], [{ [name]: BEFORE }, { [name]: 'soon' }]],
		['upload', { [to]: TIME }, [{ [name]: BEFORE }], [{ [name]: TIME }]],
	];
});

const ROWS: Row[] = [
	['connector', { refreshable: 'no' }, [{ isRefreshable: 'False' }], [{ isRefreshable: 1 }]],
	['connector', { type: 'offline' }, [{ type: '1' }], [{ type: '0' }]],
	['engagement', { engagementIds: '7; 8.0' }, [{ Id: 7 }, { Id: '8' }], [{ Id: 9 }]],
	[
		'engagement',
		{ externalEngagementIds: 'A, e\u0301' },
		[{ externalEngagementId: 'A' }, { externalEngagementId: '\u00e9' }],
		[{ externalEngagementId: 'a' }],
	],
	[
		'engagement',
		{ refreshable: 'Yes' },
		[{ dataRefreshEnabled: 'TRUE' }],
		[{ dataRefreshEnabled: 0 }],
	],
	[
		'engagement',
		{ relationshipManagers: ['somebody', ' ZO\u00cb LUND'] },
		[{ relationshipManager: 'Zoe\u0308 Lund' }],
		[{ relationshipManager: 'Zoe' }],
	],
	['upload', { connectorNames: 'Cloudbooks; desk' }, [{ connectorName: 'cloudbooks' }], []],
	['upload', { engagementIds: [7] }, [{ engagementId: '7' }], [{ engagementId: 8 }]],
	[
		'upload',
		{ externalEngagementIds: 'A' },
		[{ externalEngagementId: 'A' }],
		[{ externalEngagementId: 'a' }],
	],
	[
		'upload',
		{ outcomes: ['completed'] },
		[{ uploadStatus: 'DONE' }, { uploadStatus: 'ARCHIVED', completionDate: TIME }],
		[{ uploadStatus: 'FAILED', completionDate: TIME }, { uploadStatus: 'LOADING' }],
	],
	[
		'upload',
		{ outcomes: 'failed, unfinished', uploadStatuses: 'failed' },
		[{ uploadStatus: 'FAILED' }, { status: 'FAILED' }],
		[{ uploadStatus: 'LOADING' }],
	],
	['upload', { uploadId: ID.toUpperCase() }, [{ uploadId: ID }], [{ uploadId: 'other' }]],
	...borders,
	[
		'user',
		{ statuses: 'active, Inviting' },
		[{ statusCode: 'active' }, { statusCode: 'INVITING' }],
		[{ statusCode: 'DISABLED' }],
	],
	['user', { userType: 'sme' }, [{ userType: 'SME' }], [{ userType: 'Client (Staff)' }]],
	[
		'user',
		{ userType: 'Staff' },
		[{ userType: 'Client (Staff)' }, { userType: 'CLIENT' }],
		[{ userType: 'sme' }, { userType: null }],
	],
];

it.each(ROWS)('of %ss, %j lets pass only %j', async (resource, filters, matching, others) => {
	// Of the others, the last has no value at all.
	const records = [...others, ...matching, {}].map((record, index) => ({
		...{ id: index, Id: index + 100, uploadId: `u${index}`, email: 'a@example.com' },
		...record,
	}));
	send(records);
	const given = list(resource, { filters, output: 'raw', limit: matching.length + 1 });
	const expected = records.slice(others.length, -1);
	expect(await readOutput(service, given)).toEqual(expected);
});

it('Limit counts what is left', async () => {
	const filters = { outcomes: ['completed'] };
	const body = ['LOADING', 'LOADING', 'DONE', 'DONE'].map((status, index) => ({
		...{ uploadId: `u${index}`, status },
	}));
	send(body);
	const uploads = await readOutput(service, list('upload', { filters, limit: 1 }));
	expect(uploads).toMatchObject([{ uploadId: 'u2' }]);
});

it.each([
	// A limit that is hidden is not read.
	['={{ "True" }}', 0, '100'],
	['False', 1, '1'],
])('Return All may be %j, with a limit of %d: pages of %s', async (returnAll, limit, size) => {
	await run(service, list('upload', { returnAll, limit, options: { pageSize: 100 } }));
	expect(onlyRequest(service).query.size).toBe(size);
});

it('a date is in the zone of the workflow or its own, and sent in that of the credential', async () => {
	const credential = makeCredential(service, { timeZone: 'America/New_York' });
	const createdDateFrom = '={{ DateTime.fromISO("2026-07-01T12:00Z") }}';
	const filters = { completedDateFrom: '2026-07-01T12:00:00', createdDateFrom };
	const options = { credential, timezone: 'Europe/Berlin' };
	await run(service, list('upload', { filters }), [{}], options);
	expect(onlyRequest(service).query).toMatchObject({
		completedDateFrom: '2026-07-01T05:59:59',
		createdDateFrom: '2026-07-01T07:59:59',
	});
});

it('Engagement IDs, hidden for one engagement and connector, is not read', async () => {
	const ofConnector = { engagementId: 1001, connectorName: 'cloudbooks' };
	const filters = { engagementIds: '1002' };
	const given = list('upload', { ...ofConnector, source: '={{ "connector" }}', filters });
	// The service need not say whose they are.
	send([{ uploadId: 'u1' }]);
	expect(await readOutput(service, given)).toMatchObject([{ engagementId: 1001 }]);
	expect(onlyRequest(service).query).not.toHaveProperty('engagementId');
});
