import type { INodeTypeDescription } from 'n8n-workflow';

/** The minimum that n8n needs to know about a node. */
export function describeNode(name: string, properties: INodeTypeDescription['properties']) {
	return {
		name,
		displayName: name,
		group: [],
		version: 1,
		description: '',
		defaults: { name },
		inputs: ['main'],
		outputs: ['main'],
		properties,
	} satisfies INodeTypeDescription;
}
