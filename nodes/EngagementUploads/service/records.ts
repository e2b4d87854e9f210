/** The kinds of records of the service (docs/service.md#records). Fields not listed here pass through. */
import type { IDataObject } from 'n8n-workflow';
import type { RecordKind } from '../transport/request';
import * as shape from './shape';
import { boolean, copied, from, requestedEngagementId, time, type Shape } from './shape';

/** A kind of record: how to recognise it, what identifies it, and its simplified form. */
interface Kind<T extends IDataObject = IDataObject> extends RecordKind<T> {
	simplified: Shape;
	/** The fields of the simplified record that every output contains. */
	ids: readonly string[];
	/** Fields that only the service's record has, as far as they are known. */
	others: readonly string[];
}

function defineKind<T extends IDataObject>(kind: Kind<T>): Kind<T> {
	return { ...kind, fields: [...Object.keys(kind.simplified), ...kind.others] };
}

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
	dataRefreshEnabled?: boolean | string | number;
	createdAt?: Time;
}

export const engagement = defineKind<Engagement>({
	distinctive: ['Id', 'externalEngagementId'],
	ambiguous: ['id', 'engagementId'],
	identity: [['Id'], ['id'], ['engagementId']],
	simplified: {
		engagementId: shape.engagementId,
		...copied('externalEngagementId', 'name', 'status', 'type', 'connectorId'),
		smeName: from('Sme.name', 'sme.name', 'SME.name', 'smeName'),
		ownerEmail: from('Owner.email', 'owner.email', 'email'),
		dataRefreshEnabled: boolean('dataRefreshEnabled'),
		createdAt: time('createdAt'),
	},
	ids: ['engagementId'],
	others: [
		'locale',
		'Owner.firstName',
		'Owner.lastName',
		'Owner.phone',
		'Owner.title',
		'reconciliationEnabled',
		'relationshipManager',
	],
});

/** Without external IDs, it would be unknown which engagement was asked for. */
export const engagementByExternalId: RecordKind<Engagement> = {
	...engagement,
	needed: [['externalEngagementId']],
};

/** Without an ID, it would be unknown which engagement was created. */
export const createdEngagement: RecordKind<Engagement> = { ...engagement, needsIdentity: true };

/** What a created engagement has besides its ID: the contact takes the place of owner and SME. */
export const CREATED_ENGAGEMENT_FIELDS: readonly string[] = [
	...['externalEngagementId', 'name', 'status', 'type', 'connectorId', 'createdAt'],
	...['firstName', 'lastName', 'email', 'phone', 'title', 'externalSmeId'],
	...['locale', 'reconciliationEnabled'],
];

const COMPANY_FIELDS = [
	'registrationNumber',
	'salesTaxNumber',
	'townCity',
	'stateCounty',
	'postZipcode',
	'countryCode',
	'email1',
	'currencyIso',
];

const OTHER_COMPANY_FIELDS = [
	'payrollTaxNumber',
	'address1',
	'address2',
	'address3',
	'countryName',
	'telephone1',
	'fax1',
];

export const company = defineKind({
	distinctive: [...COMPANY_FIELDS, ...OTHER_COMPANY_FIELDS],
	ambiguous: ['name'],
	identity: [],
	simplified: { engagementId: requestedEngagementId, ...copied('name', ...COMPANY_FIELDS) },
	ids: ['engagementId'],
	others: OTHER_COMPANY_FIELDS,
});

export interface Connector extends IDataObject {
	id?: string | number;
	/** The code, used in paths. */
	name?: string;
	title?: string | null;
	/** `0` online, `1` offline */
	type?: string | number | null;
	isRefreshable?: boolean | string | number;
	scopes?: string[] | null;
}

export const connector = defineKind<Connector>({
	distinctive: ['isRefreshable'],
	ambiguous: ['id', 'name'],
	identity: [['id'], ['name']],
	simplified: {
		...copied('id', 'name', 'title', 'description'),
		type: shape.connectorType,
		isRefreshable: boolean('isRefreshable'),
		scopes: from('scopes'),
	},
	ids: ['id'],
	others: [],
});

