/** Lists, as users enter them. */
import { InputError } from './inputError';
import { parseJson, pickField } from './objects';
import { isEmpty, queryText } from './text';

/**
 * A list separated by commas or line breaks, or an array (also as JSON, as AI models write it),
 * without duplicates; undefined if nothing was entered. Nothing but commas is a mistake, not an
 * empty list. An entry may be a record that has a field `name`.
 */
export function parseList(value: unknown, field: string, name?: string): string[] | undefined {
	const entries = splitEntries(value);
	if (isEmpty(value) || entries.length === 0) return undefined;
	const texts = entries
		.map((entry) => queryText(name === undefined ? entry : pickField(entry, name), field))
		.filter((text) => text !== undefined);
	if (texts.length > 0) return [...new Set(texts)];
	throw new InputError(
		`${field} contains only separators`,
		`Enter one or more entries in ${field}, separated by commas`,
	);
}

function splitEntries(value: unknown): unknown[] {
	if (typeof value !== 'string') return Array.isArray(value) ? value : [value];
	const array = /^\s*\[.*\]\s*$/s.test(value) ? parseJson(value) : undefined;
	return Array.isArray(array) ? array : value.split(/[,\n]/);
}
