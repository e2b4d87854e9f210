import type { IDataObject } from 'n8n-workflow';

import type { SimulatedService } from '../support/service/http.mts';
import { errorText, linesOf, outputOf, run, useService } from '../support/runs.mts';
import { smallWorld } from '../support/smallWorld.mts';

let service: SimulatedService;

useService(beforeAll, async () => ({ service } = await smallWorld()));
beforeAll(() => {
	service.model.addEngagement({ id: 2001, externalEngagementId: 'TWIN' });
	service.model.addEngagement({ id: 2002, externalEngagementId: 'TWIN' });
});

const rl = (mode: string, value: unknown) => ({ __rl: true, mode, value });
const client = () => `/v1/clients/${service.clientId}`;

describe('Engagement', () => {
	const company = (engagementId: unknown): IDataObject => ({
		resource: 'company',
		operation: 'get',
		engagementId: engagementId as IDataObject,
	});
	const details = 'GET /v1/engagements/1001/companyDetails';

	it('by external ID is looked up', async () => {
		await outputOf(service, company(rl('externalId', 'CRM-1')));
		expect(linesOf(service)).toEqual([
			`GET ${client()}/engagements?externalEngagementId=CRM-1&page=0&size=100`,
			details,
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

	const other = { content: [{ Id: 7, externalEngagementId: 'OTHER' }], last: true };

	it.each([{ status: 404 }, { status: 200, body: other }])(
		'by an external ID is also an error if the service responds with %j',
		async (answer) => {
			service.fail({}, { kind: 'status', ...answer });
			const result = await run(service, company(rl('externalId', 'CRM-1')));
			expect(errorText(result)).toContain('No engagement has the External Engagement ID “CRM-1”');
		},
	);
});

describe('Connector', () => {
	const uploads = (connectorName: unknown): IDataObject => ({
		resource: 'upload',
		operation: 'getAll',
		source: 'connector',
		engagementId: 1001,
		connectorName: connectorName as IDataObject,
	});
	const path = '/v1/engagements/1001/connectors/desk-ledger/uploads';

	it('by ID is looked up in the connector list, once', async () => {
		await run(service, uploads(rl('id', '12')), [{}, {}, {}]);
		const asked = service.requests.map((request) => request.path);
		expect(asked).toEqual([`${client()}/connectors`, path, path, path]);
	});

	it.each(['99', '0'.repeat(200)])('by an ID that no connector has is an error', async (id) => {
		const result = await run(service, uploads(rl('id', id)));
		expect(errorText(result)).toContain(`No connector has the ID or name “${id.slice(0, 60)}`);
		expect(errorText(result)).toContain('or set Connector to By Name');
		expect(service.requests).toHaveLength(1);
	});

	it('by the ID of a connector without a usable name is an error', async () => {
		service.fail({}, { kind: 'status', status: 200, body: [{ id: '5', name: 'a/b' }] });
		const result = await run(service, uploads(rl('id', '5')));
		expect(errorText(result)).toContain('Connector “a/b” is not a valid name');
		expect(service.requests).toHaveLength(1);
	});
});
