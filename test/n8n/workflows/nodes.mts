import { randomUUID } from 'node:crypto';
import type { IConnections, INode, INodeParameters } from 'n8n-workflow';
import { CREDENTIAL } from '../../support/world/credentials.mts';
import { PACKAGE } from '../process/community.mts';
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
	const connections: IConnections = {};
	for (const [index, { name: next }] of nodes.slice(1).entries())
		connections[nodes[index]?.name ?? ''] = { main: [[{ node: next, type: 'main', index: 0 }]] };
	const placed = nodes.map((node, index) => ({
		...node,
		position: [index * BETWEEN_NODES, 0] as [number, number],
	}));
	return { name, nodes: placed, connections, settings: { executionOrder: 'v1' } };
}

/** Whether a node is of this package, as a node or as a tool. */
export function isOwnNode({ type }: INode): boolean {
	return type.startsWith(`${PACKAGE}.`);
}

/** The node with the credential to use. */
export function withCredential(node: INode, id: string): INode {
	return { ...node, credentials: { [CREDENTIAL]: { id, name: 'Engagement Uploads' } } };
}
