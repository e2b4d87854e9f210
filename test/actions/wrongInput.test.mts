import type { IDataObject } from 'n8n-workflow';

import type { SimulatedService } from '../support/service/http.mts';
import { errorText, run } from '../support/runs.mts';
import { smallWorld } from '../support/smallWorld.mts';

let service: SimulatedService;

beforeAll(async () => {
	({ service } = await smallWorld());
});

afterAll(async () => await service.close());

const UPLOAD_ID = '5f0c9a3e-7d1b-4c52-9a54-0f5b7f1d2c11';
const good: Record<string, IDataObject> = {
	company: { resource: 'company', operation: 'get', engagementId: 1001 },
	connectors: { resource: 'connector', operation: 'getAll' },
	create: { resource: 'engagement', operation: 'create', name: 'X' },
	engagements: { resource: 'engagement', operation: 'getAll' },
	last: { resource: 'upload', operation: 'getLast', engagementIds: '1001' },
	refresh: {
		resource: 'dataRefresh',
		operation: 'run',
		engagementId: 1001,
		connectorName: 'cloudbooks',
	},
	schedule: {
		resource: 'dataRefresh',
		operation: 'schedule',
		engagementId: 1001,
		scheduleFrequency: '1',
		scheduleStartDate: '2026-12-01',
	},
	start: {
		resource: 'upload',
		operation: 'start',
		engagementId: 1001,
		connectorName: 'cloudbooks',
	},
	uploads: { resource: 'upload', operation: 'getAll' },
	users: { resource: 'user', operation: 'getAll' },
	workflow: {
		resource: 'upload',
		operation: 'getWorkflow',
		engagementId: 1001,
		uploadId: UPLOAD_ID,
	},
};

/** Parameters, the invalid value, and what the message must name. */
type Wrong = [asked: string, over: IDataObject, names: string];

// Given as expressions, since n8n itself rejects some plain values in required fields.
const ids = ['abc', '1.5', '-1', '0', '1e3', '12 34', '1001/..', '99999999999999999'].map(
	(id): Wrong => ['company', { engagementId: `={{ ${JSON.stringify(id)} }}` }, 'Engagement'],
);
const uploadIds = ['a/b', '..', '../x', 'a?b', '%2e%2e', 'a b', 'a#b'].map(
	(id): Wrong => ['workflow', { uploadId: `={{ ${JSON.stringify(id)} }}` }, 'Upload ID'],
);
const names = ['a/b', '..', '.', 'a\\b', 'a\nb'].map(
	(name): Wrong => ['start', { connectorName: `={{ ${JSON.stringify(name)} }}` }, 'Connector'],
);
const dates = ['yesterday', '2026-13-01', '01.03.2026', '2026-02-30', '20260301', '1772360129'].map(
	(date): Wrong => ['uploads', { filters: { completedDateFrom: date } }, 'Completed From'],
);
const parallel = [0, 65, -1, 1.5, 'many', '={{ [] }}'].map(
	(parallelRequests): Wrong => ['company', { options: { parallelRequests } }, 'Parallel Requests'],
);

