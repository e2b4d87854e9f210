/** Lists, as people, models and programs write them. */
import { InputError } from './inputError';
import { parseJson, pickField } from './objects';
import { isUnset, parseQueryText } from './text';

/** Longer lists take so long to check and to use that the rest of n8n would notice. */
const MAX_ENTRIES = 20_000;
const PHRASE = /[^,;\r\n]+/g;
const WORD = /[^,;\s]+/g;

interface ListOptions {
	/** An entry may be a record with one of these fields. */
	fields?: readonly string[];
	/** Entries contain no spaces, so a space separates them too. */
	separatedBySpaces?: boolean;
}

/**
 * The entries of a list, separated by commas, semicolons or line breaks, or of an array, also as JSON;
 * without duplicates and empty ones. Undefined if nothing was entered; a list of nothing but separators
 * is an error, since it would match everything.
 */
export function parseList(
	value: unknown,
	field: string,
	{ fields = [], separatedBySpaces = false }: ListOptions = {},
): string[] | undefined {
	if (isUnset(value)) return undefined;
	const array = typeof value === 'string' ? parseJson(value) : value;
	// Such as `[null]`, as JSON.
	if (Array.isArray(array) && isUnset(array)) return undefined;
	const entries: unknown[] = Array.isArray(array) ? array : splitText(value, separatedBySpaces);
	if (entries.length > MAX_ENTRIES) {
		throw new InputError(
			`${field} has ${entries.length} entries, which is too many`,
			`Enter at most ${MAX_ENTRIES} entries in ${field}, or split them across several items`,
		);
	}
	const texts = [...new Set(entries)]
		.map((entry) => pickField(entry, ...fields))
		.filter((entry) => !isUnset(entry))
		.map((entry) => parseQueryText(entry, field))
		.filter((text) => text !== undefined);
	if (texts.length > 0) return [...new Set(texts)];
	throw new InputError(
		`${field} contains only separators`,
		`Enter one or more entries in ${field}, separated by commas`,
	);
}

function splitText(value: unknown, separatedBySpaces: boolean): unknown[] {
	if (typeof value !== 'string') return [value];
	return value.match(separatedBySpaces ? WORD : PHRASE) ?? [];
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
