import {
	getCompany,
	getWorkflow,
	lastUploads,
	listConnectors,
	listEngagements,
	listPeriods,
	listUploads,
	listUsers,
} from './reads.mts';
import type { Connector, Engagement } from './records.mts';
import type { Service } from './service.mts';
import { createEngagement, refresh, schedule, startUpload } from './writes.mts';

/** A request that has passed the common checks, with its path parameters. */
export interface Call {
	service: Service;
	query: Readonly<Record<string, string>>;
	body: Record<string, unknown> | undefined;
	params: Readonly<Record<string, string>>;
	/** Fails if the engagement in the path does not exist. */
	engagement: () => Engagement;
	connector: () => Connector;
}

/** An endpoint of the service (docs/service.md#endpoints). */
export interface Route {
	method: 'GET' | 'POST';
	path: string;
	query: readonly string[];
	respond: (call: Call) => unknown;
}

/** The parameters of a paged list. */
const PAGE = ['page', 'size'];
const ORDERED = ['orderBy', ...PAGE];
const DATES = ['createdDateFrom', 'createdDateTo', 'completedDateFrom', 'completedDateTo'];
const UPLOADS = ['engagementId', 'uploadId', ...DATES, ...ORDERED];

const CLIENT = '/v1/clients/{clientId}';
const ENGAGEMENT = '/v1/engagements/{engagementId}';
const CONNECTOR = `${ENGAGEMENT}/connectors/{connectorName}`;
const WORKFLOW = '/v1/workflows/engagements/{engagementId}/uploads/{uploadId}';

type Respond = Route['respond'];

function get(path: string, query: readonly string[], respond: Respond): Route {
	return { method: 'GET', path, query, respond };
}

function post(path: string, query: readonly string[], respond: Respond): Route {
	return { method: 'POST', path, query, respond };
}

/** Matches the paths of an endpoint; its groups are the parameters. */
export function toPattern(path: string): RegExp {
	return new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/?#]+)')}$`);
}

/** All endpoints. */
export const ROUTES: readonly Route[] = [
	get(`${CLIENT}/engagements`, ['externalEngagementId', ...ORDERED], listEngagements),
	post(`${CLIENT}/engagements`, ['usePortal'], createEngagement),
	post(`${CLIENT}/engagements/{engagementId}/schedule`, [], schedule),
	get(`${CLIENT}/uploads`, UPLOADS, (call) => listUploads(call)),
	get(`${CLIENT}/lastUploads`, ['engagementIds', ...PAGE], lastUploads),
	get(`${CLIENT}/users`, [], listUsers),
	get(`${CLIENT}/connectors`, [], listConnectors),
	get(`${ENGAGEMENT}/companyDetails`, [], getCompany),
	get(`${ENGAGEMENT}/periods/`, [], listPeriods),
	get(`${CONNECTOR}/uploads`, UPLOADS, (call) => listUploads(call, call.connector().name)),
	post(`${CONNECTOR}/upload`, ['scopeName'], startUpload),
	post(`${CONNECTOR}/refresh`, [], refresh),
	get(WORKFLOW, [], getWorkflow),
];
