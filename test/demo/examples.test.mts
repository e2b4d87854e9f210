import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { validateWorkflow, type WorkflowJSON } from '@n8n/workflow-sdk';
import type { INode, INodeTypes } from 'n8n-workflow';

import { n8n } from '../support/engine/n8n.mts';
import type { ExportedWorkflow } from '../support/engine/run.mts';
import { ownTypes, PACKAGE, type EngineTypes } from '../support/engine/types.mts';

const FILES = readdirSync('examples').map((file) => path.basename(file, '.json'));
const STICKY_NOTE = 'n8n-nodes-base.stickyNote';

/** An example workflow as it is imported into n8n. */
const readExample = (file: string) =>
	JSON.parse(readFileSync(`examples/${file}.json`, 'utf8')) as ExportedWorkflow;

describe.each(FILES)('examples/%s.json', (file) => {
	const example = readExample(file);
	const { nodes, name } = example;

	it('has a name and notes, and contains no credentials', () => {
		expect(name).toMatch(/\w/);
		expect(nodes.filter(({ type }) => type === STICKY_NOTE).length).toBeGreaterThan(1);
		expect(nodes.filter((node) => node.credentials !== undefined)).toEqual([]);
	});

	it("uses this package's nodes with existing parameters", async () => {
		const types = await ownTypes();
		const ours = nodes.filter(({ type }) => type.startsWith(PACKAGE));
		expect(ours).not.toEqual([]);
		for (const node of ours) checkParameters(types, node);
	});

	it('has nothing that n8n finds wrong', async () => {
		expect(await problemsOf(example)).toEqual([]);
	});
});

it('n8n would find a node that nothing leads to', async () => {
	const { connections, ...example } = readExample('onboard-customer');
	const [first = ''] = Object.keys(connections);
	const others = Object.fromEntries(Object.entries(connections).filter(([name]) => name !== first));
	expect(await problemsOf({ ...example, connections: others })).not.toEqual([]);
});

function checkParameters(types: EngineTypes, node: INode): void {
	const { description } = types.getByNameAndVersion(node.type, node.typeVersion);
	// n8n adds the poll times to every polling node itself.
	const { pollTimes: _, ...given } = node.parameters;
	const { properties } = description;
	const known = n8n.NodeHelpers.getNodeParameters(
		properties,
		given,
		true,
		false,
		node,
		description,
	);
	expect(known).toMatchObject(given);
	expect(n8n.NodeHelpers.getNodeParametersIssues(properties, node, description)).toBeNull();
}

/** What the function finds with which n8n's workflow builder and its agents check workflows. */
async function problemsOf(workflow: object): Promise<string[]> {
	const own = await ownTypes();
	// n8n's builder, too, meets types that it does not know.
	const ifOwn = (name: string, version?: number) =>
		name.startsWith(PACKAGE) ? own.getByNameAndVersion(name, version) : undefined;
	const nodeTypesProvider = {
		getByName: (name) => ifOwn(name),
		getByNameAndVersion: ifOwn,
		getKnownTypes: () => own.getKnownTypes(),
	} as INodeTypes;
	const options = { nodeTypesProvider, validateSchema: true };
	const { errors, warnings } = validateWorkflow(workflow as WorkflowJSON, options);
	return [...errors, ...warnings].map(({ message }) => message);
}
