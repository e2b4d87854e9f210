import { isObject } from '../../nodes/EngagementUploads/values/objects.ts';

/** Where the editor looks for previews; its folders are named after versions of the nodes. */
export const FOLDER = 'nodes/EngagementUploads/__schema__';

/** The part of JSON Schema that n8n's output previews use. */
export interface Schema {
	type?: string;
	properties?: Record<string, Schema>;
	items?: Schema;
}

/** The schema that all values match; null is ignored, since any value may be null. */
export function schemaOf(values: unknown[]): Schema {
	const objects = values.filter(isObject);
	const lists = values.filter((value) => Array.isArray(value));
	return {
		...(values.length > 0 && { type: commonType(values) }),
		...(objects.length > 0 && { properties: propertiesOf(objects) }),
		...(lists.length > 0 && { items: schemaOf(lists.flat()) }),
	};
}

function propertiesOf(objects: Array<Record<string, unknown>>): Record<string, Schema> {
	const names = [...new Set(objects.flatMap((object) => Object.keys(object)))];
	const present = (name: string) => objects.filter((object) => name in object);
	return Object.fromEntries(
		names.map((name) => [name, schemaOf(present(name).map((object) => object[name]))]),
	);
}

/** The editor shows one type per field. */
function commonType(values: unknown[]): string {
	const types = [...new Set(values.map(typeOf))].filter((type) => type !== 'null');
	if (types.length === 0) return 'null';
	if (types.length === 1) return types[0] as string;
	return types.every((type) => type === 'integer' || type === 'number') ? 'number' : 'string';
}

function typeOf(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
	return typeof value;
}
