import type {
	ExecutionError,
	IDataObject,
	INode,
	INodeExecutionData,
	IRun,
	IWorkflowBase,
	ITaskData,
	Workflow,
} from 'n8n-workflow';

import {
	buildAdditionalData,
	buildCredentials,
	EXECUTION_ID,
	prepare,
	buildWorkflow,
	type NodeSetup,
} from './base.mts';
import { CredentialStore, type CredentialData } from './credentials.mts';
import { core, n8n } from './n8n.mts';
import { assertNoSecrets, assertNoSecretsIn } from './secrets.mts';
import { MANUAL_TRIGGER, NO_OP, ownTypes, type EngineTypes } from './types.mts';

const FEEDER = 'Items';

/** One node, its input items, and what happens on an error. */
export interface NodeRun extends NodeSetup {
	/** Input items, or their `json`; one empty item by default. */
	items?: Array<INodeExecutionData | IDataObject>;
}

/** A node's result: its first output, its second (the error output), and why it failed. */
export interface NodeResult {
	items: INodeExecutionData[];
	errorItems: INodeExecutionData[];
	error: ExecutionError | undefined;
	run: IRun;
}

/**
 * Runs one node to its end. Rejects if n8n would not start it, e.g. because of a missing parameter.
 */
export async function runNode(setup: NodeRun): Promise<NodeResult> {
	return await startNode(setup).done;
}

/** Starts one node; `cancel` acts like n8n's stop button, and `done` then still resolves. */
export function startNode(setup: NodeRun): { done: Promise<NodeResult>; cancel: () => void } {
	const { types, store, node } = prepare(setup);
	const feeder: INode = {
		id: 'a1b2c3d4-0000-4000-8000-000000000000',
		name: FEEDER,
		type: NO_OP,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const workflow = buildWorkflow(types, {
		id: setup.workflowId,
		nodes: [feeder, node],
		connections: { [FEEDER]: { main: [[{ node: node.name, type: 'main', index: 0 }]] } },
		timezone: setup.timezone,
	});
	const items = (setup.items ?? [{}]).map(toItem);
	const execution = execute(types, workflow, store, feeder, items);
	const done = execution.then((run) => {
		const result = readResult(run, node.name);
		assertNoSecrets(result.error, store);
		assertNoSecretsIn(result.items, store);
		return result;
	});
	return { done, cancel: () => execution.cancel() };
}

function execute(
	types: EngineTypes,
	workflow: Workflow,
	store: CredentialStore,
	startNode: INode,
	items: INodeExecutionData[],
) {
	const workflowData = { id: workflow.id, name: workflow.name } as IWorkflowBase;
	const hooks = new core.ExecutionLifecycleHooks('trigger', EXECUTION_ID, workflowData);
	const given = {
		startTime: Date.now(),
		executionTime: 0,
		executionIndex: 0,
		source: [],
		data: { main: [items] },
	};
	const execution = new core.WorkflowExecute(
		buildAdditionalData(types, store, { hooks }),
		'trigger',
	);
	return execution.run({
		workflow,
		startNode,
		triggerToStartFrom: { name: startNode.name, data: given },
	});
}

function toItem(item: INodeExecutionData | IDataObject): INodeExecutionData {
	const isItem = typeof item.json === 'object' && item.json !== null;
	return (isItem ? item : { json: item }) as INodeExecutionData;
}

function readOutput(task: ITaskData | undefined, index: number): INodeExecutionData[] {
	return task?.data?.main?.[index] ?? [];
}

function readResult(run: IRun, nodeName: string): NodeResult {
	const { runData, error } = run.data.resultData;
	const task = runData[nodeName]?.at(-1);
	return {
		items: readOutput(task, 0),
		errorItems: readOutput(task, 1),
		error: task?.error ?? error,
		run,
	};
}

/** A workflow as n8n exports it; only what is needed to run it. */
export type ExportedWorkflow = Pick<Workflow, 'name'> & {
	nodes: INode[];
	connections: Workflow['connectionsBySourceNode'];
};

/** Runs an exported workflow from its manual trigger, with these credentials; returns why it failed. */
export async function runWorkflow(
	exported: Omit<ExportedWorkflow, 'name'>,
	options: { credentials: CredentialData },
): Promise<{ error?: ExecutionError }> {
	const types = ownTypes();
	const store = CredentialStore.of(options.credentials);
	const { nodes, connections } = structuredClone(exported);
	for (const node of nodes) {
		node.credentials = buildCredentials(types, node.type, node.typeVersion, store);
	}
	const startNode = nodes.find(({ type }) => type === MANUAL_TRIGGER);
	if (startNode === undefined) throw new n8n.UserError('The workflow has no manual trigger');
	const workflow = buildWorkflow(types, { nodes, connections });
	const { data } = await execute(types, workflow, store, startNode, [{ json: {} }]);
	return data.resultData;
}
