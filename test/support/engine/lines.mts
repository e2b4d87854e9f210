/** What older lines of n8n call otherwise in their engines; nothing else in the harness knows of it. */
import type { Workflow } from 'n8n-workflow';

import { core } from './n8n.mts';

type WorkflowExecute = InstanceType<typeof core.WorkflowExecute>;
type Start = Parameters<WorkflowExecute['run']>[0];

/** Runs a workflow from a node. Before 2.0 the engine took what it was told one by one. */
export function runFrom(
	execution: WorkflowExecute,
	start: Start,
): ReturnType<WorkflowExecute['run']> {
	const { workflow, startNode, destinationNode, pinData, triggerToStartFrom } = start;
	const given =
		execution.run.length > 1
			? [workflow, startNode, destinationNode, pinData, triggerToStartFrom]
			: [start];
	return Reflect.apply(execution.run, execution, given) as ReturnType<WorkflowExecute['run']>;
}

/** Runs a node where its expressions can be evaluated: not every line prepares for that. */
export async function withExpressions<T>(
	expression: Workflow['expression'],
	run: () => Promise<T>,
): Promise<T> {
	return 'withIsolate' in expression ? await expression.withIsolate(run) : await run();
}
