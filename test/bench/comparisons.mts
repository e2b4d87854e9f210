/** What is compared with what. */
import type { INodeParameters } from 'n8n-workflow';

import { httpRequest, own, type Contender } from './nodes.mts';
import { pool } from './pool.mts';

export interface Comparison {
	title: string;
	/** Input items, each with the ID of an engagement; one by default. */
	items?: number;
	/** Of the service; none by default. */
	uploads?: number;
	own: Contender;
	peer: Contender;
	/** What the peer is called in the table; HTTP Request by default. */
	against?: string;
	/** How long `own` may take, compared with `peer`; 1.15 by default. */
	atMost?: number;
	/** The same requests as fast as this computer can, and its items if they are others. */
	limit?: { contender: Contender; items?: number };
}

/** Of the service. Each has a connector, with the same ID. */
export const ENGAGEMENTS = 500;

/** As many requests at once as this package sends. */
const batched = { batching: { batch: { batchSize: 64, batchInterval: 50 } } };
const pagination = {
	paginationMode: 'updateAParameterInEachRequest',
	parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount }}' }] },
	paginationCompleteWhen: 'other',
	completeExpression: '={{ $response.body.last }}',
};

/** 500 records are the default size of a page. */
const ALL_UPLOADS = { resource: 'upload', operation: 'getAll', returnAll: true };
const uploadsOfConnector = (connectorName: INodeParameters) =>
	own({ ...ALL_UPLOADS, source: 'connector', engagementId: '={{ $json.id }}', connectorName });

export const COMPARISONS: Comparison[] = [
	{
		title: 'Company details of 500 engagements',
		items: 500,
		// Without an upload, there are no company details.
		uploads: ENGAGEMENTS,
		own: own({ resource: 'company', operation: 'get', engagementId: '={{ $json.id }}' }),
		peer: httpRequest({ url: '/v1/engagements/{{ $json.id }}/companyDetails', options: batched }),
		limit: { contender: pool(({ id }) => `/v1/engagements/${String(id)}/companyDetails`) },
	},
	{
		title: 'Create 500 engagements',
		items: 500,
		own: own({ resource: 'engagement', operation: 'create', name: '=Company {{ $json.id }}' }),
		peer: httpRequest({
			method: 'POST',
			url: '/v1/clients/CLIENT/engagements',
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ { "sme": { "name": "Company " + $json.id } } }}',
			options: batched,
		}),
	},
	{
		title: 'Uploads of 5,000 connectors By ID',
		uploads: ENGAGEMENTS,
		items: 5000,
		own: uploadsOfConnector({ mode: 'id', value: '={{ $json.id }}' }),
		peer: uploadsOfConnector({ mode: 'name', value: '=connector-{{ $json.id }}' }),
		against: 'The same By Name',
	},
	{
		title: 'List of 50,000 uploads in 100 pages',
		uploads: 50_000,
		own: own(ALL_UPLOADS),
		peer: httpRequest({
			url: '/v1/clients/CLIENT/uploads?size=500',
			options: { pagination: { pagination } },
		}),
		atMost: 0.15,
		limit: {
			contender: pool(
				({ id }, client) => `/v1/clients/${client}/uploads?size=500&page=${Number(id) - 1}`,
			),
			items: 100,
		},
	},
	{
		title: 'The same list with Time Zone Europe/London',
		uploads: 50_000,
		own: own(ALL_UPLOADS, 'Europe/London'),
		peer: own(ALL_UPLOADS),
		against: 'With UTC',
		atMost: 1.25,
	},
];
