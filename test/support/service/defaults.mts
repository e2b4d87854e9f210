import type { Company, Connector, Engagement, Period, Upload, User } from './records.mts';
import { uuidFrom } from './random.mts';

/** An engagement with defaults for everything not given. */
export function engagementFrom(id: number, now: number, given: Partial<Engagement>): Engagement {
	const name = given.name ?? `Company ${id}`;
	return {
		externalEngagementId: null,
		name,
		status: 'ACTIVE',
		type: 'AUDIT',
		locale: 'en-GB',
		relationshipManager: 'Robin Field',
		connectorId: null,
		createdAt: now,
		active: true,
		dataRefreshEnabled: true,
		reconciliationEnabled: false,
		smeId: 50_000 + id,
		smeName: name,
		contactId: String(70_000 + id),
		usePassthrough: false,
		owner: {
			firstName: 'Alex',
			lastName: 'Moor',
			email: `owner${id}@example.com`,
			phone: '02070000000',
			title: 'Director',
		},
		...given,
		id,
	};
}

/** A connector with defaults: online and refreshable. */
export function connectorFrom(id: string, given: Partial<Connector>): Connector {
	const online = given.type !== '1';
	return {
		name: `connector-${id}`,
		title: `Connector ${id}`,
		description: `Connector ${id}, version 1`,
		type: '0',
		isRefreshable: online,
		scopes: ['Full', 'Collateral'],
		version: '1.0',
		...given,
		id,
	};
}

/** A user with defaults. */
export function userFrom(id: number, now: number, given: Partial<User>): User {
	return {
		firstName: 'Kim',
		lastName: `Ward ${id}`,
		email: `user${id}@example.com`,
		phone: 2_070_000_000 + id,
		title: 'Auditor',
		roleId: 2,
		profiles: [{ name: 'Auditor', description: 'Reads engagements', key: 'AUDITOR' }],
		ssoId: null,
		status: 1,
		statusCode: 'ACTIVE',
		userType: 'Client (Staff)',
		createdAt: now,
		lastLoginDate: null,
		...given,
		id,
	};
}

/** The company that an engagement's accounting package describes. */
export function companyFrom(engagement: Engagement, given: Partial<Company>): Company {
	const number = String(engagement.id).padStart(8, '0');
	return {
		name: engagement.name,
		registrationNumber: number,
		salesTaxNumber: `GB${number}`,
		payrollTaxNumber: `120/${number}`,
		address1: `${engagement.id} High Street`,
		address2: '',
		address3: '',
		townCity: 'Bristol',
		stateCounty: 'Avon',
		postZipcode: 'BS1 1AA',
		countryCode: 'GBR',
		countryName: 'United Kingdom',
		telephone1: '01170000000',
		fax1: '',
		email1: `accounts${engagement.id}@example.com`,
		currencyIso: 'GBP',
		...given,
	};
}

/**
 * The monthly periods that the service generates if the package has none (docs/service.md#periods).
 */
export function monthlyPeriods(upload: Upload): Period[] {
	const year = new Date(upload.createdAt).getUTCFullYear();
	return Array.from({ length: 12 }, (_, month) => ({
		uploadId: upload.uploadId,
		yearId: String(year),
		periodId: `${year}-${String(month + 1).padStart(2, '0')}`,
		name: new Date(Date.UTC(year, month, 1)).toLocaleString('en-GB', {
			month: 'long',
			year: 'numeric',
			timeZone: 'UTC',
		}),
		startDate: new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10),
		endDate: new Date(Date.UTC(year, month + 1, 0)).toISOString().slice(0, 10),
		periodNo: month + 1,
	}));
}

/** An upload that has just been started. */
export function uploadFrom(
	sequence: number,
	now: number,
	given: Pick<Upload, 'engagementId' | 'connectorName'> & Partial<Upload>,
): Upload {
	const createdAt = given.createdAt ?? now;
	return {
		uploadId: uuidFrom(sequence + 1),
		status: 'LOADING',
		uploadType: 'FULL',
		scopeName: 'Full',
		startedAt: createdAt,
		lastUpdate: createdAt,
		completedAt: null,
		finishedSteps: 0,
		...given,
		createdAt,
		sequence,
	};
}
