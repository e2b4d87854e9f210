import type { IDataObject } from 'n8n-workflow';

import type { SimulatedService } from '../service/http.mts';
import { jsonOf, linesOf, onlyRequest, outputOf, run } from './setup.mts';
import { smallWorld } from './world.mts';

let service: SimulatedService;
let uploads: string[];

beforeAll(async () => {
	({ service, uploads } = await smallWorld());
});

afterAll(async () => await service.close());

interface Case {
	what: string;
	parameters: () => IDataObject;
	/** Path and query behind the base URL. */
	url: () => string;
	/** The first simplified record. */
	simplified: () => IDataObject;
	/** Selected fields, and what they give. */
	selected: IDataObject;
}

const client = () => `/v1/clients/${service.clientId}`;
const CREATED = '2026-03-01T10:14:30.000Z';
const COMPLETED = '2026-03-01T10:15:30.000Z';

const cases: Case[] = [
	{
		what: 'company.get',
		parameters: () => ({ resource: 'company', operation: 'get', engagementId: 1001 }),
		url: () => '/v1/engagements/1001/companyDetails',
		simplified: () => ({
			engagementId: 1001,
			name: 'Ashby Farms',
			registrationNumber: '00001001',
			salesTaxNumber: 'GB00001001',
			townCity: 'Bristol',
			stateCounty: 'Avon',
			postZipcode: 'BS1 1AA',
			countryCode: 'GBR',
			email1: 'accounts1001@example.com',
			currencyIso: 'GBP',
		}),
		selected: { engagementId: 1001, address1: '1001 High Street' },
	},
	{
		what: 'connector.getAll',
		parameters: () => ({ resource: 'connector', operation: 'getAll' }),
		url: () => `${client()}/connectors`,
		simplified: () => ({
			id: '11',
			name: 'cloudbooks',
			title: 'Cloud Books',
			description: 'Connector 11, version 1',
			type: 'online',
			isRefreshable: true,
			scopes: 'Full, Collateral',
		}),
		selected: { name: 'cloudbooks', type: '0' },
	},
	{
		what: 'engagement.getAll',
		parameters: () => ({ resource: 'engagement', operation: 'getAll' }),
		url: () => `${client()}/engagements?page=0&size=50`,
		simplified: () => ({
			engagementId: 1001,
			externalEngagementId: 'CRM-1',
			name: 'Ashby Farms',
			status: 'ACTIVE',
			type: 'AUDIT',
			connectorId: 11,
			smeName: 'Ashby Farms',
			ownerEmail: 'owner1001@example.com',
			dataRefreshEnabled: true,
			createdAt: COMPLETED,
		}),
		selected: { 'Owner.email': 'owner1001@example.com', engagementId: 1001, locale: 'en-GB' },
	},
	{
		what: 'period.getAll',
		parameters: () => ({ resource: 'period', operation: 'getAll', engagementId: 1001 }),
		url: () => '/v1/engagements/1001/periods/',
		simplified: () => ({
			engagementId: 1001,
			uploadId: uploads[0],
			yearId: '2026',
			periodId: '2026-01',
			name: 'January 2026',
			startDate: '2026-01-01',
			endDate: '2026-01-31',
			periodNo: 1,
		}),
		selected: { periodNo: 1, engagementId: 1001 },
	},
	{
		what: 'upload.getAll of the client',
		parameters: () => ({ resource: 'upload', operation: 'getAll' }),
		url: () => `${client()}/uploads?page=0&size=50`,
		simplified: () => ({
			uploadId: uploads[0],
			uploadStatus: 'COMPLETED',
			uploadType: 'FULL',
			engagementId: 1001,
			externalEngagementId: 'CRM-1',
			engagementName: 'Ashby Farms',
			connectorName: 'cloudbooks',
			smeName: 'Ashby Farms',
			creationDate: CREATED,
			completionDate: COMPLETED,
		}),
		selected: { smeId: 51001, completionDate: '2026-03-01T10:15:30' },
	},
	{
		what: 'upload.getAll of an engagement and connector',
		parameters: () => ({
			resource: 'upload',
			operation: 'getAll',
			source: 'connector',
			engagementId: 1002,
			connectorName: 'cloudbooks',
		}),
		url: () => '/v1/engagements/1002/connectors/cloudbooks/uploads?page=0&size=50',
		simplified: () => ({
			uploadId: uploads[1],
			uploadStatus: 'COMPLETED',
			uploadType: 'FULL',
			engagementId: 1002,
			externalEngagementId: 'CRM-2',
			engagementName: 'Bramley Ltd',
			connectorName: 'cloudbooks',
			smeName: 'Bramley Ltd',
			creationDate: CREATED,
			completionDate: COMPLETED,
		}),
		selected: { engagementName: 'Bramley Ltd', contactId: '71002' },
	},
	{
		what: 'upload.getLast',
		parameters: () => ({ resource: 'upload', operation: 'getLast', engagementIds: '1001' }),
		url: () => `${client()}/lastUploads?engagementIds=1001&page=0&size=100`,
		simplified: () => ({
			uploadId: uploads[0],
			status: 'COMPLETED',
			uploadType: 'FULL',
			engagementId: 1001,
			smeName: 'Ashby Farms',
			connectorName: 'cloudbooks',
			connectorVersion: '1.0',
			creationDate: CREATED,
			completionDate: COMPLETED,
			active: true,
		}),
		selected: { withMemo: false, status: 'COMPLETED' },
	},
	{
		what: 'upload.getWorkflow',
		parameters: () => ({
			resource: 'upload',
			operation: 'getWorkflow',
			engagementId: 1001,
			uploadId: uploads[0],
		}),
		url: () => `/v1/workflows/engagements/1001/uploads/${uploads[0]}`,
		simplified: () => ({
			uploadId: uploads[0],
			engagementId: 1001,
			connector: 'cloudbooks',
			status: 'COMPLETED',
			created: CREATED,
			started: CREATED,
			lastUpdate: COMPLETED,
			stepCount: 5,
			currentStep: 'Store',
			currentStepStatus: 'COMPLETED',
		}),
		selected: { smeId: 51001, stepCount: 5 },
	},
	{
		what: 'user.getAll',
		parameters: () => ({ resource: 'user', operation: 'getAll' }),
		url: () => `${client()}/users`,
		simplified: () => ({
			id: 1,
			firstName: 'Kim',
			lastName: 'Ward 1',
			email: 'user1@example.com',
			phone: 2_070_000_001,
			title: 'Auditor',
			statusCode: 'ACTIVE',
			userType: 'Client (Staff)',
			roles: 'Auditor',
			lastLoginDate: '2026-03-01T10:15:29.000Z',
		}),
		selected: { 'profiles.name': ['Auditor'], roles: 'Auditor', lastLoginDate: 1_772_360_129_000 },
	},
];

