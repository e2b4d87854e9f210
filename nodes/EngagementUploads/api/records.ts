/**
 * The records that the service sends, and how to tell each from a list's wrapper
 * (docs/service.md#records). Fields not listed here pass through.
 */
import type { IDataObject } from 'n8n-workflow';
import type { RecordKind } from '../transport/responses';

/** A time as sent: ISO 8601 with or without an offset, or epoch milliseconds. */
type Time = string | number | null;

export interface Engagement extends IDataObject {
	/** A number in lists, a string for a new engagement. */
	Id?: number | string;
	externalEngagementId?: string | null;
	name?: string | null;
	status?: string | null;
	type?: string | null;
	connectorId?: number | string | null;
	dataRefreshEnabled?: boolean;
	createdAt?: Time;
}

export const engagement: RecordKind<Engagement> = {
	distinctive: ['Id', 'externalEngagementId'],
	ambiguous: ['id', 'engagementId'],
	identity: [['Id'], ['id'], ['engagementId']],
};

export interface Company extends IDataObject {
	name?: string | null;
	registrationNumber?: string | null;
	salesTaxNumber?: string | null;
	townCity?: string | null;
	countryCode?: string | null;
	currencyIso?: string | null;
}

export const company: RecordKind<Company> = {
	distinctive: [
		'registrationNumber',
		'salesTaxNumber',
		'townCity',
		'countryCode',
		'currencyIso',
		'name',
	],
	identity: [],
};

export interface Connector extends IDataObject {
	id?: string | number;
	/** The code, used in paths. */
	name?: string;
	title?: string | null;
	/** `0` online, `1` offline */
	type?: string | number | null;
	isRefreshable?: boolean | string;
	scopes?: string[] | null;
}

export const connector: RecordKind<Connector> = {
	distinctive: ['isRefreshable'],
	ambiguous: ['id', 'name'],
	identity: [['id'], ['name']],
};

export interface Period extends IDataObject {
	uploadId?: string;
	yearId?: string;
	periodId?: string;
	name?: string | null;
	startDate?: Time;
	endDate?: Time;
	periodNo?: number;
}

export const period: RecordKind<Period> = {
	distinctive: ['periodId', 'yearId', 'periodNo'],
	identity: [
		['uploadId', 'yearId', 'periodId'],
		['yearId', 'periodId'],
	],
};

/**
 * An entry of the upload list, or an engagement's last upload, where the status is called `status`.
 */
export interface Upload extends IDataObject {
	uploadId?: string | null;
	uploadStatus?: string | null;
	status?: string | null;
	uploadType?: string | null;
	engagementId?: number | string;
	connectorName?: string | null;
	creationDate?: Time;
	completionDate?: Time;
}

export const upload: RecordKind<Upload> = {
	distinctive: ['uploadId'],
	identity: [['uploadId']],
};

export interface User extends IDataObject {
	id?: number;
	email?: string | null;
	statusCode?: string | null;
	userType?: string | null;
	lastLoginDate?: Time;
}

export const user: RecordKind<User> = {
	distinctive: ['email', 'userType', 'firstName', 'lastName'],
	ambiguous: ['id'],
	identity: [['id'], ['email']],
};

/** The processing steps of an upload. */
export interface Workflow extends IDataObject {
	uploadId?: string;
	connector?: string | null;
	status?: string | null;
	created?: Time;
	started?: Time;
	lastUpdate?: Time;
}

export const workflow: RecordKind<Workflow> = {
	distinctive: ['uploadId', 'lastUpdate', 'connector'],
	identity: [],
};

/** The response to a started upload: where to send the customer. */
export interface UploadStart extends IDataObject {
	type?: string;
	redirectUrl?: string | null;
}

export const uploadStart: RecordKind<UploadStart> = {
	distinctive: ['type', 'redirectUrl'],
	identity: [],
};

/** The response to a refresh or a schedule. */
export interface RefreshResult extends IDataObject {
	action?: string;
	url?: string | null;
}

export const refreshResult: RecordKind<RefreshResult> = {
	distinctive: ['action', 'url'],
	identity: [],
};
