/** The workflow “Start here”, which tells those who have logged in what to try; it is on top of the list. */
import { readFileSync } from 'node:fs';
import type { INode } from 'n8n-workflow';
import { WHAT_TO_EXPECT } from '../../support/service/keepUploading.mts';
import { notableCustomers } from '../../support/service/sampleStatuses.mts';
import type { SandboxParts } from '../process/sandbox.mts';
import { PAGE_LOGIN } from '../workflows/examples.mts';
import { ACTION_NODE, chain, isOwnNode, makeNode, manualTrigger } from '../workflows/nodes.mts';
import type { SavedWorkflow, WorkflowInput } from '../workflows/rest.mts';

/** The name of the workflow. */
export const START_HERE = 'Start here';

const ABOVE = { x: -80, y: -220, width: 1280, height: 180 };
const LEFT = { x: -80, y: 160, width: 560, height: 700 };
const RIGHT = { x: 520, y: 160, width: 680, height: 700 };

type Parts = Pick<SandboxParts, 'n8n' | 'service'>;

/** The workflow, with links to the other ones, and with their credential. */
export function startHere(
	parts: Parts,
	saved: ReadonlyArray<Pick<SavedWorkflow, 'id' | 'name' | 'nodes'>>,
): WorkflowInput {
	const link = (example: string) => {
		const { name }: { name: string } = JSON.parse(readFileSync(`examples/${example}.json`, 'utf8'));
		const { id } = saved.find((each) => each.name === name) ?? {};
		return `[${name}](${parts.n8n.url}/workflow/${id})`;
	};
	const { credentials } = saved.flatMap(({ nodes }) => nodes).find(isOwnNode) ?? {};
	const parameters = {
		resource: 'engagement',
		operation: 'getStatus',
		dataStatuses: ['never', 'failed', 'stuck', 'stale'],
	};
	const workflow = chain(START_HERE, [
		manualTrigger(),
		makeNode('Get Data Status', ACTION_NODE, parameters, { credentials }),
	]);
	const notes = [
		note('Start Here', welcome(parts), ABOVE),
		note('Guide 1', whatToTry(parts, link), LEFT),
		note('Guide 2', whatHappens(parts), RIGHT),
	];
	return { ...workflow, nodes: [...workflow.nodes, ...notes] };
}

function welcome({ service }: Parts): string {
	const customers = service.model.engagements.all.length;
	return `## Start here

This n8n comes with a simulated service, which has ${customers} customers, a credential for it, and all example workflows. Nothing leaves this computer: what they email or post appears in the terminal.

**Click Execute workflow, then double-click Get Data Status**: it shows the customers whose data is missing or stale, or whose last upload failed or is stuck.`;
}

function whatToTry({ n8n: { url } }: Parts, link: (example: string) => string): string {
	const { user, password } = PAGE_LOGIN;
	return `**Open these first, and click “Execute workflow”:**

- ${link('weekly-digest')}: whose data is stale or missing; the emails appear in the terminal

**Publish these to see them work by themselves:**

- ${link('status-page')}: open ${url}/webhook/data-status (user name ${user}, password ${password})
- ${link('onboarding-form')}: open ${url}/form/onboarding
- ${link('uploads-table')}: within about six minutes, its Executions tab shows a run, and the Data Table (Overview → Data tables) its first rows
- ${link('alert-uploads')}: within about ten minutes, an email appears in the terminal`;
}

function whatHappens({ service }: Parts): string {
	const [customers, ...notable] = notableCustomers(service.model);
	return `**What happens meanwhile:**

- ${WHAT_TO_EXPECT}
- Upload > Start returns the link for the customer: its upload waits until you open it.

**${customers}**

${notable.map((line) => line.replace(/^ */, '- ')).join('\n')}`;
}

function note(name: string, content: string, { x, y, ...size }: typeof ABOVE): INode {
	const parameters = { content, ...size };
	return makeNode(name, 'n8n-nodes-base.stickyNote', parameters, { position: [x, y] });
}
