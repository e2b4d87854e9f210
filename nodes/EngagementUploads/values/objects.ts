/** Objects and lists, as people, models and programs write them. */
import type { IDataObject } from 'n8n-workflow';
import { describeKind, InputError, quote } from './inputError';
import { isEmpty, isUnset, parseText } from './text';

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

/** The fields of a collection. Unknown ones are an error: a misspelt filter would match everything. */
export function parseCollection(
	value: unknown,
	field: string,
	known: readonly string[],
): IDataObject {
	const entered = isEmpty(value) ? {} : value;
	if (!isObject(entered)) {
		throw new InputError(
			`${field} contains ${describeKind(entered)} instead of fields`,
			`Add fields in ${field}, or use an expression that returns an object`,
		);
	}
	const unknown = Object.keys(entered).find((name) => !known.includes(name));
	if (unknown === undefined) return entered;
	throw new InputError(
		`${field} has no field ${quote(unknown)}`,
		`Use one or more of: ${known.join(', ')}`,
	);
}

/** What was entered in a field of a collection: null if it is empty, undefined if it was not added. */
export function enteredIn(
	collection: Readonly<Record<string, unknown>>,
	name: string,
	value = collection[name],
): unknown {
	return Object.hasOwn(collection, name) ? (value ?? null) : undefined;
}

/** Merges objects deeply; values of `over` take precedence. Neither object is changed. */
export function mergeDeep(
	base: IDataObject | undefined,
	over: IDataObject | undefined,
): IDataObject | undefined {
	if (base === undefined || over === undefined) return base ?? over;
	const merged: IDataObject = { ...base };
	for (const [name, above] of Object.entries(over)) {
		const below = base[name];
		merged[name] = isObject(below) && isObject(above) ? mergeDeep(below, above) : above;
	}
	return merged;
}

/**
 * The value of a field. A dot in the name leads into a nested object, or through a list to a list of
 * values; a field whose own name contains the dot takes precedence.
 */
export function valueAt(value: unknown, name: string): unknown {
	if (Array.isArray(value)) {
		const values = value
			.map((entry) => valueAt(entry, name))
			.filter((entry) => entry !== undefined);
		return values.length > 0 ? values : undefined;
	}
	if (!isObject(value)) return undefined;
	if (Object.hasOwn(value, name)) return value[name];
	const dot = name.indexOf('.');
	const outer = name.slice(0, dot);
	if (dot < 0 || !Object.hasOwn(value, outer)) return undefined;
	return valueAt(value[outer], name.slice(dot + 1));
}

/**
 * The entries of a list, separated by commas, semicolons, tabs or line breaks, or of an array, also as JSON;
 * without duplicates and empty ones. Undefined if nothing was entered; a list of nothing but separators
 * is an error, since it would match everything.
 */
export function parseList(value: unknown, field: string): string[] | undefined {
	if (isUnset(value)) return undefined;
	const array = typeof value === 'string' ? parseJson(value) : value;
	// JSON such as `[null]` is no value either.
	if (Array.isArray(array) && isUnset(array)) return undefined;
	const split = typeof value === 'string' ? value.split(/[,;\t\r\n]/) : [value];
	const entries: unknown[] = Array.isArray(array) ? array : split;
	const texts = entries
		.filter((entry) => !isUnset(entry))
		.map((entry) => parseText(entry, field))
		.filter((text) => text !== undefined);
	if (texts.length > 0) return [...new Set(texts)];
	throw new InputError(
		`${field} contains only separators`,
		`Enter one or more entries in ${field}, separated by commas`,
	);
}

/** Groups entries by key, keeping their order. */
export function groupBy<T, Key>(
	entries: Iterable<T>,
	toKey: (entry: T) => Key,
): Map<Key, [T, ...T[]]> {
	const groups = new Map<Key, [T, ...T[]]>();
	for (const entry of entries) {
		const key = toKey(entry);
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [entry]);
		else group.push(entry);
	}
	return groups;
}