/** The first record as the service itself gives it to a request for this URL. */
function rawRecord(url: string): unknown {
	const { body } = service.ask('GET', url);
	const { content } = body as { content?: unknown[] };
	return content === undefined ? body : content[0];
}

describe.each(cases)('$what', ({ parameters, url, simplified, selected }) => {
	it('sends the documented request', async () => {
		await outputOf(service, parameters());
		const { method, headers, body, ...request } = onlyRequest(service);
		expect(`${method} ${request.url}`).toBe(`GET ${url()}`);
		expect(headers).toMatchObject({
			authorization: `Bearer ${service.accessToken}`,
			'ocp-apim-subscription-key': service.subscriptionKey,
			accept: 'application/json',
		});
		expect(body).toBeUndefined();
	});

	it('gives simplified records unless told otherwise, linked to their item', async () => {
		const { items, error } = await run(service, parameters());
		expect(error).toBeUndefined();
		expect(items[0]?.json).toEqual(simplified());
		expect(Object.keys(simplified()).length).toBeLessThanOrEqual(10);
		expect(items.every(({ pairedItem }) => (pairedItem as { item: number }).item === 0)).toBe(true);
	});

	it('gives the records exactly as the service sent them', async () => {
		const [first] = await outputOf(service, { ...parameters(), output: 'raw' });
		expect(first).toEqual(rawRecord(url()));
	});

	it('gives the selected fields of the raw or the simplified record', async () => {
		const fields = [...Object.keys(selected), 'noSuchField'].join(', ');
		const chosen = { output: 'selectedFields', fields };
		const [first] = await outputOf(service, { ...parameters(), ...chosen });
		expect(first).toEqual({ ...selected, noSuchField: null });
	});

	it('adds Custom Query to what it sends', async () => {
		service.settings.extraQuery = ['trace'];
		const options = { customQuery: '{"trace": "a b", "page": 7, "size": 7}' };
		await outputOf(service, { ...parameters(), options });
		expect(onlyRequest(service).query).toEqual({
			...Object.fromEntries(new URLSearchParams(url().split('?')[1])),
			trace: 'a b',
		});
	});
});