export const period = defineKind({
	distinctive: ['periodId', 'yearId', 'periodNo'],
	needed: [['periodId', 'yearId']],
	identity: [
		['uploadId', 'yearId', 'periodId'],
		['yearId', 'periodId'],
	],
	simplified: {
		engagementId: requestedEngagementId,
		...copied('uploadId', 'yearId', 'periodId', 'name'),
		startDate: shape.day('startDate'),
		endDate: shape.day('endDate'),
		periodNo: from('periodNo'),
	},
	ids: ['periodId'],
	others: [],
});

/** An entry of the upload list; or an engagement's last upload, whose status is called `status`. */
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

export const upload = defineKind<Upload>({
	distinctive: ['uploadId'],
	identity: [['uploadId']],
	simplified: {
		uploadId: from('uploadId'),
		uploadStatus: from('uploadStatus', 'status'),
		uploadType: from('uploadType'),
		engagementId: requestedEngagementId,
		...copied('externalEngagementId', 'engagementName', 'connectorName', 'smeName'),
		creationDate: time('creationDate'),
		completionDate: time('completionDate'),
	},
	ids: ['uploadId'],
	others: ['active', 'connectorVersion', 'contactId', 'smeId'],
});

/** An engagement's last upload. The service may send several for one, in any order. */
export const lastUpload = defineKind<Upload>({
	...upload,
	identity: [['uploadId'], ['engagementId']],
	simplified: {
		uploadId: from('uploadId'),
		uploadStatus: from('uploadStatus', 'status'),
		uploadType: from('uploadType'),
		engagementId: requestedEngagementId,
		...copied('smeName', 'connectorName', 'connectorVersion'),
		creationDate: time('creationDate'),
		completionDate: time('completionDate'),
		active: boolean('active'),
	},
	ids: ['uploadId', 'engagementId'],
	others: ['contactId', 'content', 'memo', 'resellerId', 'smeId', 'withMemo'],
});

export const user = defineKind({
	distinctive: ['email', 'userType', 'firstName', 'lastName'],
	ambiguous: ['id'],
	identity: [['id'], ['email']],
	simplified: {
		...copied('id', 'firstName', 'lastName', 'email', 'phone', 'title', 'statusCode', 'userType'),
		roles: from('profiles.name', 'profiles'),
		lastLoginDate: time('lastLoginDate'),
	},
	ids: ['id'],
	others: ['createdAt', 'profiles.description', 'profiles.key', 'ssoId', 'status'],
});

/** The processing steps of an upload. */
export const workflow = defineKind({
	distinctive: ['uploadId', 'lastUpdate', 'connector', 'started', 'usePassthrough'],
	ambiguous: ['created'],
	identity: [],
	simplified: {
		uploadId: from('uploadId'),
		engagementId: requestedEngagementId,
		connectorName: from('connectorName', 'connector'),
		status: from('status'),
		created: time('created'),
		started: time('started'),
		lastUpdate: time('lastUpdate'),
		stepCount: (record) => shape.listSteps(record).length,
		currentStep: (record) => shape.currentStep(record)?.name ?? null,
		currentStepStatus: (record) => shape.currentStep(record)?.status ?? null,
	},
	ids: ['uploadId'],
	others: ['smeId', 'steps.name', 'steps.status', 'usePassthrough', 'userId'],
});

/** All kinds in the output, by name. */
export const kinds = { company, connector, engagement, lastUpload, period, upload, user, workflow };

export type KindName = keyof typeof kinds;

/** The response to the start of an upload: where to send the customer. */
export interface UploadStart extends IDataObject {
	type?: string;
	redirectUrl?: string | null;
}

export const uploadStart: RecordKind<UploadStart> = {
	distinctive: ['redirectUrl'],
	ambiguous: ['type'],
	identity: [],
};
