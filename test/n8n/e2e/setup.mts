import type { INodeExecutionData } from 'n8n-workflow';
import type { Execution } from '../rest.mts';
import type { Template } from '../sandbox.mts';

/** The environment variable that passes the template to the test files. */
export const TEMPLATE_VARIABLE = 'ENGAGEMENT_UPLOADS_N8N_TEMPLATE';

/** The template that `test.mts` made for all test files. */
export function template(): Template {
	return JSON.parse(process.env[TEMPLATE_VARIABLE] ?? '');
}

/** The part of an execution that is checked. */
export type Outcome = Pick<Execution, 'runData' | 'error'>;

/** The items of a node's last run, by output. @throws the node's error */
export function outputsOf(execution: Outcome, node: string): INodeExecutionData[][] {
	const run = execution.runData[node]?.at(-1);
	if (run === undefined) {
		throw new Error(`${node} did not run: ${execution.error?.message ?? 'no error'}`);
	}
	if (run.error) throw run.error;
	return (run.data?.main ?? []).map((items) => items ?? []);
}

/** The records at a node's first output. @throws the node's error */
export function recordsOf(execution: Outcome, node: string): INodeExecutionData['json'][] {
	return (outputsOf(execution, node)[0] ?? []).map(({ json }) => json);
}
