/** Collections that programs and models may also write as JSON text, or as an expression. */
import type { INodeProperties } from 'n8n-workflow';

/** n8n compares an object with a text by this, its text. */
const OBJECT = String({});
const isObject = { _cnd: { between: { from: OBJECT, to: OBJECT } } };

/**
 * A hidden parameter for each collection, of the same name, to stand after all others. Where anything
 * but an object stands in a collection, n8n would put an empty collection in its place before the
 * node runs, and filters would be ignored without a word. The hidden parameter, which n8n reads later
 * and only then, keeps what stands there, for the node to read or refuse.
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
