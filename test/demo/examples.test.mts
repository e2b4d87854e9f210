import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { validateWorkflow, type WorkflowJSON } from '@n8n/workflow-sdk';
import type { INode, IWorkflowBase } from 'n8n-workflow';

import { n8n } from '../support/engine/n8n.mts';
import { ownTypes, PACKAGE, type EngineTypes } from '../support/engine/types.mts';

const FILES = readdirSync('examples')
	.filter((file) => file.endsWith('.json'))
	.map((file) => path.basename(file, '.json'));
const END_TO_END = 'test/n8n/e2e';
const TESTS_OF_EXAMPLES = readdirSync(END_TO_END)
	.filter((name) => /examples\.test/i.test(name))
	.map((name) => readFileSync(path.join(END_TO_END, name), 'utf8'))
	.join('\n');
const WRITES_TO_CUSTOMERS = ['chase-customers', 'onboard-customers'];
const STICKY_NOTE = 'n8n-nodes-base.stickyNote';

describe.each(FILES)('examples/%s.json', (file) => {
	const example = JSON.parse(readFileSync(`examples/${file}.json`, 'utf8')) as IWorkflowBase;
	const { nodes, name } = example;

	it('has a name and notes, and contains no credentials', () => {
		expect(name).toMatch(/\w/);
		expect(nodes.filter(({ type }) => type === STICKY_NOTE).length).toBeGreaterThan(1);
		expect(nodes.filter((node) => node.credentials !== undefined)).toEqual([]);
	});

	it("uses this package's nodes with existing parameters", () => {
		const types = ownTypes();
		for (const node of nodes) if (node.type.startsWith(PACKAGE)) checkParameters(types, node);
	});

	it('says that its emails are real, and has none to customers until its addresses are replaced', () => {
		const emails = nodes.filter(({ type }) => type === 'n8n-nodes-base.emailSend');
		if (emails.length === 0) return;
		expect(nodes[0]?.parameters.content).toMatch(/\*\*[^*]*real emails/);
		expect(nodes.some((node) => node.name === 'Replace the Addresses')).toBe(
			WRITES_TO_CUSTOMERS.includes(file),
		);
	});

	it('is in the list of examples, under its title, and in the README', () => {
		const list = readFileSync('examples/README.md', 'utf8');
		expect(list).toContain(`### ${name}\n\n[${file}](${file}.json)`);
		expect(readFileSync('README.md', 'utf8')).toContain(`](examples/${file}.json)`);
	});

	it('is run in the real n8n', () => {
		expect(TESTS_OF_EXAMPLES).toContain(`'${file}.json'`);
	});

	it('has nothing that the check of n8n’s workflow builder finds, such as a loose node', () => {
		const { errors, warnings } = validateWorkflow(example as WorkflowJSON);
		expect([...errors, ...warnings].map(({ message }) => message)).toEqual([]);
	});
});

function checkParameters(types: EngineTypes, node: INode): void {
	const { description } = types.getByNameAndVersion(node.type, node.typeVersion);
	const { getNodeParameters, getNodeParametersIssues } = n8n.NodeHelpers;
	// n8n adds the poll times to every polling node itself.
	const { pollTimes: _, ...given } = node.parameters;
	const { properties } = description;
	expect(getNodeParameters(properties, given, true, false, node, description)).toMatchObject(given);
	expect(getNodeParametersIssues(properties, node, description)).toBeNull();
}
