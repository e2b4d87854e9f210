/** What the benchmark runs, and what is claimed about it: one entry each. */
import type { INodeParameters } from 'n8n-workflow';

import type { Fault } from '../support/service/faults.mts';
import type { Figures } from './contestant.mts';

export interface Workload {
	title: string;
	/** How long the service takes to answer: 50 ms by default. */
	latencyMs?: number;
	/** Number of input items, with an engagement each; a single empty one by default. */
	items?: number;
	/** Completed uploads in the service, and the time between two of them. */
	uploads?: number;
	uploadEvery?: number;
	/** What requests to these paths are answered with. */
	fault?: [path: RegExp, fault: Fault];
	/** The parameters of this package's node; with `startFrom`, of its trigger. */
	own: INodeParameters;
	/** Those of n8n's HTTP Request node, if it is compared; its URL without the host. */
	httpRequest?: INodeParameters;
	/** How many records come out; anything else is a fault of the benchmark. */
	records: number;
	claims: Claim[];
}

/** A bound that a figure keeps. */
export interface Claim {
	text: string;
	measure: (own: Figures, httpRequest: Figures) => number;
	holds: (measured: number) => boolean;
}

const atMost = (most: number, what: string, measure: Claim['measure']): Claim => {
	return { text: `at most ${most} ${what}`, measure, holds: (measured) => measured <= most };
};
const timesAsFast = (times: number): Claim => ({
	text: `at least ${times} times as fast as HTTP Request`,
	measure: (own, httpRequest) => httpRequest.wallMs / own.wallMs,
	holds: (measured) => measured >= times,
});
const asFastAsBatched = atMost(
	1.15,
	'times the wall time of HTTP Request in batches of 64',
	(own, httpRequest) => own.wallMs / httpRequest.wallMs,
);
const requests = (most: number) =>
	atMost(most, most === 1 ? 'request' : 'requests', (own) => own.requests);
/** n8n runs other workflows in the same process. */
const shortTurns = atMost(200, 'ms in the longest turn', (own) => own.longestTurnMs);

const CONNECTOR = 'connector-1';
const byId = { __rl: true, mode: 'id', value: '={{ $json.engagementId }}' };
const company = { resource: 'company', operation: 'get', engagementId: byId };
const create = { resource: 'engagement', operation: 'create', name: '={{ $json.name }}' };
const getLast = {
	resource: 'upload',
	operation: 'getLast',
	engagementIds: '={{ $json.engagementId }}',
};
const refresh = {
	resource: 'dataRefresh',
	operation: 'run',
	engagementId: byId,
	connectorName: { __rl: true, mode: 'name', value: CONNECTOR },
};
const getAll = { resource: 'upload', operation: 'getAll' };
const pagination = {
	paginationMode: 'updateAParameterInEachRequest',
	parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount }}' }] },
	paginationCompleteWhen: 'other',
	completeExpression: '={{ $response.body.last }}',
};

/** A request for each item; HTTP Request sends as many at once as this package. */
function single(title: string, own: INodeParameters, request: INodeParameters): Workload {
	const batching = { batch: { batchSize: 64, batchInterval: 50 } };
	const httpRequest = { ...request, options: { batching } };
	return { title, items: 500, own, httpRequest, records: 500, claims: [asFastAsBatched] };
}

/** What fails, or costs most to read: at once, it must not keep n8n from anything else. */
function hostile(
	title: string,
	items: number,
	own: INodeParameters,
	fault?: Workload['fault'],
): Workload {
	return { title, latencyMs: 0, items, own, fault, records: 0, claims: [shortTurns] };
}

/** A response of just under 1 MB. */
function large(status: number, body: string): Workload['fault'] {
	return [/companyDetails/, { kind: 'raw', status, body, contentType: 'application/json' }];
}

const many = (count: number, text: (index: number) => string) =>
	Array.from({ length: count }, (_, index) => text(index)).join();
const nested = '['.repeat(490_000) + ']'.repeat(490_000);

