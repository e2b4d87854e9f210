/** The records of the model, with defaults for everything not given; times in epoch ms. */
import { DateTime } from 'luxon';
import { uuidFrom } from './random.mts';

export const [CLIENT_ID, RESELLER_ID] = [uuidFrom(0xc11e0001), uuidFrom(0xc11e0002)];

/** A member of staff, or a customer's contact. */
export interface Person {
	firstName: string;
	lastName: string;
	email: string;
	phone: string | null;
	title: string | null;
}

export function fullName({ firstName, lastName }: Pick<Person, 'firstName' | 'lastName'>): string {
	return `${firstName} ${lastName}`.trim();
}

/** A member of staff as the owner of an engagement. */
export function toOwner({ firstName, lastName, email, phone, title }: User): Person {
	return { firstName, lastName, email, phone: `0${phone}`, title };
}

/** docs/service.md#engagement-record */
export type Engagement = ReturnType<typeof usualEngagement>;

/** An engagement of which a member of staff takes care. */
export function usualEngagement(id: number, createdAt: number, user: User) {
	const contact: Person = {
		firstName: 'Alex',
		lastName: 'Moor',
		email: `contact${id}@example.com`,
		phone: '02080000000',
		title: 'Director',
	};
	return {
		id,
		clientId: CLIENT_ID,
		externalEngagementId: null as string | null,
		name: `Company ${id}`,
		status: 'ACTIVE',
		type: 'AUDIT',
		locale: 'en-GB',
		connectorId: null as string | null,
		relationshipManager: fullName(user),
		owner: toOwner(user),
		/** Whom the customer has named, if anybody. */
		contact: contact as Person | null,
		createdAt,
		reconciliationEnabled: false,
		dataRefreshEnabled: true,
		usePassthrough: false,
		/** Whether it is enabled. */
		active: true,
	};
}

/** An accounting package; type `0` is online, `1` offline (docs/service.md#connector-record). */
export type Connector = ReturnType<typeof usualConnector>;

export function usualConnector(id: string) {
	return {
		id,
		name: `connector-${id}`,
		title: `Connector ${id}`,
		description: `Connector ${id}, version 1`,
		type: '0',
		isRefreshable: true,
		scopes: ['Full', 'Collateral'],
		/** Only in uploads. */
		version: '1.0',
	};
}

/** A user of the account, staff or a customer, as sent (docs/service.md#user-record). */
export type User = ReturnType<typeof usualUser>;

export function usualUser(id: number, createdAt: number) {
	return {
		id,
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
		createdAt,
		lastLoginDate: null as number | null,
		...{ resellerId: '1', resellerUuid: RESELLER_ID },
		...{ clientId: CLIENT_ID, clientUuid: CLIENT_ID },
	};
}

/** What an accounting package says about an engagement's company, as sent (docs/service.md#company-record). */
export function makeCompany({ id, name }: Engagement) {
	const number = String(id).padStart(8, '0');
	return {
		name,
		registrationNumber: number,
		salesTaxNumber: `GB${number}`,
		payrollTaxNumber: `120/${number}`,
		address1: `${id} High Street`,
		address2: '',
		address3: '',
		townCity: 'Bristol',
		stateCounty: 'Avon',
		postZipcode: 'BS1 1AA',
		countryCode: 'GBR',
		countryName: 'United Kingdom',
		telephone1: '01170000000',
		fax1: '',
		email1: `accounts${id}@example.com`,
		currencyIso: 'GBP',
	};
}

/** The months of an upload, as sent: no package of the simulation has periods of its own (docs/service.md#periods). */
export function monthlyPeriods({ uploadId, createdAt }: Upload) {
	const { year } = DateTime.fromMillis(createdAt, { zone: 'UTC' });
	return Array.from({ length: 12 }, (_, index) => {
		const start = DateTime.utc(year, index + 1);
		return {
			uploadId,
			yearId: String(year),
			periodId: start.toFormat('yyyy-MM'),
			name: start.toFormat('LLLL yyyy', { locale: 'en' }),
			startDate: start.toISODate(),
			endDate: start.endOf('month').toISODate(),
			periodNo: index + 1,
		};
	});
}

/** An upload as listed now (docs/service.md#upload-record). */
export type Upload = ReturnType<typeof usualUpload>;

/** An upload that has just been started. */
export function usualUpload(
	sequence: number,
	createdAt: number,
	engagementId: number,
	connectorName: string,
) {
	return {
		/** Position in creation order. */
		sequence,
		uploadId: uuidFrom(sequence + 1),
		engagementId,
		connectorName,
		status: 'LOADING',
		uploadType: 'FINANCIALS',
		createdAt,
		/** Null until the customer opens the link. */
		startedAt: createdAt as number | null,
		lastUpdate: createdAt,
		completedAt: null as number | null,
		finishedSteps: 0,
	};
}
