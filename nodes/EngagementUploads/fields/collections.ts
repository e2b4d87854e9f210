/** Collections that can also be given as JSON text or as an expression. */
import type { INodeProperties } from 'n8n-workflow';

/** A collection; `placeholder` is the label of the button that adds a field. */
export function collectionField(
	displayName: string,
	name: string,
	placeholder: string,
	options: INodeProperties[],
): INodeProperties {
	return { displayName, name, type: 'collection', placeholder, default: {}, options };
}

/** n8n uses this text when it compares the object with a string. */
const OBJECT = String({});
const isObject = { _cnd: { between: { from: OBJECT, to: OBJECT } } };

/**
 * A hidden parameter for each collection, with the same name, after all others. If a collection
 * contains anything but an object, n8n would replace it with an empty one before the node runs, and
 * filters would be silently ignored. The hidden parameter, which n8n reads later and only then,
 * keeps the value, so that the node can parse or reject it.
 */
export function textCollections(fields: INodeProperties[]): INodeProperties[] {
	const collections = fields.filter(
		({ type }) => type === 'collection' || type === 'fixedCollection',
	);
	const byName = new Map(collections.map(({ name, displayName }) => [name, displayName]));
	return [...byName].map(([name, displayName]) => ({
		displayName,
		name,
		type: 'hidden',
		default: {},
		displayOptions: { hide: { [`/${name}`]: [isObject] } },
	}));
}