/** The error bodies that cost most to read. */
const ERRORS = {
	'many errors': JSON.stringify({ errors: Array(30_000).fill({ message: 'm', field: 'f' }) }),
	'many fields': `{${many(45_000, (index) => `"f${index}":"is bad"`)}}`,
	'nested lists': `{"message":${nested}}`,
	'open tags': `<p>${'<'.repeat(980_000)}`,
	escapes: '&#x41;%41\\u0041'.repeat(65_000),
	'parts of tokens': 'eyJhbGciOi.'.repeat(88_000),
};

/** The same for other responses. */
const RESPONSES = {
	'objects by key': `{${many(70_000, (index) => `"k${index}":{}`)}}`,
	'lists in a list': `{"a":[${many(330_000, () => '[]')}]}`,
	'nested lists': nested,
};

/** The values that cost most to parse, by field. */
const INPUTS = {
	'engagementIds: blanks': `1${' '.repeat(100_000)}x`,
	'engagementIds: separators': ','.repeat(100_000),
	'engagementIds: open brackets': '['.repeat(100_000),
	'uploadId: dots': '.'.repeat(100_000),
	'completedDateFrom: blanks in a date': `2026-03-01T10:15:30${' '.repeat(100_000)}Z`,
};

export const WORKLOADS: Workload[] = [
	{
		title: '50,000 uploads in 100 pages',
		uploads: 50_000,
		own: { ...getAll, returnAll: true },
		httpRequest: {
			url: '/v1/clients/CLIENT/uploads?size=500',
			options: { pagination: { pagination } },
		},
		records: 50_000,
		claims: [timesAsFast(10), shortTurns],
	},
	single('Company details of 500 engagements', company, {
		url: '/v1/engagements/{{ $json.engagementId }}/companyDetails',
	}),
	{
		title: 'Last upload of 1,000 engagements',
		items: 1000,
		uploads: 1000,
		own: getLast,
		httpRequest: { url: '/v1/clients/CLIENT/lastUploads?engagementIds={{ $json.engagementId }}' },
		records: 1000,
		claims: [timesAsFast(2), requests(10)],
	},
	single('Create 500 engagements', create, {
		method: 'POST',
		url: '/v1/clients/CLIENT/engagements',
		sendBody: true,
		specifyBody: 'json',
		jsonBody: '={{ { "sme": { "name": $json.name } } }}',
	}),
	single('Refresh 500 engagements', refresh, {
		method: 'POST',
		url: `/v1/engagements/{{ $json.engagementId }}/connectors/${CONNECTOR}/refresh`,
	}),
	{
		title: 'Poll with nothing new among 100,000 uploads',
		uploads: 100_000,
		uploadEvery: 120_000,
		own: { startFrom: 'now' },
		records: 0,
		claims: [requests(1)],
	},
	{
		title: 'Backlog of 30,000 uploads, 10,000 a day',
		latencyMs: 0,
		uploads: 30_000,
		uploadEvery: 8640,
		own: { startFrom: 'beginning' },
		records: 30_000,
		claims: [requests(400)],
	},
	hostile('Get Last, rejected for 20,000 engagements', 20_000, getLast, [
		/lastUploads/,
		{ kind: 'status', status: 400 },
	]),
	hostile('Unknown external IDs of 20,000 engagements', 20_000, {
		...company,
		engagementId: { ...byId, mode: 'externalId', value: '=none-{{ $json.engagementId }}' },
	}),
	hostile(
		'Refresh, while the service asks to wait for an hour, 20,000 engagements',
		20_000,
		refresh,
		[/refresh$/, { kind: 'status', status: 429, headers: { 'retry-after': '3600' } }],
	),
	hostile(
		'Waits that time out after refreshes of 5,000 engagements',
		5000,
		{ ...refresh, waitForCompletion: true, options: { waitTimeout: 0.001 } },
		[/uploads$/, { kind: 'status', status: 200, body: [] }],
	),
	...Object.entries(ERRORS).map(([what, body]) =>
		hostile(`Five errors of 1 MB with ${what}`, 5, company, large(400, body)),
	),
	...Object.entries(RESPONSES).map(([what, body]) =>
		hostile(`A response of 1 MB with ${what}`, 1, company, large(200, body)),
	),
	...Object.entries(INPUTS).map(([what, value]) => {
		const [field = ''] = what.split(':');
		const own = { ...getAll, filters: { [field]: value } };
		return hostile(`Input of 100,000 characters in ${what}`, 1, own);
	}),
];