describe('connector.getAll', () => {
	const names = async (filters: IDataObject, more: IDataObject = {}) => {
		const parameters = { resource: 'connector', operation: 'getAll', filters, ...more };
		return (await outputOf(service, parameters)).map(({ name }) => name);
	};

	it('filters by type and by data refresh', async () => {
		expect(await names({})).toEqual(['cloudbooks', 'desk-ledger', 'paper']);
		expect(await names({ type: 'online' })).toEqual(['cloudbooks', 'paper']);
		expect(await names({ type: 'offline' })).toEqual(['desk-ledger']);
		expect(await names({ refreshable: true })).toEqual(['cloudbooks']);
		expect(await names({ refreshable: false })).toEqual(['desk-ledger', 'paper']);
		expect(await names({ type: 'online', refreshable: false })).toEqual(['paper']);
		expect(await names({ type: '' })).toHaveLength(3);
		expect(linesOf(service)).toEqual([`GET ${client()}/connectors`]);
	});

	it('counts the limit after the filter', async () => {
		expect(await names({ refreshable: false }, { limit: 1 })).toEqual(['desk-ledger']);
	});
});

describe('upload.getWorkflow with Split Steps', () => {
	it('gives an item per step in the order of the process, in the words of the service', async () => {
		const parameters = {
			resource: 'upload',
			operation: 'getWorkflow',
			engagementId: 1001,
			uploadId: uploads[0],
			splitSteps: true,
			output: 'raw',
		};
		const raw = rawRecord(`/v1/workflows/engagements/1001/uploads/${uploads[0]}`);
		const { steps } = raw as { steps: IDataObject[] };
		const shuffled = { ...(raw as object), steps: [...steps].reverse() };
		service.fail({}, { kind: 'status', status: 200, body: shuffled });
		const { items } = await run(service, parameters);
		expect(jsonOf(items)).toEqual(
			steps.map((step) => ({ ...step, uploadId: uploads[0], engagementId: 1001 })),
		);
	});
});

describe('engagement.getAll', () => {
	it('sends external IDs and the order', async () => {
		const records = await outputOf(service, {
			resource: 'engagement',
			operation: 'getAll',
			filters: { externalEngagementIds: 'CRM-2, CRM-1,' },
			sort: { rule: [{ field: 'name', direction: 'desc' }, { field: 'Id' }] },
			returnAll: true,
			options: { pageSize: 30 },
		});
		expect(onlyRequest(service).url).toBe(
			`${client()}/engagements?externalEngagementId=CRM-2,CRM-1&orderBy=-name,Id&page=0&size=30`,
		);
		expect(records.map(({ engagementId }) => engagementId)).toEqual([1002, 1001]);
	});

	it('takes an empty filter for none', async () => {
		const filters = { externalEngagementIds: ' ' };
		await outputOf(service, { resource: 'engagement', operation: 'getAll', filters });
		expect(onlyRequest(service).query).toEqual({ page: '0', size: '50' });
	});
});
