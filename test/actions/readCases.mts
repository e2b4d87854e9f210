import type { IDataObject } from 'n8n-workflow';

import type { SmallWorld } from '../support/smallWorld.mts';

const clientPath = (service: SmallWorld['service']) => `/v1/clients/${service.clientId}`;
/** A read operation: its parameters and the expected output. */
export interface ReadCase {
	what: string;
	parameters: (world: SmallWorld) => IDataObject;
	/** Path and query behind the base URL. */
	url: (world: SmallWorld) => string;
	/** The first simplified record. */
	simplified: (world: SmallWorld) => IDataObject;
	/** Selected fields, and the expected values. */
	selected: IDataObject;
}

const CREATED = '2026-03-01T10:14:30.000Z';
const COMPLETED = '2026-03-01T10:15:30.000Z';

/** Every read operation, against the small world. */
export const readCases: ReadCase[] = [
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
		url: ({ service }) => `${clientPath(service)}/connectors`,
		simplified: () => ({
			id: '11',
			name: 'cloudbooks',
			title: 'Cloud Books',
			description: 'Connector 11, version 1',
			type: 'online',
			isRefreshable: true,
			scopes: 'Full, Collateral',
		}),
		selected: { name: 'cloudbooks', type: 'online' },
	},
	{
		what: 'engagement.getAll',
		parameters: () => ({ resource: 'engagement', operation: 'getAll' }),
		url: ({ service }) => `${clientPath(service)}/engagements?page=0&size=50`,
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
		simplified: ({ uploads }) => ({
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
		url: ({ service }) => `${clientPath(service)}/uploads?page=0&size=50`,
		simplified: ({ uploads }) => ({
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
		selected: { smeId: 51001, completionDate: COMPLETED },
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
		simplified: ({ uploads }) => ({
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
		url: ({ service }) => `${clientPath(service)}/lastUploads?engagementIds=1001&page=0&size=100`,
		simplified: ({ uploads }) => ({
			uploadId: uploads[0],
			uploadStatus: 'COMPLETED',
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
		parameters: ({ uploads }) => ({
			resource: 'upload',
			operation: 'getWorkflow',
			engagementId: 1001,
			uploadId: uploads[0],
		}),
		url: ({ uploads }) => `/v1/workflows/engagements/1001/uploads/${uploads[0]}`,
		simplified: ({ uploads }) => ({
			uploadId: uploads[0],
			engagementId: 1001,
			connectorName: 'cloudbooks',
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
		url: ({ service }) => `${clientPath(service)}/users`,
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
		selected: {
			'profiles.name': ['Auditor'],
			roles: 'Auditor',
			lastLoginDate: '2026-03-01T10:15:29.000Z',
		},
	},
];
