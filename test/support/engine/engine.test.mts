import type { IExecuteFunctions, INode, INodeConnections, INodeType } from 'n8n-workflow';

import { CredentialStore } from './credentials.mts';
import { describeNode, Thing, ThingApi, ThingService } from './fixtures.mts';
import { runNode, runWorkflow, startNode } from './run.mts';
import { typesOf } from './types.mts';

let patientStarted: () => void;

/** Waits until it is cancelled. */
class Patient implements INodeType {
	description = describeNode('patient', []);

	async execute(this: IExecuteFunctions) {
		const signal = this.getExecutionCancelSignal();
		patientStarted();
		await new Promise((resolve) => signal?.addEventListener('abort', resolve));
		return [[{ json: { aborted: signal?.aborted ?? false } }]];
	}
}

const types = typesOf({
	nodes: { thing: Thing, patient: Patient },
	credentials: { thingApi: ThingApi },
});
const service = new ThingService();
let credentials: CredentialStore;
let baseUrl: string;

beforeAll(async () => {
	baseUrl = await service.start();
});

afterAll(async () => await service.stop());

beforeEach(() => {
	service.reset();
	credentials = new CredentialStore({ thingApi: { baseUrl, pasted: 'dropped, not shown' } });
});

describe('runNode', () => {
	const ids = [{ id: '1' }, { id: 'missing' }, { id: '3' }];
	const perItem = { id: '={{ $json.id }}' };

	it('runs a node over its items with parameters, expressions and credentials', async () => {
		const { items, error } = await runNode({
			types,
			node: 'thing',
			credentials,
			items: [{ id: '1' }, { json: { id: 'two' } }],
			parameters: perItem,
		});
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.url)).toEqual(['/things/1', '/things/two']);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	});

	it('returns the error of a node that fails', async () => {
		const { items, error, run } = await runNode({
			types,
			node: 'thing',
			credentials,
			parameters: { id: 'missing' },
		});
		expect(items).toEqual([]);
		expect(error).toMatchObject({ name: 'NodeApiError', httpCode: '404' });
		expect(run.status).toBe('error');
	});

	it('keeps failed items among the others with continueRegularOutput', async () => {
		const { items, errorItems, error } = await runNode({
			types,
			node: 'thing',
			credentials,
			items: ids,
			parameters: perItem,
			onError: 'continueRegularOutput',
		});
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => 'error' in json)).toEqual([false, true, false]);
		expect(errorItems).toEqual([]);
	});

	it('moves failed items to the error output with continueErrorOutput', async () => {
		const { items, errorItems } = await runNode({
			types,
			node: 'thing',
			credentials,
			items: ids,
			parameters: perItem,
			onError: 'continueErrorOutput',
		});
		expect(items.map(({ json }) => json.url)).toEqual(['/things/1', '/things/3']);
		expect(errorItems.map(({ json }) => json.id)).toEqual(['missing']);
	});

	it('does not start a node whose required parameter is empty', async () => {
		const run = runNode({ types, node: 'thing', credentials, parameters: { id: '' } });
		await expect(run).rejects.toThrow('issues');
	});

	it('resolves dates in the given time zone', async () => {
		const { items } = await runNode({
			types,
			node: 'thing',
			credentials,
			parameters: { id: '={{ $now.zoneName }}' },
			timezone: 'Europe/Berlin',
		});
		expect(items[0]?.json.url).toBe('/things/Europe/Berlin');
	});
});

describe('startNode', () => {
	it('fires the cancel signal', async () => {
		const started = new Promise<void>((resolve) => (patientStarted = resolve));
		const { done, cancel } = startNode({ types, node: 'patient', credentials });
		await started;
		cancel();
		const { items, run } = await done;
		expect(items[0]?.json).toEqual({ aborted: true });
		expect(run.status).toBe('canceled');
	});
});

describe('runWorkflow', () => {
	const exported = {
		nodes: [
			nodeOf('Start', 'n8n-nodes-base.manualTrigger', {}),
			nodeOf('Note', 'n8n-nodes-base.stickyNote', { content: 'Read me' }),
			nodeOf('First', 'n8n-nodes-engagement-uploads.thing', { id: '7' }),
			nodeOf('Second', 'n8n-nodes-engagement-uploads.thing', { id: '={{ $json.id }}' }),
		],
		connections: { Start: connectionTo('First'), First: connectionTo('Second') },
	};

	function nodeOf(name: string, type: string, parameters: object): INode {
		const position: [number, number] = [0, 0];
		return { id: name, name, type, typeVersion: 1, position, parameters: { ...parameters } };
	}

	function connectionTo(node: string): INodeConnections {
		return { main: [[{ node, type: 'main', index: 0 }]] };
	}

	it('runs an exported workflow from its manual trigger and reports each node', async () => {
		const done: string[] = [];
		const { nodes, error } = await runWorkflow(exported, {
			types,
			credentials,
			onNodeDone: (name, items) => done.push(`${name}: ${items.length}`),
		});
		expect(error).toBeUndefined();
		expect(done).toEqual(['Start: 1', 'First: 1', 'Second: 1']);
		expect(nodes.Second?.map(({ json }) => json.url)).toEqual(['/things/7x']);
	});

	it('continues from what a trigger emitted', async () => {
		const start = { node: 'First', items: [{ json: { id: 'a' } }, { json: { id: 'b' } }] };
		const { nodes } = await runWorkflow(exported, { types, credentials, start });
		expect(Object.keys(nodes)).toEqual(['First', 'Second']);
		expect(nodes.First).toHaveLength(2);
	});

	it('needs a node to start from', async () => {
		const run = runWorkflow({ nodes: [], connections: {} }, { types, credentials });
		await expect(run).rejects.toThrow('no such start node');
	});

	it('returns the error of the node that fails', async () => {
		service.token = 'nobody knows it';
		service.refuseTokens = true;
		const { nodes, error } = await runWorkflow(exported, { types, credentials });
		expect(error).toMatchObject({ node: { name: 'First' } });
		expect(Object.keys(nodes)).toEqual(['Start', 'First']);
	});
});
