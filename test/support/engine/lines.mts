/** Features that older lines of n8n lack or name differently. Nothing else in the harness depends on the line. */
import type { Workflow } from 'n8n-workflow';

import { core, OLDER_LINE } from './n8n.mts';

/** n8n has had poll budgets and durable polling since 2.38: of the lines under test, only the newest does. */
export const HAS_POLL_BUDGETS = OLDER_LINE === undefined;

/** Thrown by a test of something that this line lacks: test/lines/environment.js then skips it. */
class LineLacks extends Error {
	override name = 'LineLacks';
}

/** Skips a test that needs poll budgets if this line of n8n lacks them. */
export function needsPollBudgets(): void {
	if (!HAS_POLL_BUDGETS) throw new LineLacks('This line of n8n has no poll budgets');
}

/** Skips a long test in older lines of n8n, since its result does not depend on n8n. */
export function onlyInNewestLine(): void {
	if (OLDER_LINE !== undefined) throw new LineLacks('This test runs in the newest line only');
}

type WorkflowExecute = InstanceType<typeof core.WorkflowExecute>;
type Start = Parameters<WorkflowExecute['run']>[0];

/** Runs a workflow from a node. Before 2.0, the engine took its options as separate arguments. */
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

/** Runs a node so that its expressions can be evaluated, for which not every line prepares. */
export async function withExpressions<T>(
	expression: Workflow['expression'],
	run: () => Promise<T>,
): Promise<T> {
	return 'withIsolate' in expression ? await expression.withIsolate(run) : await run();
}
