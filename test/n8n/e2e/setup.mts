import type { INodeExecutionData } from 'n8n-workflow';
import type { Execution } from '../rest.mts';
import type { Template } from '../stage.mts';

/** How the test files learn what was made for them. */
export const TEMPLATE_VARIABLE = 'ENGAGEMENT_UPLOADS_N8N_TEMPLATE';

/** What `test.mts` made for all test files. */
export function template(): Template {
	return JSON.parse(process.env[TEMPLATE_VARIABLE] ?? '');
}

/** What is looked at of an execution. */
export type Outcome = Pick<Execution, 'runData' | 'error'>;

/** The items that a node gave in its last run, by output. @throws the node's error */
export function outputsOf(execution: Outcome, node: string): INodeExecutionData[][] {
	const run = execution.runData[node]?.at(-1);
	if (run === undefined) {
		throw new Error(`${node} has not run: ${execution.error?.message ?? 'without an error'}`);
	}
	if (run.error) throw run.error;
	return (run.data?.main ?? []).map((items) => items ?? []);
}

/** The records that a node gave at its first output. @throws the node's error */
export function recordsOf(execution: Outcome, node: string): INodeExecutionData['json'][] {
	return (outputsOf(execution, node)[0] ?? []).map(({ json }) => json);
}
