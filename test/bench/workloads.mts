/** What the benchmark runs, and what is claimed about it: one entry each. */
import type { INodeParameters } from 'n8n-workflow';
import type { Fault, Match } from '../support/service/faults.mts';
import type { Figures } from './contestant.mts';
import { BODIES, INPUTS, RESPONSES } from './hostile.mts';

/** The action node or the trigger, and n8n's HTTP Request node in two settings. */
export type ContestantName = 'node' | 'trigger' | 'httpRequest' | 'httpRequestBatched';

/** The parameters of each contestant that takes part; those of HTTP Request without the host. */
type Contestants = { [Name in ContestantName]?: INodeParameters };

export interface Workload {
	title: string;
	/** How long the service takes to answer. */
	latencyMs: number;
	/** Records in the service; the newest upload completed a minute ago. */
	engagements: number;
	uploads?: number;
	/** Time between two completions in milliseconds. */
	uploadEvery?: number;
	/** Number of input items: one for each engagement; otherwise a single empty one. */
	items?: number;
	/** What every matching request is answered with. */
	fault?: [Match, Fault];
	contestants: Contestants;
	/** The figure of this package's node that the claim is about, and what is claimed. */
	claims: Array<(own: Figures, others: Map<ContestantName, Figures>) => Claim>;
	/** How many records come out; anything else is a fault of the benchmark. */
	records: number;
}

/** A figure, and the bound that it keeps. */
export interface Claim {
	what: string;
	measured: number;
	least?: number;
	most?: number;
}

/** Maximum number of parallel requests of the node. */
export const MAX_PARALLEL = 64;
export const CONNECTOR = 'connector-a';
const PAGE_SIZE = 500;
/** No turn of the event loop may take longer, in milliseconds: n8n runs other workflows in it. */
const MAX_TURN = 200;

const byId = { __rl: true, mode: 'id', value: '={{ $json.engagementId }}' };
const connectorName = { __rl: true, mode: 'name', value: CONNECTOR };
const company = { resource: 'company', operation: 'get', engagementId: byId };
const refresh = { resource: 'dataRefresh', operation: 'run', engagementId: byId, connectorName };
const getLast = {
	resource: 'upload',
	operation: 'getLast',
	engagementIds: '={{ $json.engagementId }}',
};
const PAGINATION = {
	paginationMode: 'updateAParameterInEachRequest',
	parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount }}' }] },
	paginationCompleteWhen: 'other',
	completeExpression: '={{ $response.body.last }}',
};
const post = { method: 'POST', sendBody: true, specifyBody: 'json' };

const faster = (times: number, than: ContestantName): Workload['claims'][number] => {
	return (own, others) => ({
		what: 'times as fast as HTTP Request',
		measured: (others.get(than)?.wallMs ?? Number.NaN) / own.wallMs,
		least: times,
	});
};
const withinBatched = (most: number): Workload['claims'][number] => {
	return (own, others) => ({
		what: 'times the wall time of HTTP Request in batches of 64',
		measured: own.wallMs / (others.get('httpRequestBatched')?.wallMs ?? Number.NaN),
		most,
	});
};
const requests = (most: number): Workload['claims'][number] => {
	return (own) => ({ what: most === 1 ? 'request' : 'requests', measured: own.requests, most });
};
const turns: Workload['claims'][number] = (own) => {
	return { what: 'ms in the longest turn', measured: own.longestTurnMs, most: MAX_TURN };
};

/** With an item for each engagement; with Continue, writes run in parallel. */
function items(title: string, count: number, contestants: Contestants): Workload {
	return {
		title: `${title} ${count.toLocaleString('en-GB')} engagements`,
		latencyMs: 50,
		engagements: count,
		items: count,
		contestants,
		claims: [],
		records: count,
	};
}

/** Items that all fail for one reason, at once. */
function failing(title: string, node: INodeParameters, fault?: Workload['fault']): Workload {
	const work = items(title, 20_000, { node });
	return { ...work, latencyMs: 0, engagements: 10, fault, claims: [turns], records: 0 };
}

const json = (body: string) => ({ kind: 'raw', body, contentType: 'application/json' }) as const;

