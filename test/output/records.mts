import type { ShapeName } from '../../nodes/EngagementUploads/output/simplified.ts';

interface Example {
	/** The fields, in their order. */
	fields: string;
	record: Record<string, unknown>;
	simple: Record<string, unknown>;
}

/** A record of each kind as the service sends it (docs/service.md#records), and the output. */
export const EXAMPLES: Record<ShapeName, Example> = {
	company: {
		fields:
			'engagementId, name, registrationNumber, salesTaxNumber, townCity, stateCounty, postZipcode, countryCode, email1, currencyIso',
		record: { name: 'ACME', townCity: 'Leeds', address1: 'High Street 1', currencyIso: 'GBP' },
		simple: { engagementId: 7, name: 'ACME', townCity: 'Leeds', currencyIso: 'GBP' },
	},
	connector: {
		fields: 'id, name, title, description, type, isRefreshable, scopes',
		record: { id: '1', name: 'online', type: '0', isRefreshable: false, scopes: ['Full', 'Part'] },
		simple: { id: '1', name: 'online', type: 'online', isRefreshable: false, scopes: 'Full, Part' },
	},
	period: {
		fields: 'engagementId, uploadId, yearId, periodId, name, startDate, endDate, periodNo',
		record: { uploadId: 'u1', periodId: '1', startDate: '2026-01-01', endDate: 1769817600000 },
		simple: {
			engagementId: 7,
			uploadId: 'u1',
			periodId: '1',
			startDate: '2026-01-01',
			endDate: '2026-01-31',
		},
	},
	engagement: {
		fields:
			'engagementId, externalEngagementId, name, status, type, connectorId, smeName, ownerEmail, dataRefreshEnabled, createdAt',
		record: {
			Id: 1001,
			name: 'online',
			connectorId: 3,
			Owner: { email: 'owner@example.com', firstName: 'Ann' },
			Sme: { name: 'ACME' },
			dataRefreshEnabled: false,
			createdAt: '2026-07-01T10:15:30',
		},
		simple: {
			engagementId: 1001,
			name: 'online',
			connectorId: 3,
			smeName: 'ACME',
			ownerEmail: 'owner@example.com',
			dataRefreshEnabled: false,
			createdAt: '2026-07-01T09:15:30.000Z',
		},
	},
	upload: {
		fields:
			'uploadId, uploadStatus, uploadType, engagementId, externalEngagementId, engagementName, connectorName, smeName, creationDate, completionDate',
		record: {
			uploadId: 'u1',
			uploadStatus: 'COMPLETED',
			engagementId: 1001,
			contactId: 'c1',
			creationDate: '2026-03-01T10:15:30+0000',
			completionDate: '2026-03-01T10:15:30.1+01:00',
		},
		simple: {
			uploadId: 'u1',
			uploadStatus: 'COMPLETED',
			engagementId: 1001,
			creationDate: '2026-03-01T10:15:30.000Z',
			completionDate: '2026-03-01T09:15:30.100Z',
		},
	},
	lastUpload: {
		fields:
			'uploadId, uploadStatus, uploadType, engagementId, smeName, connectorName, connectorVersion, creationDate, completionDate, active',
		record: { uploadId: 'u1', status: 'FAILED', engagementId: 1001, active: false, content: null },
		simple: { uploadId: 'u1', uploadStatus: 'FAILED', engagementId: 1001, active: false },
	},
	workflow: {
		fields:
			'uploadId, engagementId, connectorName, status, created, started, lastUpdate, stepCount, currentStep, currentStepStatus',
		record: {
			uploadId: 'u1',
			engagementId: 1001,
			connector: 'online',
			created: 1772360130123,
			started: '2026-07-01T10:15:30',
			lastUpdate: '2026-07-01T10:15:30',
			steps: [
				{ name: 'third', status: 'WAITING', sorting: 3, started: null },
				{ name: 'first', status: 'DONE', sorting: 1, started: '2026-03-01T10:15:30' },
				{ name: 'second', status: 'RUNNING', sorting: 2, started: '2026-03-01T10:16:30' },
			],
		},
		simple: {
			uploadId: 'u1',
			engagementId: 1001,
			connectorName: 'online',
			created: '2026-03-01T10:15:30.123Z',
			started: '2026-07-01T09:15:30.000Z',
			lastUpdate: '2026-07-01T09:15:30.000Z',
			stepCount: 3,
			currentStep: 'second',
			currentStepStatus: 'RUNNING',
		},
	},
	user: {
		fields:
			'id, firstName, lastName, email, phone, title, statusCode, userType, roles, lastLoginDate',
		record: {
			id: 5,
			firstName: 'Ann',
			phone: 123,
			profiles: [{ name: 'Admin', key: 'ADM' }, { name: 'Reader' }],
			lastLoginDate: 1772360130123,
		},
		simple: {
			id: 5,
			firstName: 'Ann',
			phone: 123,
			roles: 'Admin, Reader',
			lastLoginDate: '2026-03-01T10:15:30.123Z',
		},
	},
};
