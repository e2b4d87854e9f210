/** Rejects collections that contain something else, such as text. */
import type { INodeProperties } from 'n8n-workflow';

/**
 * A notice for each collection whose value is not an object. n8n replaces such a value by an empty
 * object before the node runs, and filters would be silently ignored. But it keeps values by name,
 * and a notice is read after the collections and only if it is shown: so the value reaches the
 * node, which rejects it.
 */
export function collectionNotices(properties: INodeProperties[]): INodeProperties[] {
	const collections = properties.filter(
		({ type }) => type === 'collection' || type === 'fixedCollection',
	);
	const labels = new Map(collections.map(({ name, displayName }) => [name, displayName]));
	return [...labels].map(([name, label]) => ({
		displayName: `The value of ${label} is not an object, so the node cannot run. Clear it, then add the fields again.`,
		name,
		type: 'notice',
		default: {},
		displayOptions: { hide: { [`/${name}.constructor.name`]: ['Object'] } },
	}));
}
