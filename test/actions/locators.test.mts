/** Engagement, Connector and Upload ID: how one record is found. test/actions/merging.test.mts has many at once. */
import type { IDataObject } from 'n8n-workflow';

import type { SimulatedService } from '../support/service/http.mts';
import {
	errorText,
	itemsFrom,
	jsonOf,
	linesOf,
	outputOf,
	run,
	useService,
} from '../support/runs.mts';
import { smallWorld } from '../support/smallWorld.mts';

let service: SimulatedService;
let uploads: string[];

useService(beforeAll, async () => ({ service, uploads } = await smallWorld()));
beforeAll(() => {
	service.model.addEngagement({ id: 2001, externalEngagementId: 'TWIN' });
	service.model.addEngagement({ id: 2002, externalEngagementId: 'TWIN' });
});

const rl = (mode: string, value: unknown) => ({ __rl: true, mode, value }) as IDataObject;
const client = () => `/v1/clients/${service.clientId}`;
const onErrorContinue = { onError: 'continueRegularOutput' } as const;

describe('Engagement', () => {
	const company = (engagementId: IDataObject): IDataObject => ({
		resource: 'company',
		operation: 'get',
		engagementId,
	});

	it('by external ID is looked up', async () => {
		await outputOf(service, company(rl('externalId', 'CRM-1')));
		expect(linesOf(service)).toEqual([
			`GET ${client()}/engagements?externalEngagementId=CRM-1&page=0&size=100`,
			'GET /v1/engagements/1001/companyDetails',
		]);
	});

	it('shows no secret that the service sends as an ID', async () => {
		const record = { Id: service.accessToken, externalEngagementId: 'A' };
		const twice = [record, { ...record, Id: `${service.accessToken}2` }];
		for (const content of [[record], twice]) {
			service.fail({}, { kind: 'status', status: 200, body: { content, last: true } });
			// The engine of the tests fails if the token appears.
			expect(errorText(await run(service, company(rl('externalId', 'A'))))).toContain('***');
		}
	});

	it.each([
		['none', 'CRM-99', 'No engagement has the External Engagement ID “CRM-99”'],
		['a part of one', 'CRM-', 'No engagement has the External Engagement ID “CRM-”'],
		['several', 'TWIN', '2 engagements have the External Engagement ID “TWIN”: 2001, 2002'],
	])('by an external ID that matches %s is an error', async (_what, value, message) => {
		const result = await run(service, company(rl('externalId', value)));
		expect(errorText(result)).toContain(message);
		expect(service.requests).toHaveLength(1);
	});

	it('by external ID is not the one that a service returns which ignores the filter', async () => {
		const body = { content: [{ Id: 7, externalEngagementId: 'OTHER' }], last: true };
		service.fail({}, { kind: 'status', status: 200, body });
		const result = await run(service, company(rl('externalId', 'CRM-1')));
		expect(errorText(result)).toContain('No engagement has the External Engagement ID “CRM-1”');
	});
});

describe('Connector', () => {
	const list = (connectorName: IDataObject): IDataObject => ({
		resource: 'upload',
		operation: 'getAll',
		source: 'connector',
		engagementId: 1001,
		connectorName,
	});
	const path = '/v1/engagements/1001/connectors/desk-ledger/uploads';

	it.each(['12', 'desk-ledger', 'DESK ledger'])(
		'by ID, entered as %s, is looked up in the connector list, once',
		async (id) => {
			await run(service, list(rl('id', id)), [{}, {}, {}]);
			const asked = service.requests.map((request) => request.path);
			expect(asked).toEqual([`${client()}/connectors`, path, path, path]);
		},
	);

	it('by an ID that no connector has is an error', async () => {
		const result = await run(service, list(rl('id', '99')));
		expect(errorText(result)).toMatch(
			/No connector has the ID or name “99”.*or set Connector to By Name/,
		);
		expect(service.requests).toHaveLength(1);
	});

	it('by the ID of a connector without a usable name is an error', async () => {
		service.fail({}, { kind: 'status', status: 200, body: [{ id: '5', name: 'a/b' }] });
		const result = await run(service, list(rl('id', '5')));
		expect(errorText(result)).toContain('Connector “a/b” is not a valid name');
		expect(service.requests).toHaveLength(1);
	});
});

describe('Engagement > Get', () => {
	const get = (engagementId: IDataObject | string, options: IDataObject = {}): IDataObject => ({
		resource: 'engagement',
		operation: 'get',
		engagementId,
		options,
	});

	it('by ID reads the list until all are found, once for all items', async () => {
		service.settings.pageFields = 'lastOnly';
		const items = [{ id: 1003 }, { id: 1001 }, { id: 1003 }];
		const records = await outputOf(service, get('={{ $json.id }}', { pageSize: 1 }), items);
		expect(records.map(({ engagementId }) => engagementId)).toEqual([1003, 1001, 1003]);
		expect(service.requests.map(({ query }) => query.page)).toEqual(['0', '1', '2']);
		service.settings.pageFields = 'spring';
	});

	it('of an engagement that there is not is an error of that item', async () => {
		const { items } = await run(
			service,
			get('={{ $json.id }}'),
			itemsFrom(1003, 2),
			onErrorContinue,
		);
		expect(jsonOf(items)).toEqual([
			expect.objectContaining({ engagementId: 1003 }),
			{ error: expect.stringMatching(/^No engagement has the ID 1004 \[item 1\].*By External ID/) },
		]);
	});
});

describe('Upload > Get', () => {
	const get = { resource: 'upload', operation: 'get', uploadId: '={{ $json.id }}' };
	const none = '00000000-0000-4000-8000-000000000000';

	it('asks for each upload; one that there is not is an error of that item', async () => {
		const ids = [uploads[1], none, uploads[0]].map((id) => ({ id }));
		const { items } = await run(service, get, ids as IDataObject[], onErrorContinue);
		expect(jsonOf(items)).toEqual([
			expect.objectContaining({ uploadId: uploads[1], engagementId: 1002 }),
			{ error: expect.stringContaining(`No upload has the ID “${none}” [item 1]`) },
			expect.objectContaining({ uploadId: uploads[0], engagementId: 1001 }),
		]);
		expect(service.requests).toHaveLength(3);
	});

	it('finds the upload where the service ignores the filter', async () => {
		const content = uploads.map((uploadId) => ({ uploadId }));
		service.fail({}, { kind: 'status', status: 200, body: { content, last: true } });
		const records = await outputOf(service, { ...get, uploadId: uploads[1] });
		expect(records).toMatchObject([{ uploadId: uploads[1] }]);
	});
});
