/** A process that runs one contestant of a workload: once for each message from its parent. */
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
	ICredentialType,
	IDataObject,
	INodeParameters,
	IVersionedNodeType,
} from 'n8n-workflow';

import { CREDENTIAL, credentialOf, type CredentialTarget } from '../support/credentials.mts';
import { createPoller } from '../support/engine/poll.mts';
import { runNode, type NodeRun } from '../support/engine/run.mts';
import { typesOf, typesOfPackage } from '../support/engine/types.mts';

/** What to run, and with which service: the first message. */
export interface Task {
	node: 'own' | 'httpRequest';
	parameters: INodeParameters;
	items: number;
	records: number;
	target: CredentialTarget;
}

/** The cost of a run. */
export interface Figures {
	requests: number;
	wallMs: number;
	/** The longest time that nothing else could run in the process. */
	longestTurnMs: number;
}

/** A run, which returns the number of records. */
type Run = () => Promise<number>;

/** The trigger, polled until nothing is due. */
async function prepareTrigger(setup: NodeRun): Promise<Run> {
	const poller = createPoller(setup);
	// With Start From: Now, the first poll is part of the activation.
	if (setup.parameters?.startFrom === 'now') await poller.poll();
	return async () => {
		let emitted = 0;
		for (let items = await poller.poll(); items !== null; items = await poller.poll())
			emitted += items.length;
		return emitted;
	};
}

/** A node; with Continue, writes run in parallel, and failures end nothing. */
function prepareNode(setup: NodeRun): Run {
	return async () => {
		const { items, error } = await runNode({ ...setup, onError: 'continueRegularOutput' });
		if (error !== undefined) throw error;
		return items.reduce((sum, { json }) => sum + recordsIn(json), 0);
	};
}

/** HTTP Request returns a page as one item, with its records in `content`. */
function recordsIn({ content, error }: IDataObject): number {
	return Array.isArray(content) ? content.length : Number(error === undefined);
}

/** n8n's HTTP Request node, as a user would set it up. */
function httpRequestSetup({ parameters, target }: Task): NodeRun {
	const { url, clientId, subscriptionKey, accessToken } = target;
	const node = 'n8n-nodes-base.httpRequest';
	const types = typesOf({
		nodes: { [node]: fromN8n<IVersionedNodeType>('nodes/HttpRequest/HttpRequest.node') },
		credentials: {
			httpHeaderAuth: fromN8n<ICredentialType>('credentials/HttpHeaderAuth.credentials'),
		},
	});
	// The editor offers generic credentials through a parameter; the engine here uses the list.
	const { description } = types.getByNameAndVersion(node);
	description.credentials = [...(description.credentials ?? []), { name: 'httpHeaderAuth' }];
	const key = [{ name: 'Ocp-Apim-Subscription-Key', value: subscriptionKey }];
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
			headerParameters: { parameters: key },
		},
	};
}

/** A class of n8n's own nodes, from the n8n that `npm start` runs. */
function fromN8n<T>(file: string): new () => T {
	const load = createRequire(path.resolve('test/n8n/.installed/package.json'));
	const exported = load(`n8n-nodes-base/dist/${file}.js`) as Record<string, new () => T>;
	const [only] = Object.values(exported);
	if (only === undefined) throw new Error(`n8n-nodes-base has no class in ${file}`);
	return only;
}

async function prepare(task: Task): Promise<Run> {
	const given = Array.from({ length: task.items }, (_, index) => ({
		engagementId: index + 1,
		name: `New company ${index + 1}`,
	}));
	const items = given.length === 0 ? [{}] : given;
	if (task.node === 'httpRequest') return prepareNode({ ...httpRequestSetup(task), items });
	const { parameters, target } = task;
	const credentials = { [CREDENTIAL]: credentialOf(target) };
	const setup = { types: await typesOfPackage('.'), credentials, parameters, items };
	return 'startFrom' in parameters ? await prepareTrigger(setup) : prepareNode(setup);
}

async function measure(run: Run, records: number): Promise<Omit<Figures, 'requests'>> {
	const turns = monitorEventLoopDelay({ resolution: 1 });
	turns.enable();
	const startedAt = performance.now();
	const count = await run();
	const wallMs = performance.now() - startedAt;
	if (count !== records) throw new Error(`${count} records instead of ${records}`);
	// A turn is counted when the next one begins.
	await sleep(5);
	turns.disable();
	return { wallMs, longestTurnMs: turns.max / 1e6 };
}

process.once('disconnect', () => process.exit());
const [task] = (await once(process, 'message')) as [Task];
const run = await prepare(task);
process.on('message', () => void measure(run, task.records).then((each) => process.send?.(each)));
process.send?.('ready');
