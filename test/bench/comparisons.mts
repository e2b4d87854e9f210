/** What is compared with what. */
import { httpRequest, own, type Contender } from './nodes.mts';
import { PAGE_SIZE, readPages } from './nodeClient.mts';

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
	/** What is measured; the time that passes by default. */
	by?: 'time' | 'processor';
	/** How much `own` may take, compared with `peer`. */
	atMost: number;
}

/** Of the service. Each has a connector, with the same ID. */
export const ENGAGEMENTS = 500;
const UPLOADS = 50_000;

/** As many requests at once as this package sends. */
const batched = { batching: { batch: { batchSize: 64, batchInterval: 50 } } };
const pagination = {
	paginationMode: 'updateAParameterInEachRequest',
	parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount }}' }] },
	paginationCompleteWhen: 'other',
	completeExpression: '={{ $response.body.last }}',
};

const ALL_UPLOADS = { resource: 'upload', operation: 'getAll', returnAll: true };

export const COMPARISONS: Comparison[] = [
	{
		title: 'Company details of 500 engagements',
		items: 500,
		// Without an upload, there are no company details.
		uploads: ENGAGEMENTS,
		own: own({ resource: 'company', operation: 'get', engagementId: '={{ $json.id }}' }),
		peer: httpRequest({ url: '/v1/engagements/{{ $json.id }}/companyDetails', options: batched }),
		atMost: 1.1,
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
		atMost: 1.1,
	},
	{
		title: 'Uploads of 500 connectors By Name',
		uploads: ENGAGEMENTS,
		items: 500,
		own: own({
			...ALL_UPLOADS,
			source: 'connector',
			engagementId: '={{ $json.id }}',
			connectorName: { mode: 'name', value: '=connector-{{ $json.id }}' },
		}),
		peer: httpRequest({
			url: `/v1/engagements/{{ $json.id }}/connectors/connector-{{ $json.id }}/uploads?size=${PAGE_SIZE}`,
			options: batched,
		}),
		// n8n evaluates two expressions for each item before anything is sent, instead of one beside the requests.
		atMost: 1.25,
	},
	{
		title: 'List of 50,000 uploads in 100 pages',
		uploads: UPLOADS,
		own: own(ALL_UPLOADS),
		peer: httpRequest({
			url: `/v1/clients/CLIENT/uploads?size=${PAGE_SIZE}`,
			options: { pagination: { pagination } },
		}),
		atMost: 0.12,
	},
	{
		title: 'The same list with Time Zone Europe/London',
		uploads: UPLOADS,
		own: own(ALL_UPLOADS, 'Europe/London'),
		peer: own(ALL_UPLOADS),
		against: 'With UTC',
		atMost: 1.2,
	},
	{
		title: 'Processor time of the same list',
		uploads: UPLOADS,
		own: own(ALL_UPLOADS),
		peer: readPages(UPLOADS / PAGE_SIZE),
		against: "Node.js' own client and JSON.parse",
		by: 'processor',
		atMost: 2,
	},
];