const wrong: Wrong[] = [
	...ids,
	...uploadIds,
	...names,
	...dates,
	...parallel,
	['company', { engagementId: '={{ "" }}' }, 'Engagement is empty'],
	['company', { engagementId: '={{ ["1001"] }}' }, 'Engagement'],
	['company', { engagementId: { mode: 'externalId', value: 'a,b' } }, 'contains a comma'],
	['company', { output: 'everything' }, 'Output'],
	['company', { output: 'selectedFields', fields: '={{ " " }}' }, 'Fields is empty'],
	['company', { output: 'selectedFields', fields: ',,' }, 'Fields'],
	['company', { options: { timeout: 0 } }, 'Timeout (Seconds)'],
	['company', { options: { timeout: 'soon' } }, 'Timeout (Seconds)'],
	['company', { options: { customQuery: 'trace=1' } }, 'Custom Query'],
	['company', { options: { customQuery: '[1]' } }, 'Custom Query'],
	['company', { options: { customQuery: { a: { b: 1 } } } }, 'Custom Query'],
	['connectors', { filters: { type: 'sideways' } }, 'Type'],
	['connectors', { filters: { refreshable: 'perhaps' } }, 'Refreshable'],
	['create', { name: '={{ " " }}' }, 'Name is empty'],
	['create', { additionalFields: { usePortal: 'perhaps' } }, 'Use Portal'],
	['create', { additionalFields: { contactEmail: '={{ [1] }}' } }, 'Contact Email'],
	['create', { options: { customBody: '{"a":' } }, 'Custom Body'],
	['engagements', { filters: { externalEngagementIds: ', ,' } }, 'External Engagement IDs'],
	['engagements', { limit: 0 }, 'Limit'],
	['engagements', { limit: 'few' }, 'Limit'],
	['engagements', { returnAll: '={{ "sure" }}' }, 'Return All'],
	['engagements', { options: { pageSize: 0 } }, 'Page Size'],
	['engagements', { sort: { rule: [{ field: 'a,b' }] } }, 'Sort Field'],
	['engagements', { sort: { rule: [{ field: 'Id', direction: 'up' }] } }, 'Sort Direction'],
	['last', { engagementIds: '={{ "" }}' }, 'Engagement IDs is empty'],
	['last', { engagementIds: '={{ [] }}' }, 'Engagement IDs is empty'],
	['last', { engagementIds: ',,' }, 'Engagement IDs'],
	['last', { engagementIds: '1001,x' }, 'Engagement IDs'],
	['refresh', { waitForCompletion: '={{ "later" }}' }, 'Wait for Completion'],
	['refresh', { options: { waitInterval: 0 } }, 'Wait Interval (Seconds)'],
	['refresh', { options: { waitTimeout: 'long' } }, 'Wait Timeout (Minutes)'],
	['schedule', { scheduleFrequency: '6' }, 'Frequency'],
	['schedule', { scheduleFrequency: 'often' }, 'Frequency'],
	['schedule', { scheduleStartDate: '' }, 'Start Date is empty'],
	['schedule', { scheduleStartDate: 'soon' }, 'Start Date'],
	['start', { scopeName: '={{ ["Full"] }}' }, 'Scope'],
	['uploads', { source: 'anywhere' }, 'Source'],
	['uploads', { filters: { engagementIds: ',' } }, 'Engagement IDs'],
	['uploads', { filters: { engagementIds: '1001,abc' } }, 'Engagement IDs'],
	['uploads', { filters: { uploadId: 'a/b' } }, 'Upload ID'],
	['users', { limit: -5 }, 'Limit'],
	['workflow', { splitSteps: '={{ "perhaps" }}' }, 'Split Steps'],
];

it.each(wrong)('%s with %j names %s', async (asked, over, name) => {
	const items = [{ good: true }, { good: false }];
	const result = await run(service, { ...good[asked], ...over }, items);
	expect(errorText(result)).toContain(name);
	expect(result.error?.message).toMatch(/\[item 0\]/);
	expect(result.items).toEqual([]);
	expect(service.requests).toEqual([]);
});

it('is found before anything is sent, even if only a later item is invalid', async () => {
	const parameters = { ...good.start, engagementId: '={{ $json.id }}' };
	const result = await run(service, parameters, [{ id: 1001 }, { id: 1002 }, { id: 'x' }]);
	expect(errorText(result)).toMatch(/Engagement “x” is not a whole number \[item 2\]/);
	expect(service.requests).toEqual([]);
});

it('can be an unknown operation', async () => {
	const result = await run(service, { resource: 'upload', operation: 'constructor' });
	expect(errorText(result)).toContain('“constructor”');
	expect(service.requests).toEqual([]);
});

it('says what is too long for one request', async () => {
	const customQuery = JSON.stringify({ note: 'x'.repeat(2000) });
	const result = await run(service, { ...good.uploads, options: { customQuery } });
	expect(errorText(result)).toMatch(/too long for one request.*Shorten/);
	expect(service.requests).toEqual([]);
});
