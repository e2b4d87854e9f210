import type { IDataObject } from 'n8n-workflow';
import type { Execution } from '../workflows/rest.mts';
import type { Template } from '../process/sandbox.mts';

/** The environment variable that passes the template to the test files. */
export const TEMPLATE_VARIABLE = 'ENGAGEMENT_UPLOADS_N8N_TEMPLATE';

/** The template that `test.mts` made for all test files. */
export function template(): Template {
	return JSON.parse(process.env[TEMPLATE_VARIABLE] ?? '');
}

/** Opens something before the tests of a file or a block, and closes it after them. */
export function useOpened(open: () => Promise<{ close(): Promise<void> }>): void {
	let opened: Awaited<ReturnType<typeof open>> | undefined;
	beforeAll(async () => {
		opened = await open();
	});
	afterAll(async () => await opened?.close());
}

/** The records of a node's last run, at its first output or another; none if it did not run, or failed. */
export function listOutput(
	{ runData }: Pick<Execution, 'runData'>,
	node: string,
	output = 0,
): IDataObject[] {
	return (runData[node]?.at(-1)?.data?.main?.[output] ?? []).map(({ json }) => json);
}

/** The same of a node that must have run. @throws the node's error */
export function listRecords(
	execution: Pick<Execution, 'runData' | 'error'>,
	node: string,
): IDataObject[] {
	const { runData, error } = execution;
	const run = runData[node]?.at(-1);
	if (run === undefined) throw new Error(`${node} did not run: ${error?.message ?? 'no error'}`);
	if (run.error) throw run.error;
	return listOutput(execution, node);
}
