import type { Call } from './call.mts';
import {
	getWorkflow,
	lastUploads,
	listEngagements,
	listPeriods,
	listUploads,
	unpaged,
} from './reads.mts';
import { companyOf } from './records.mts';
import { connectorRecord, userRecord } from './render.mts';
import { createEngagement, refresh, schedule, startUpload } from './writes.mts';

/** An endpoint of the service (docs/service.md#endpoints). */
export interface Route {
	method: 'GET' | 'POST';
	path: string;
	query: readonly string[];
	/** Takes `page` and `size` only if `settings.pageFieldsOnUnpaged` says so. */
	unpaged?: true;
	respond: (call: Call) => unknown;
}

/** The parameters of a paged list. */
export const PAGE = ['page', 'size'];
const UPLOADS = [
	'engagementId',
	'uploadId',
	'createdDateFrom',
	'createdDateTo',
	'completedDateFrom',
	'completedDateTo',
	'orderBy',
	...PAGE,
];

const CLIENT = '/v1/clients/{clientId}';
const ENGAGEMENT = '/v1/engagements/{engagementId}';
const CONNECTOR = `${ENGAGEMENT}/connectors/{connectorName}`;

/** All endpoints. */
export const ROUTES: readonly Route[] = [
	{
		method: 'GET',
		path: `${CLIENT}/engagements`,
		query: ['externalEngagementId', 'orderBy', ...PAGE],
		respond: listEngagements,
	},
	{
		method: 'GET',
		path: `${ENGAGEMENT}/companyDetails`,
		query: [],
		respond: ({ engagement }) => companyOf(engagement()),
	},
	{
		method: 'GET',
		path: `${ENGAGEMENT}/periods/`,
		query: [],
		unpaged: true,
		respond: listPeriods,
	},
	{
		method: 'GET',
		path: `${CLIENT}/uploads`,
		query: UPLOADS,
		respond: (call) => listUploads(call),
	},
	{
		method: 'GET',
		path: `${CONNECTOR}/uploads`,
		query: UPLOADS,
		respond: (call) => listUploads(call, call.connector().name),
	},
	{
		method: 'GET',
		path: `${CLIENT}/lastUploads`,
		query: ['engagementIds', ...PAGE],
		respond: lastUploads,
	},
	{
		method: 'GET',
		path: `${CLIENT}/users`,
		query: [],
		unpaged: true,
		respond: (call) =>
			unpaged(call, 'users', call.service.model.users, (row) => userRecord(call.service, row)),
	},
	{
		method: 'GET',
		path: '/v1/workflows/engagements/{engagementId}/uploads/{uploadId}',
		query: [],
		respond: getWorkflow,
	},
	{
		method: 'POST',
		path: `${CLIENT}/engagements`,
		query: ['usePortal'],
		respond: createEngagement,
	},
	{
		method: 'GET',
		path: `${CLIENT}/connectors`,
		query: [],
		unpaged: true,
		respond: (call) => unpaged(call, 'connectors', call.service.model.connectors, connectorRecord),
	},
	{ method: 'POST', path: `${CONNECTOR}/upload`, query: ['scopeName'], respond: startUpload },
	{ method: 'POST', path: `${CONNECTOR}/refresh`, query: [], respond: refresh },
	{
		method: 'POST',
		path: `${CLIENT}/engagements/{engagementId}/schedule`,
		query: [],
		respond: schedule,
	},
];
