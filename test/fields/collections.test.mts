import { NodeHelpers, type INode, type INodeParameters } from 'n8n-workflow';

import { EngagementUploads } from '../../nodes/EngagementUploads/EngagementUploads.node.ts';
import { EngagementUploadsTrigger } from '../../nodes/EngagementUploads/EngagementUploadsTrigger.node.ts';
import { operations } from '../../nodes/EngagementUploads/actions/operations.ts';
import { events } from '../../nodes/EngagementUploads/trigger/events/index.ts';

const action = new EngagementUploads().description;
const trigger = new EngagementUploadsTrigger().description;

/** The notices that the editor shows for a node with these parameters, and defaults for the others. */
function noticesFor(description: typeof action, entered: INodeParameters): string[] {
	const node = { typeVersion: 1, parameters: entered } as unknown as INode;
	const { properties } = description;
	const values = NodeHelpers.getNodeParameters(properties, entered, true, false, node, description);
	return properties
		.filter(({ type }) => type === 'notice')
		.filter((notice) => NodeHelpers.displayParameter(values ?? {}, notice, node, description))
		.map(({ displayName }) => displayName);
}

it.each(operations)('$resource $operation shows no notice by itself', ({ resource, operation }) => {
	expect(noticesFor(action, { resource, operation })).toEqual([]);
});

it.each(events)('$name shows no notice by itself', ({ value }) => {
	expect(noticesFor(trigger, { event: value })).toEqual([]);
});
