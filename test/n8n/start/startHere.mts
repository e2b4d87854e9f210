/** The workflow “Start here”, which those who have logged in find on top of the list. */
import type { INode } from 'n8n-workflow';
import type { SandboxParts } from '../process/sandbox.mts';
import { ACTION_NODE, chain, isOwnNode, makeNode, manualTrigger } from '../workflows/nodes.mts';
import type { SavedWorkflow, WorkflowInput } from '../workflows/rest.mts';
import { guide, START_HERE } from './guide.mts';

const ABOVE = { x: -80, y: -220, width: 1280, height: 180 };
const BELOW = [
	{ x: -80, y: 160, width: 560, height: 700 },
	{ x: 520, y: 160, width: 680, height: 700 },
];

/** The workflow, with links to the other ones, and with their credential. */
export function startHere(
	parts: SandboxParts,
	saved: ReadonlyArray<Pick<SavedWorkflow, 'id' | 'name' | 'nodes'>>,
): WorkflowInput {
	const link = (name: string) => {
		const { id } = saved.find((each) => each.name === name) ?? {};
		return id === undefined ? `“${name}”` : `[${name}](${parts.n8n.url}/workflow/${id})`;
	};
	const [first = '', second = '', ...rest] = guide(parts, link).map(({ title, lines }) =>
		[`**${title}**`, '', ...lines.map(toMarkdown)].join('\n'),
	);
	const notes = [`${first}\n\n${second}`, rest.join('\n\n')];
	const { credentials } = saved.flatMap(({ nodes }) => nodes).find(isOwnNode) ?? {};
	const parameters = {
		resource: 'engagement',
		operation: 'getStatus',
		returnAll: true,
		dataStatuses: ['never', 'failed', 'stuck', 'stale'],
	};
	const workflow = chain(START_HERE, [
		manualTrigger(),
		makeNode('Get Data Status', ACTION_NODE, parameters, { credentials }),
	]);
	const customers = parts.service.model.engagements.all.length;
	return {
		...workflow,
		nodes: [
			...workflow.nodes,
			note('Start Here', welcome(customers), ABOVE),
			...BELOW.map((place, index) => note(`Guide ${index + 1}`, notes[index] ?? '', place)),
		],
	};
}

function welcome(customers: number): string {
	return [
		'## Start here',
		`This n8n comes with a simulated service, which has ${customers} customers, a credential for it, and all example workflows. Nothing leaves this computer: what they email or post appears in the terminal.`,
		'**Click Execute workflow, then double-click Get Data Status**: it shows the customers whose data is missing or old, or whose last upload failed or is stuck.',
	].join('\n\n');
}

/** A line of the terminal, as Markdown. */
function toMarkdown(line: string): string {
	return line.replace(/^ +/, '- ').replace(/curl .*/, '`$&`');
}

interface Place {
	x: number;
	y: number;
	width: number;
	height: number;
}

function note(name: string, content: string, { x, y, width, height }: Place): INode {
	const parameters = { content, width, height };
	return makeNode(name, 'n8n-nodes-base.stickyNote', parameters, { position: [x, y] });
}
