/** The records of the model, with defaults for everything not given; times in epoch ms. */
import { uuidFrom } from './random.mts';

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
		externalEngagementId: null as string | null,
		name: `Company ${id}`,
		/** A member of staff, by name. */
		relationshipManager: fullName(user),
		connectorId: null as string | null,
		status: 'ACTIVE',
		/** Whether it is enabled. */
		active: true,
		createdAt,
		dataRefreshEnabled: true,
		usePassthrough: false,
		/** The member of staff to whom it belongs. */
		owner: toOwner(user),
		/** Whom the customer has named, if anybody. */
		contact: contact as Person | null,
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
		version: '1.0',
	};
}

/** A user of the account, staff or a customer (docs/service.md#user-record). */
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
	};
}

/** What an accounting package says about an engagement's company (docs/service.md#company-record). */
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

const MONTH_AND_YEAR = new Intl.DateTimeFormat('en-GB', {
	month: 'long',
	year: 'numeric',
	timeZone: 'UTC',
});

/**
 * The monthly periods that the service generates if the package has none (docs/service.md#periods).
 */
export function monthlyPeriods({ uploadId, createdAt }: Upload) {
	const year = new Date(createdAt).getUTCFullYear();
	return Array.from({ length: 12 }, (_, month) => ({
		uploadId,
		yearId: String(year),
		periodId: `${year}-${String(month + 1).padStart(2, '0')}`,
		name: MONTH_AND_YEAR.format(Date.UTC(year, month, 1)),
		startDate: new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10),
		endDate: new Date(Date.UTC(year, month + 1, 0)).toISOString().slice(0, 10),
		periodNo: month + 1,
	}));
}

/** An upload as listed now; times in epoch ms (docs/service.md#upload-record). */
export interface Upload {
	/** Position in creation order: the order without `orderBy`, and the tie-breaker with it. */
	sequence: number;
	uploadId: string;
	engagementId: number;
	connectorName: string;
	status: string;
	uploadType: string;
	createdAt: number;
	/** Null until the customer opens the link. */
	startedAt: number | null;
	lastUpdate: number;
	completedAt: number | null;
	finishedSteps: number;
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
		startedAt: createdAt,
		lastUpdate: createdAt,
		completedAt: null,
		finishedSteps: 0,
		...given,
		uploadType: given.uploadType ?? 'FINANCIALS',
		createdAt,
		sequence,
	};
}

/** A completed upload to add to the model; times in epoch ms. */
export interface CompletedUpload extends Partial<Upload> {
	/** From when lists show the completion; until then, the upload is listed as in progress. */
	listedAt?: number;
}

/** The page where a customer shares data. */
export interface Link {
	engagementId: number;
	/** The customer shares the data, and the upload goes on; later calls do nothing. */
	open: () => void;
}

/** How an upload ends, if it does. */
export type UploadOutcome = 'completes' | 'fails' | 'sticks';

/** The outcome of a data refresh. */
export type RefreshOutcome = UploadOutcome | 'actionRequired';
