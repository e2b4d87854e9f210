import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { validateWorkflow, type WorkflowJSON } from '@n8n/workflow-sdk';
import type { INode, INodeTypes } from 'n8n-workflow';

import { n8n } from '../support/engine/n8n.mts';
import type { ExportedWorkflow } from '../support/engine/run.mts';
import { ownTypes, PACKAGE, type EngineTypes } from '../support/engine/types.mts';

const FILES = readdirSync('examples')
	.filter((file) => file.endsWith('.json'))
	.map((file) => path.basename(file, '.json'));
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
		for (const node of nodes) if (node.type.startsWith(PACKAGE)) checkParameters(types, node);
	});

	it('is laid out so that nothing overlaps, and no wire crosses another or a note', () => {
		const wires = wiresIn(example);
		expect(overlapping(nodes)).toEqual([]);
		expect(crossing(wires, wires)).toEqual([]);
		expect(crossing(wires, nodes.flatMap(diagonalsIn))).toEqual([]);
	});

	it('is in the list of examples, with a picture, and in the README', () => {
		const picture = `docs/examples/${file}.png`;
		const list = readFileSync('examples/README.md', 'utf8');
		expect(list).toContain(`[${file}](${file}.json)`);
		expect(list).toContain(`src="../${picture}"`);
		expect(existsSync(picture)).toBe(true);
		expect(readFileSync('README.md', 'utf8')).toContain(`[${file}](examples/${file}.json)`);
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

type Point = readonly [x: number, y: number];

interface Line {
	name: string;
	start: Point;
	end: Point;
}

/** The wires of a workflow, as if they were straight; those that run back are not looked at. */
function wiresIn({ nodes, connections }: ExportedWorkflow): Line[] {
	const at = (name: string): Point => nodes.find((node) => node.name === name)?.position ?? [0, 0];
	const wires = Object.entries(connections).flatMap(([from, { main = [] }]) =>
		main.flatMap((targets, output) =>
			(targets ?? []).map(({ node: to }) => {
				const [[x, y], [toX, toY]] = [at(from), at(to)];
				const start: Point = [x + NODE_SIZE, y + NODE_SIZE / 2 + output];
				return { name: `${from} → ${to}`, start, end: [toX, toY + NODE_SIZE / 2] as Point };
			}),
		),
	);
	return wires.filter(({ start, end }) => start[0] < end[0]);
}

/** The two diagonals of a note, of which a wire behind it crosses one; none for other nodes. */
function diagonalsIn({ name, type, position: [x, y], parameters }: INode): Line[] {
	if (type !== STICKY_NOTE) return [];
	const [right, bottom] = [x + Number(parameters.width), y + Number(parameters.height)];
	return [
		{ name, start: [x, y], end: [right, bottom] },
		{ name, start: [x, bottom], end: [right, y] },
	];
}

/** The pairs of lines, one from each list, that cross. */
function crossing(lines: Line[], others: Line[]): string[] {
	return lines.flatMap((one) =>
		others.filter((other) => doCross(one, other)).map((other) => `${one.name} and ${other.name}`),
	);
}

/** Whether two lines cross between their ends; a common end is no crossing. */
function doCross(one: Line, other: Line): boolean {
	const side = ([ax, ay]: Point, [bx, by]: Point, [x, y]: Point) =>
		Math.sign((bx - ax) * (y - ay) - (by - ay) * (x - ax));
	return (
		side(one.start, one.end, other.start) * side(one.start, one.end, other.end) < 0 &&
		side(other.start, other.end, one.start) * side(other.start, other.end, one.end) < 0
	);
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
