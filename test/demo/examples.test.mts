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
const TRIGGER = `${PACKAGE}.engagementUploadsTrigger`;
const FIVE_MINUTES = { mode: 'everyX', value: 5, unit: 'minutes' };
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

	it('is laid out so that nothing overlaps', () => {
		expect(overlapping(nodes)).toEqual([]);
	});

	it('polls every five minutes, if it polls', () => {
		for (const { parameters } of nodes.filter(({ type }) => type === TRIGGER))
			expect(parameters.pollTimes).toEqual({ item: [FIVE_MINUTES] });
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

/** The width and height of a node on the canvas; a note has its own. */
const NODE_SIZE = 100;

/** The pairs of nodes and notes of which one covers the other. */
function overlapping(nodes: INode[]): string[] {
	const boxes = nodes.map(({ name, position: [x, y], parameters }) => {
		const { width = NODE_SIZE, height = NODE_SIZE } = parameters;
		return { name, left: x, top: y, right: x + Number(width), bottom: y + Number(height) };
	});
	return boxes.flatMap((one, index) =>
		boxes
			.slice(index + 1)
			.filter((other) => one.left < other.right && other.left < one.right)
			.filter((other) => one.top < other.bottom && other.top < one.bottom)
			.map((other) => `${one.name} and ${other.name}`),
	);
}
