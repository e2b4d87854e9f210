import type {
	ExecutionError,
	IDataObject,
	INode,
	INodeExecutionData,
	IRun,
	IWorkflowBase,
} from 'n8n-workflow';

import {
	buildAdditionalData,
	EXECUTION_ID,
	prepare,
	buildWorkflow,
	type NodeSetup,
} from './base.mts';
import { core } from './n8n.mts';
import { assertNoSecrets, assertNoSecretsIn } from './secrets.mts';
import { NO_OP } from './types.mts';

const FEEDER = 'Items';

/** One node, its input items, and what happens on an error. */
export interface NodeRun extends NodeSetup {
	/** Input items, or their `json`; one empty item by default. */
	items?: Array<INodeExecutionData | IDataObject>;
	/** How often the node runs in the execution, as in a loop; once by default. */
	times?: number;
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
	const to = { node: node.name, type: 'main' as const, index: 0 };
	const workflow = buildWorkflow(types, {
		id: setup.workflowId,
		nodes: [feeder, node],
		connections: { [FEEDER]: { main: [Array(setup.times ?? 1).fill(to)] } },
		timezone: setup.timezone,
	});
	const workflowData = { id: workflow.id, name: workflow.name } as IWorkflowBase;
	const hooks = new core.ExecutionLifecycleHooks('trigger', EXECUTION_ID, workflowData);
	const additionalData = buildAdditionalData(types, store, { hooks });
	const data = { main: [(setup.items ?? [{}]).map(toItem)] };
	const given = { startTime: Date.now(), executionTime: 0, executionIndex: 0, source: [], data };
	const execution = new core.WorkflowExecute(additionalData, 'trigger').run({
		workflow,
		startNode: feeder,
		triggerToStartFrom: { name: FEEDER, data: given },
	});
	const done = execution.then((run) => {
		const result = readResult(run, node.name);
		assertNoSecrets(result.error, store);
		assertNoSecretsIn(result.items, store);
		return result;
	});
	return { done, cancel: () => execution.cancel() };
}

function toItem(item: INodeExecutionData | IDataObject): INodeExecutionData {
	const isItem = typeof item.json === 'object' && item.json !== null;
	return (isItem ? item : { json: item }) as INodeExecutionData;
}

function readResult(run: IRun, nodeName: string): NodeResult {
	const { runData, error } = run.data.resultData;
	const task = runData[nodeName]?.at(-1);
	const [items, errorItems] = task?.data?.main ?? [];
	return { items: items ?? [], errorItems: errorItems ?? [], error: task?.error ?? error, run };
}
