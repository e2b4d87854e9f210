import { randomUUID } from 'node:crypto';
import type { IConnections, INode, INodeParameters } from 'n8n-workflow';
import { CREDENTIAL } from '../support/credentials.mts';
import { PACKAGE } from './community.mts';
import type { WorkflowInput } from './rest.mts';

/** Node types as n8n names those of a community package. */
export const ACTION_NODE = `${PACKAGE}.engagementUploads`;
export const TRIGGER_NODE = `${PACKAGE}.engagementUploadsTrigger`;

/** The trigger of workflows that are run by a person or a test. */
export const MANUAL = 'Manual';

const BETWEEN_NODES = 220;

/** A node with the defaults of a new one, unless given otherwise. */
export function makeNode(
	name: string,
	type: string,
	parameters: INodeParameters = {},
	more: Partial<INode> = {},
): INode {
	return { id: randomUUID(), name, type, typeVersion: 1, position: [0, 0], parameters, ...more };
}

/** The trigger of a manual execution. */
export function manualTrigger(): INode {
	return makeNode(MANUAL, 'n8n-nodes-base.manualTrigger');
}

/** A node of this package, with its credential. */
export function actionNode(name: string, parameters: INodeParameters, credentialId: string): INode {
	return withCredential(makeNode(name, ACTION_NODE, parameters), credentialId);
}

/** A workflow in which each node feeds the next. */
export function chain(name: string, nodes: INode[]): WorkflowInput {
	const links = nodes.slice(1).map((node, index): Link => [nodes[index]?.name ?? '', node.name]);
	return makeWorkflow(name, nodes, links);
}

/** Whether a node is of this package, as a node or as a tool. */
export function isOwnNode({ type }: INode): boolean {
	return type.startsWith(`${PACKAGE}.`);
}

/** The node with the credential to use. */
export function withCredential(node: INode, id: string): INode {
	return { ...node, credentials: { [CREDENTIAL]: { id, name: 'Engagement Uploads' } } };
}

/** A link from one node to another, from its first output by default. */
type Link = readonly [from: string, to: string, output?: number];

/** A workflow of these nodes and links. */
export function makeWorkflow(name: string, nodes: INode[], links: readonly Link[]): WorkflowInput {
	const connections: IConnections = {};
	for (const [from, to, output = 0] of links) {
		const { main = [] } = (connections[from] ??= { main: [] });
		while (main.length <= output) main.push([]);
		main[output]?.push({ node: to, type: 'main', index: 0 });
	}
	const placed = nodes.map((node, index) => ({
		...node,
		position: [index * BETWEEN_NODES, 0] as [number, number],
	}));
	return { name, nodes: placed, connections, settings: { executionOrder: 'v1' } };
}
