/** An engagement in the model; `createdAt` in epoch ms (docs/service.md#engagement-record). */
export interface Engagement {
	id: number;
	externalEngagementId: string | null;
	name: string;
	status: string;
	type: string;
	locale: string;
	relationshipManager: string;
	connectorId: string | null;
	createdAt: number;
	active: boolean;
	dataRefreshEnabled: boolean;
	reconciliationEnabled: boolean;
	smeId: number;
	smeName: string;
	contactId: string;
	usePassthrough: boolean;
	owner: Owner;
}

/** The owner of an engagement (docs/service.md#engagement-record). */
export interface Owner {
	firstName: string;
	lastName: string;
	email: string;
	phone: string;
	title: string;
}

/** An accounting package; type `0` is online, `1` offline (docs/service.md#connector-record). */
export interface Connector {
	id: string;
	name: string;
	title: string;
	description: string;
	type: '0' | '1';
	isRefreshable: boolean;
	scopes: string[];
	version: string;
}

/** A user of the account; times in epoch ms (docs/service.md#user-record). */
export interface User {
	id: number;
	firstName: string;
	lastName: string;
	email: string;
	phone: number;
	title: string;
	roleId: number;
	profiles: Array<{ name: string; description: string; key: string }>;
	ssoId: string | null;
	status: 0 | 1 | 2;
	statusCode: 'ACTIVE' | 'INVITING' | 'DISABLED';
	userType: string;
	createdAt: number;
	lastLoginDate: number | null;
}

/** Company details from the accounting package, all strings (docs/service.md#company-record). */
export interface Company {
	name: string;
	registrationNumber: string;
	salesTaxNumber: string;
	payrollTaxNumber: string;
	address1: string;
	address2: string;
	address3: string;
	townCity: string;
	stateCounty: string;
	postZipcode: string;
	countryCode: string;
	countryName: string;
	telephone1: string;
	fax1: string;
	email1: string;
	currencyIso: string;
}

/** A financial period; dates as `yyyy-mm-dd` (docs/service.md#period-record). */
export interface Period {
	uploadId: string;
	yearId: string;
	periodId: string;
	name: string;
	startDate: string;
	endDate: string;
	periodNo: number;
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
	scopeName: string;
	createdAt: number;
	startedAt: number;
	lastUpdate: number;
	completedAt: number | null;
	finishedSteps: number;
}

/** A completed upload to add to the model; times in epoch ms. */
export interface CompletedUpload extends Partial<Upload> {
	/** From when lists show the completion; until then, the upload is listed as in progress. */
	listedAt?: number;
}

/** Codes 0 to 5 of `scheduleFrequency` (docs/service.md#schedule). */
export type Frequency = '0' | '1' | '2' | '3' | '4' | '5';

/** When an engagement's scheduled uploads start; `startDate` as `yyyy-mm-dd`. */
export interface Schedule {
	frequency: Frequency;
	startDate: string;
}

/** How an upload ends, if it does. */
export type UploadOutcome = 'completes' | 'fails' | 'sticks';

/** The outcome of a data refresh. */
export type RefreshOutcome = UploadOutcome | 'actionRequired';
