/* n8n's workflow builder and its agents check workflows with the function that is used here. */

import { readdirSync } from 'node:fs';
import { validateWorkflow, type WorkflowJSON } from '@n8n/workflow-sdk';
import type { INodeTypes } from 'n8n-workflow';

import { ownTypes, PACKAGE } from '../support/engine/types.mts';
import { readExample } from './workflows.mts';

const EXAMPLES = readdirSync('examples').map((name) => name.replace(/\.json$/, ''));

/** This package's own types; n8n's builder, too, meets types that it does not know. */
async function nodeTypesProvider(): Promise<INodeTypes> {
	const own = await ownTypes();
	const ifOwn = (name: string, version?: number) =>
		name.startsWith(PACKAGE) ? own.getByNameAndVersion(name, version) : undefined;
	return {
		getByName: (name) => ifOwn(name),
		getByNameAndVersion: ifOwn,
		getKnownTypes: () => own.getKnownTypes(),
	} as INodeTypes;
}

async function problemsOf(workflow: object): Promise<string[]> {
	const options = { nodeTypesProvider: await nodeTypesProvider(), validateSchema: true };
	const { errors, warnings } = validateWorkflow(workflow as WorkflowJSON, options);
	return [...errors, ...warnings].map(({ message }) => message);
}

it.each(EXAMPLES)('n8n finds nothing wrong with the example %s', async (name) => {
	expect(await problemsOf(readExample(name))).toEqual([]);
});

it('n8n would find a node that nothing leads to', async () => {
	const example = readExample('last-uploads');
	expect(await problemsOf({ ...example, connections: {} })).not.toEqual([]);
});
