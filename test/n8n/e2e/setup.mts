import type { INodeExecutionData } from 'n8n-workflow';
import type { Execution } from '../rest.mts';
import type { Template } from '../stage.mts';

/** How the test files learn what was made for them. */
export const TEMPLATE_VARIABLE = 'ENGAGEMENT_UPLOADS_N8N_TEMPLATE';

/** What `test.mts` made for all test files. */
export function template(): Template {
	return JSON.parse(process.env[TEMPLATE_VARIABLE] ?? '');
}

/** The items that a node gave in its last run, by output. @throws the node's error */
export function outputsOf(execution: Execution, node: string): INodeExecutionData[][] {
	const run = execution.runData[node]?.at(-1);
	if (run === undefined) {
		throw new Error(`${node} has not run: ${execution.error?.message ?? execution.status}`);
	}
	if (run.error) throw run.error;
	return (run.data?.main ?? []).map((items) => items ?? []);
}

/** The records that a node gave at its first output. @throws the node's error */
export function recordsOf(execution: Execution, node: string): INodeExecutionData['json'][] {
	return (outputsOf(execution, node)[0] ?? []).map(({ json }) => json);
}
