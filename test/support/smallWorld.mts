import type { Target } from './examples.mts';
import { startService, type SimulatedService } from './service/http.mts';

/** The time at which the small world stands still. */
export const NOW = Date.UTC(2026, 2, 1, 10, 15, 30);

/**
 * When the uploads of the small world were created and completed, in the form that the node
 * returns.
 */
export const [CREATED, COMPLETED] = ['2026-03-01T10:14:30.000Z', '2026-03-01T10:15:30.000Z'];

/** The upload of the examples, simplified. */
export const upload = ({ uploadId, engagementId, connectorName }: Target) => ({
	uploadId,
	uploadStatus: 'COMPLETED',
	uploadType: 'FULL',
	engagementId,
	externalEngagementId: 'CRM-1',
	engagementName: 'Ashby Farms',
	connectorName,
	smeName: 'Ashby Farms',
	creationDate: CREATED,
	completionDate: COMPLETED,
});

/** The company of an engagement, simplified. */
export const company = ({ engagementId }: Target) => ({
	engagementId,
	name: 'Ashby Farms',
	registrationNumber: '00001001',
	salesTaxNumber: 'GB00001001',
	townCity: 'Bristol',
	stateCounty: 'Avon',
	postZipcode: 'BS1 1AA',
	countryCode: 'GBR',
	email1: 'accounts1001@example.com',
	currencyIso: 'GBP',
});

/** The user, simplified. */
export const user = {
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
};

/** The engagement that the examples create, simplified. */
export const created = {
	engagementId: 1004,
	externalEngagementId: null,
	name: 'Dunmore Studios',
	status: 'ACTIVE',
	type: 'AUDIT',
	connectorId: 11,
	smeName: null,
	ownerEmail: '',
	dataRefreshEnabled: null,
	createdAt: new Date(NOW).toISOString(),
};

/** Upload IDs of the small world, in the order in which the uploads were started. */
export interface SmallWorld {
	service: SimulatedService;
	uploads: string[];
}

/**
 * A service with an online and an offline connector, engagements 1001 to 1003 (the last without an
 * upload), one user and two completed uploads, and a stopped clock.
 */
export async function smallWorld(): Promise<SmallWorld> {
	const service = await startService();
	const { model } = service;
	model.setClock(NOW);
	model.addConnector({ id: '11', name: 'cloudbooks', title: 'Cloud Books' });
	model.addConnector({ id: '12', name: 'desk-ledger', title: 'Desk Ledger', type: '1' });
	model.addConnector({ id: '13', name: 'paper', title: 'Paper', isRefreshable: false });
	model.addUser({ lastLoginDate: NOW - 1000 });
	model.addEngagement({ id: 1001, externalEngagementId: 'CRM-1', name: 'Ashby Farms' });
	model.addEngagement({ id: 1002, externalEngagementId: 'CRM-2', name: 'Bramley Ltd' });
	model.addEngagement({ id: 1003, externalEngagementId: 'CRM-3', name: 'Corfe Group' });
	const uploads = [1001, 1002].map(
		(engagementId) =>
			model.addCompletedUpload({ engagementId, connectorName: 'cloudbooks' }).uploadId,
	);
	return { service, uploads };
}
