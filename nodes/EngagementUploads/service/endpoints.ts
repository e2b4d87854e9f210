/** The endpoints of the service (docs/service.md): each function describes a request. */
import type { IDataObject } from 'n8n-workflow';
import { CLIENT_ID } from '../transport/address';
import { path, type ApiRequest, type Query, type RecordKind } from '../transport/request';
import { quote, shorten } from '../values/inputError';
import * as records from './records';
import * as uploads from './uploadRecords';

/** Maximum number of engagement IDs in one request. */
export const MAX_ENGAGEMENT_IDS = 100;
/** Maximum number of external engagement IDs in one request. */
export const MAX_EXTERNAL_IDS = 50;

const CLIENT = `/v1/clients/${CLIENT_ID}`;

/** docs/service.md#engagements */
export const listEngagements = (query?: Query, purpose = 'get the engagements') =>
	get(records.engagement, `${CLIENT}/engagements`, purpose, query);

/** docs/service.md#engagements */
export const createEngagement = (name: string, body: IDataObject, query?: Query) =>
	post(
		records.createdEngagement,
		`${CLIENT}/engagements`,
		`create the engagement ${quote(name)}`,
		query,
		body,
	);

/** docs/service.md#company */
export const getCompany = (engagementId: number) =>
	get(
		records.company,
		path`/v1/engagements/${engagementId}/companyDetails`,
		`get the company details of engagement ${engagementId}`,
	);

/** docs/service.md#periods; the trailing slash is part of the path. */
export const listPeriods = (engagementId: number) =>
	get(
		records.period,
		path`/v1/engagements/${engagementId}/periods/`,
		`get the periods of engagement ${engagementId}`,
	);

/** docs/service.md#connectors */
export const listConnectors = () =>
	get(records.connector, `${CLIENT}/connectors`, 'get the connectors');

/** docs/service.md#users */
export const listUsers = () => get(records.user, `${CLIENT}/users`, 'get the users');

/** docs/service.md#uploads: the uploads of all engagements. */
export const listUploads = (query?: Query, purpose = 'get the uploads') =>
	get(uploads.upload, `${CLIENT}/uploads`, purpose, query);

/** docs/service.md#uploads: the uploads of one engagement through one connector. */
export const listConnectorUploads = (engagementId: number, connectorName: string, query?: Query) =>
	get(
		uploads.upload,
		path`/v1/engagements/${engagementId}/connectors/${connectorName}/uploads`,
		'get the uploads',
		query,
	);

/** docs/service.md#last-uploads */
export const listLastUploads = (engagementIds: readonly string[]) =>
	get(
		uploads.lastUpload,
		`${CLIENT}/lastUploads`,
		engagementIds.length === 1
			? `get the last upload of engagement ${engagementIds[0]}`
			: 'get the last uploads',
		{ engagementIds: engagementIds.join(',') },
	);

/** docs/service.md#workflow */
export const getWorkflow = (engagementId: number | string, uploadId: string) =>
	get(
		uploads.workflow,
		path`/v1/workflows/engagements/${engagementId}/uploads/${uploadId}`,
		`get the steps of upload ${uploadId}`,
	);

/** docs/service.md#start-upload */
export const startUpload = (engagementId: number, connectorName: string, scopeName?: string) =>
	post(
		uploads.uploadStart,
		path`/v1/engagements/${engagementId}/connectors/${connectorName}/upload`,
		`start an upload for engagement ${engagementId} with connector ${shorten(connectorName)}`,
		{ scopeName },
	);

/** docs/service.md#data-refresh */
export const runRefresh = (engagementId: number, connectorName: string) =>
	post(
		uploads.refreshResult,
		path`/v1/engagements/${engagementId}/connectors/${connectorName}/refresh`,
		`refresh the data of engagement ${engagementId} with connector ${shorten(connectorName)}`,
	);

/** docs/service.md#schedule */
export const scheduleRefreshes = (
	engagementId: number,
	body: { scheduleFrequency: string; scheduleStartDate?: string },
) =>
	post(
		uploads.refreshResult,
		`${CLIENT}/engagements/${engagementId}/schedule`,
		`schedule data refreshes of engagement ${engagementId}`,
		undefined,
		body,
	);

function get<T extends IDataObject>(
	kind: RecordKind<T>,
	target: string,
	purpose: string,
	query?: Query,
): ApiRequest<T> {
	return { method: 'GET', path: target, purpose, query, kind };
}

function post<T extends IDataObject>(
	kind: RecordKind<T>,
	target: string,
	purpose: string,
	query?: Query,
	body?: IDataObject,
): ApiRequest<T> {
	return { method: 'POST', path: target, purpose, query, body, kind };
}