export const WORKLOADS: Workload[] = [
	{
		title: '50,000 uploads in 100 pages',
		latencyMs: 50,
		engagements: 1000,
		uploads: 50_000,
		contestants: {
			node: { resource: 'upload', operation: 'getAll', returnAll: true },
			httpRequest: {
				url: `/v1/clients/CLIENT/uploads?size=${PAGE_SIZE}`,
				options: { pagination: { pagination: PAGINATION } },
			},
		},
		records: 50_000,
		claims: [faster(10, 'httpRequest'), turns],
	},
	{
		...items('Company details of', 500, {
			node: company,
			httpRequestBatched: { url: '/v1/engagements/{{ $json.engagementId }}/companyDetails' },
		}),
		records: 500,
		claims: [withinBatched(1.15)],
	},
	{
		...items('Last upload of', 1000, {
			node: getLast,
			httpRequest: { url: '/v1/clients/CLIENT/lastUploads?engagementIds={{ $json.engagementId }}' },
		}),
		uploads: 1000,
		records: 1000,
		claims: [faster(2, 'httpRequest'), requests(10)],
	},
	{
		...items('Create', 500, {
			node: { resource: 'engagement', operation: 'create', name: '={{ $json.name }}' },
			httpRequestBatched: {
				...post,
				url: '/v1/clients/CLIENT/engagements',
				jsonBody: '={{ { "sme": { "name": $json.name } } }}',
			},
		}),
		records: 500,
		claims: [withinBatched(1.15)],
	},
	{
		...items('Refresh', 500, {
			node: refresh,
			httpRequestBatched: {
				method: 'POST',
				url: `/v1/engagements/{{ $json.engagementId }}/connectors/${CONNECTOR}/refresh`,
			},
		}),
		records: 500,
		claims: [withinBatched(1.15)],
	},
	{
		title: 'Poll with nothing new among 100,000 uploads',
		latencyMs: 50,
		engagements: 1000,
		uploads: 100_000,
		uploadEvery: 120_000,
		contestants: { trigger: { startFrom: 'now' } },
		records: 0,
		claims: [requests(1)],
	},
	{
		title: 'Backlog of 30,000 uploads, 10,000 a day',
		latencyMs: 0,
		engagements: 1000,
		uploads: 30_000,
		uploadEvery: 8640,
		contestants: { trigger: { startFrom: 'beginning' } },
		records: 30_000,
		claims: [requests(400)],
	},
	failing('Get Last, rejected for', getLast, [
		{ path: /lastUploads/ },
		{ kind: 'status', status: 400 },
	]),
	failing('Unknown external IDs of', {
		...company,
		engagementId: { ...byId, mode: 'externalId', value: '=none-{{ $json.engagementId }}' },
	}),
	failing('Refresh, while the service asks to wait for an hour,', refresh, [
		{ path: /refresh$/ },
		{ kind: 'status', status: 429, headers: { 'retry-after': '3600' } },
	]),
	{
		...items('Waits that time out after refreshes of', 5000, {
			node: { ...refresh, waitForCompletion: true, options: { waitTimeout: 0.001 } },
		}),
		latencyMs: 0,
		fault: [{ path: /uploads$/ }, { kind: 'status', status: 200, body: [] }],
		records: 0,
		claims: [turns],
	},
	...Object.entries(BODIES).map(
		([what, body]): Workload => ({
			...items('', 5, { node: company }),
			title: `Five errors of 1 MB with ${what}`,
			latencyMs: 0,
			fault: [{ path: /companyDetails/ }, { ...json(body), status: 400 }],
			records: 0,
			claims: [turns],
		}),
	),
	...Object.entries(RESPONSES).map(
		([what, body]): Workload => ({
			...items('', 1, { node: company }),
			title: `A response of 1 MB with ${what}`,
			latencyMs: 0,
			fault: [{ path: /companyDetails/ }, json(body)],
			records: 0,
			claims: [turns],
		}),
	),
	...INPUTS.map(([field, what, value]): Workload => {
		const filters = { [field]: value };
		return {
			title: `Input of 100,000 characters in ${field}: ${what}`,
			latencyMs: 0,
			engagements: 1,
			contestants: { node: { resource: 'upload', operation: 'getAll', filters } },
			records: 0,
			claims: [turns],
		};
	}),
];
