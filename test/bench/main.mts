/** Compares this package's nodes with n8n's HTTP Request node, in turn and in the same process. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import type {
	IAuthenticate,
	ICredentialType,
	IDataObject,
	INodeParameters,
	IVersionedNodeType,
} from 'n8n-workflow';

import { installN8n } from '../n8n/install.mts';
import { CREDENTIAL, makeCredential, type CredentialTarget } from '../support/credentials.mts';
import { runNode, type NodeRun } from '../support/engine/run.mts';
import { loadTypes, loadPackageTypes } from '../support/engine/types.mts';
import { table } from '../support/markdown.mts';

interface Comparison {
	title: string;
	uploads?: number;
	/** Input items, each with an engagement of its own. */
	items: number;
	records: number;
	own: INodeParameters;
	/** The URL is without the host. */
	httpRequest: INodeParameters;
	/** How long this package may take, compared with HTTP Request. */
	atMost: number;
}

/** Of each node; the median counts. The run before them warms up, since n8n runs for months. */
const RUNS = 5;
const LATENCY_MS = 50;

/** As many requests at once as this package sends. */
const batched = { batching: { batch: { batchSize: 64, batchInterval: 50 } } };
const pagination = {
	paginationMode: 'updateAParameterInEachRequest',
	parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount }}' }] },
	paginationCompleteWhen: 'other',
	completeExpression: '={{ $response.body.last }}',
};

const COMPARISONS: Comparison[] = [
	{
		title: 'Company details of 500 engagements',
		items: 500,
		records: 500,
		own: { resource: 'company', operation: 'get', engagementId: '={{ $json.id }}' },
		httpRequest: { url: '/v1/engagements/{{ $json.id }}/companyDetails', options: batched },
		atMost: 1.15,
	},
	{
		title: 'Create 500 engagements',
		items: 500,
		records: 500,
		own: { resource: 'engagement', operation: 'create', name: '=Company {{ $json.id }}' },
		httpRequest: {
			method: 'POST',
			url: '/v1/clients/CLIENT/engagements',
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ { "sme": { "name": "Company " + $json.id } } }}',
			options: batched,
		},
		atMost: 1.15,
	},
	{
		title: 'List of 50,000 uploads in 100 pages',
		uploads: 50_000,
		items: 1,
		records: 50_000,
		own: { resource: 'upload', operation: 'getAll', returnAll: true },
		httpRequest: {
			url: '/v1/clients/CLIENT/uploads?size=500',
			options: { pagination: { pagination } },
		},
		atMost: 0.2,
	},
];

/** A class of n8n's own nodes, from the n8n that `npm start` runs. */
function fromN8n<T>(file: string): new () => T {
	const load = createRequire(path.resolve('test/n8n/.installed/package.json'));
	const exported = load(`n8n-nodes-base/dist/${file}.js`) as Record<string, new () => T>;
	const [only] = Object.values(exported);
	if (only === undefined) throw new Error(`n8n-nodes-base has no class in ${file}`);
	return only;
}

/** n8n's HTTP Request node, as a user would set it up. */
function httpRequestSetup(parameters: INodeParameters, service: CredentialTarget): NodeRun {
	const node = 'n8n-nodes-base.httpRequest';
	// n8n's own says the same as data, which the engine here does not read.
	class HeaderAuth extends fromN8n<ICredentialType>('credentials/HttpHeaderAuth.credentials') {
		authenticate: IAuthenticate = async ({ name, value }, options) =>
			await Promise.resolve({ ...options, headers: { ...options.headers, [String(name)]: value } });
	}
	const types = loadTypes({
		nodes: { [node]: fromN8n<IVersionedNodeType>('nodes/HttpRequest/HttpRequest.node') },
		credentials: { httpHeaderAuth: HeaderAuth },
	});
	// The editor offers generic credentials through a parameter; the engine here uses the list.
	const { description } = types.getByNameAndVersion(node);
	description.credentials = [...(description.credentials ?? []), { name: 'httpHeaderAuth' }];
	const { url, clientId, accessToken, subscriptionKey } = service;
	return {
		node,
		types,
		credentials: { httpHeaderAuth: { name: 'Authorization', value: `Bearer ${accessToken}` } },
		parameters: {
			...parameters,
			url: `=${url}${String(parameters.url).replace('CLIENT', clientId)}`,
			authentication: 'genericCredentialType',
			genericAuthType: 'httpHeaderAuth',
			sendHeaders: true,
			headerParameters: {
				parameters: [{ name: 'Ocp-Apim-Subscription-Key', value: subscriptionKey }],
			},
		},
	};
}

