/** A process that runs one contestant of a workload: once for each message from its parent. */
import { createRequire } from 'node:module';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
	ICredentialType,
	IDataObject,
	INodeParameters,
	IVersionedNodeType,
} from 'n8n-workflow';

import { CREDENTIAL, credentialOf } from '../support/credentials.mts';
import { createPoller } from '../support/engine/poll.mts';
import { runNode } from '../support/engine/run.mts';
import { typesOf, typesOfPackage } from '../support/engine/types.mts';
import { INSTALLED } from './install.mts';
import type { Target } from './service.mts';
import { MAX_PARALLEL, WORKLOADS, type ContestantName } from './workloads.mts';

/** What to run, and where; a process gets it as its argument. */
export interface Task {
	name: ContestantName;
	target: Target;
	/** Index of the workload. */
	work: number;
}

/** One run: its cost and its result. */
export interface Figures {
	/** Records returned, without items that are errors. */
	records: number;
	requests: number;
	wallMs: number;
	cpuMs: number;
	/** The longest time that nothing else could run in the process. */
	longestTurnMs: number;
}

const HTTP_REQUEST = 'n8n-nodes-base.httpRequest';

/** A run, which returns the number of records. */
type Run = () => Promise<number>;

/** This package's node, with its defaults. */
async function prepareNode(target: Target, parameters: INodeParameters, items: IDataObject[]) {
	const types = await typesOfPackage('.');
	const setup = { types, credentials: { [CREDENTIAL]: credentialOf(target) }, parameters, items };
	return async () => await countRecords({ ...setup, node: undefined });
}

/** This package's trigger, polled until nothing is due; nothing may be emitted twice. */
async function prepareTrigger(target: Target, parameters: INodeParameters): Promise<Run> {
	const types = await typesOfPackage('.');
	const credentials = { [CREDENTIAL]: credentialOf(target) };
	const poller = createPoller({ types, credentials, parameters });
	// With Start From: Now, the first poll is part of the activation.
	if (parameters.startFrom === 'now') await poller.poll();
	return async () => {
		const emitted = new Set<unknown>();
		for (let items = await poller.poll(); items !== null; items = await poller.poll()) {
			for (const { json } of items) {
				if (emitted.has(json.uploadId)) throw new Error('An upload was emitted twice');
				emitted.add(json.uploadId);
			}
		}
		return emitted.size;
	};
}

/** n8n's HTTP Request node, as a user would set it up. */
function prepareHttpRequest(
	{ url, clientId, subscriptionKey, accessToken }: Target,
	{ url: path, ...own }: INodeParameters,
	items: IDataObject[],
): Run {
	const load = createRequire(INSTALLED);
	const { HttpRequest } = load(
		'n8n-nodes-base/dist/nodes/HttpRequest/HttpRequest.node.js',
	) as Record<'HttpRequest', new () => IVersionedNodeType>;
	const { HttpHeaderAuth } = load(
		'n8n-nodes-base/dist/credentials/HttpHeaderAuth.credentials.js',
	) as Record<'HttpHeaderAuth', new () => ICredentialType>;
	const types = typesOf({
		nodes: { [HTTP_REQUEST]: HttpRequest },
		credentials: { httpHeaderAuth: HttpHeaderAuth },
	});
	// The editor offers generic credentials through a parameter; the engine here uses the list.
	const { description } = types.getByNameAndVersion(
		HTTP_REQUEST,
		types.newestVersion(HTTP_REQUEST),
	);
	description.credentials = [...(description.credentials ?? []), { name: 'httpHeaderAuth' }];
	const key = [{ name: 'Ocp-Apim-Subscription-Key', value: subscriptionKey }];
	const parameters = {
		authentication: 'genericCredentialType',
		genericAuthType: 'httpHeaderAuth',
		sendHeaders: true,
		headerParameters: { parameters: key },
		...own,
		url: `=${url}${String(path).replace('CLIENT', clientId)}`,
	};
	const credentials = {
		httpHeaderAuth: { name: 'Authorization', value: `Bearer ${accessToken}` },
	};
	return async () =>
		await countRecords({ node: HTTP_REQUEST, types, credentials, parameters, items });
}

/** With Continue, writes run in parallel and failures end nothing. */
async function countRecords(setup: Parameters<typeof runNode>[0]): Promise<number> {
	const { items, error } = await runNode({ ...setup, onError: 'continueRegularOutput' });
	if (error !== undefined) throw error;
	const count = ({ json }: { json: IDataObject }) =>
		// HTTP Request returns a page as one item, with its records in `content`.
		Array.isArray(json.content) ? json.content.length : Number(json.error === undefined);
	return items.reduce((sum, item) => sum + count(item), 0);
}

async function prepare({ name, target, work }: Task): Promise<Run> {
	const {
		contestants,
		items = 0,
		latencyMs,
	} = WORKLOADS[work] ?? { contestants: {}, latencyMs: 0 };
	const parameters = contestants[name] ?? {};
	const given = Array.from({ length: items }, (_, index) => ({
		engagementId: index + 1,
		name: `New company ${index + 1}`,
	}));
	const inputs = items > 0 ? given : [{}];
	if (name === 'trigger') return await prepareTrigger(target, parameters);
	if (name === 'node') return await prepareNode(target, parameters, inputs);
	const batching = { batch: { batchSize: MAX_PARALLEL, batchInterval: latencyMs } };
	const options = name === 'httpRequestBatched' ? { options: { batching } } : {};
	return prepareHttpRequest(target, { ...parameters, ...options }, inputs);
}

async function measure(run: Run): Promise<Omit<Figures, 'requests'>> {
	const turns = monitorEventLoopDelay({ resolution: 1 });
	turns.enable();
	const cpuBefore = process.cpuUsage();
	const startedAt = performance.now();
	const records = await run();
	const wallMs = performance.now() - startedAt;
	const { user, system } = process.cpuUsage(cpuBefore);
	// A turn is counted when the next one begins.
	await sleep(5);
	turns.disable();
	return { records, wallMs, cpuMs: (user + system) / 1000, longestTurnMs: turns.max / 1e6 };
}

const run = await prepare(JSON.parse(process.argv[2] ?? '') as Task);
process.on('message', () => void measure(run).then((figures) => process.send?.(figures)));
process.once('disconnect', () => process.exit());
process.send?.('ready');
