/** Plain objects and JSON. */
import type { IDataObject } from 'n8n-workflow';
import { describeKind, InputError, quote } from './inputError';
import { isEmpty } from './text';

export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** A JSON object, as text or from an expression; undefined if nothing was entered. */
export function parseObject(value: unknown, field: string): IDataObject | undefined {
	if (isEmpty(value)) return undefined;
	const object = typeof value === 'string' ? parseJson(value) : value;
	if (isObject(object)) return object;
	throw new InputError(
		object === undefined ? `${field} is not valid JSON` : `${field} is not a JSON object`,
		`Enter an object such as {"name": "value"} in ${field}`,
	);
}

/**
 * The fields of a collection. Unknown ones are an error, since a misspelt filter would otherwise
 * match everything.
 */
export function parseCollection(
	value: unknown,
	field: string,
	known: readonly string[] = [],
): IDataObject {
	const entered = isEmpty(value) ? {} : value;
	if (!isObject(entered)) {
		throw new InputError(
			`${field} contains ${describeKind(entered)} instead of fields`,
			`Add fields in ${field}, or use an expression that returns an object`,
		);
	}
	const unknown = Object.keys(entered).find((name) => known.length > 0 && !known.includes(name));
	if (unknown === undefined) return entered;
	throw new InputError(
		`${field} has no field ${quote(unknown)}`,
		`Use one or more of: ${known.join(', ')}`,
	);
}

/** Of a record dropped into a parameter, the first of these fields that it has; else the value. */
export function pickField(value: unknown, ...names: string[]): unknown {
	const found = isObject(value) && names.find((name) => Object.hasOwn(value, name));
	return isObject(value) && typeof found === 'string' ? value[found] : value;
}

/** Merges objects deeply; values of `over` take precedence. Neither object is changed. */
export function mergeDeep(
	base: IDataObject | undefined,
	over: IDataObject | undefined,
): IDataObject | undefined {
	if (base === undefined || over === undefined) return base ?? over;
	const merged: IDataObject = { ...base };
	for (const [name, above] of Object.entries(over)) {
		const below = Object.hasOwn(base, name) ? base[name] : undefined;
		const value = isObject(below) && isObject(above) ? mergeDeep(below, above) : above;
		Object.defineProperty(merged, name, { value, ...OWN_PROPERTY });
	}
	return merged;
}

/** A plain assignment to a field named `__proto__` would change the prototype instead. */
const OWN_PROPERTY = { writable: true, enumerable: true, configurable: true };

/**
 * The value of a field. A dotted name leads into nested objects, and through lists to a list of
 * values. A field whose own name contains the dot takes precedence.
 */
export function valueAt(value: unknown, name: string, anyCase = false): unknown {
	if (Array.isArray(value)) {
		const values = value
			.map((entry) => valueAt(entry, name, anyCase))
			.filter((entry) => entry !== undefined);
		return values.length > 0 ? values : undefined;
	}
	if (!isObject(value)) return undefined;
	const key = findKey(value, name, anyCase);
	if (key !== undefined) return value[key];
	const dot = name.indexOf('.');
	const outer = dot < 0 ? undefined : findKey(value, name.slice(0, dot), anyCase);
	return outer === undefined ? undefined : valueAt(value[outer], name.slice(dot + 1), anyCase);
}

function findKey(object: IDataObject, name: string, anyCase: boolean): string | undefined {
	if (Object.hasOwn(object, name)) return name;
	return anyCase ? foldedKeys(object).get(name.toLowerCase()) : undefined;
}

/** Many names may be looked up in a record of many fields. */
const knownFoldedKeys = new WeakMap<IDataObject, Map<string, string>>();

/** The fields of a record by their names in lower case; the first of a name counts. */
function foldedKeys(object: IDataObject): Map<string, string> {
	const inOrder = () =>
		Object.keys(object).map((key): [string, string] => [key.toLowerCase(), key]);
	const keys = knownFoldedKeys.get(object) ?? new Map(inOrder().reverse());
	knownFoldedKeys.set(object, keys);
	return keys;
}