/** How long a run takes, in milliseconds. @throws if it returns another number of records */
async function time(setup: NodeRun, records: number): Promise<number> {
	const startedAt = performance.now();
	// With Continue, writes run in parallel.
	const { items, error } = await runNode({ ...setup, onError: 'continueRegularOutput' });
	const duration = performance.now() - startedAt;
	if (error !== undefined) throw error;
	// HTTP Request returns a page as one item, with its records in `content`.
	const count = ({ content, error: failure }: IDataObject) =>
		Array.isArray(content) ? content.length : Number(failure === undefined);
	const counted = items.reduce((sum, { json }) => sum + count(json), 0);
	if (counted !== records) throw new Error(`${counted} records instead of ${records}`);
	return duration;
}

const median = (times: number[]) => times.toSorted((a, b) => a - b)[times.length >> 1] ?? NaN;
const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

async function compare({ title, uploads = 0, atMost, ...work }: Comparison): Promise<string[]> {
	const service = fork('test/bench/service.mts', [String(LATENCY_MS), String(uploads)]);
	const [address] = (await once(service, 'message')) as [CredentialTarget];
	const items = Array.from({ length: work.items }, (_, index) => ({ id: index + 1 }));
	const credentials = { [CREDENTIAL]: makeCredential(address) };
	const own = { types: await loadPackageTypes('.'), credentials, parameters: work.own, items };
	const httpRequest = { ...httpRequestSetup(work.httpRequest, address), items };
	const [ours, theirs]: [number[], number[]] = [[], []];
	for (let run = 0; run <= RUNS; run += 1) {
		ours.push(await time(own, work.records));
		theirs.push(await time(httpRequest, work.records));
	}
	service.kill();
	const [ourTime, theirTime] = [median(ours.slice(1)), median(theirs.slice(1))];
	const ratio = ourTime / theirTime;
	const limit = `${atMost}${ratio <= atMost ? '' : ' **exceeded**'}`;
	return [title, seconds(ourTime), seconds(theirTime), ratio.toFixed(2), limit];
}

// n8n adds a listener to its one abort signal for each request, and Node.js warns about that.
process.removeAllListeners('warning');
await installN8n(console.log);
const rows: string[][] = [];
for (const comparison of COMPARISONS) {
	rows.push(await compare(comparison));
	console.log(rows.at(-1)?.join(' | '));
}
const { version } = JSON.parse(readFileSync('node_modules/n8n-core/package.json', 'utf8'));
const head = ['Work', 'This package', 'HTTP Request', 'Ratio', 'At most'];
writeFileSync(
	'docs/bench.md',
	`# Benchmark

\`npm run bench\` writes this page: medians of ${RUNS} runs in n8n's engine (n8n-core ${version}) on ${os.cpus().length} cores with Node.js ${process.version}. The simulated service, in another process, takes ${LATENCY_MS} ms to answer. n8n's HTTP Request node reads the list with its pagination, and sends the rest in batches of 64. The two nodes run in turn, so the ratio says more than the times.

${table(head, rows).join('\n')}

Single reads and writes take about as long as with HTTP Request: most of the time goes into n8n, which opens a connection for each request.
`,
);
