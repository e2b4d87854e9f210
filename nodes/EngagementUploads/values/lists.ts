/** Lists, as people, models and programs write them. */
import { InputError } from './inputError';
import { parseJson, pickField } from './objects';
import { queryText, toText, trimmed } from './text';

/**
 * `separate`: a space separates entries (IDs). `both`: entries are taken with and without splitting
 * at spaces (filters, where extra entries do no harm). Otherwise, spaces belong to the entry (names).
 */
export type Spaces = 'separate' | 'both';

/** More take so long to check and to use that the rest of n8n would notice. */
const MAX_ENTRIES = 20_000;
/** How programs and models write that there is no value. */
const NO_VALUES = ['', '[]', '{}', 'null', 'undefined'];
const PHRASE = /[^,;\r\n]+/g;
const WORD = /[^,;\s]+/g;

/**
 * A list separated by commas, semicolons or line breaks, or an array (also as JSON), without
 * duplicates and empty entries; undefined if nothing was entered. A list of only separators is an
 * error, not an empty list. An entry may also be a record with one of the `fields`.
 */
export function parseList(
	value: unknown,
	field: string,
	fields: readonly string[] = [],
	spaces?: Spaces,
): string[] | undefined {
	if (NO_VALUES.includes(trimmed(toText(value)).toLowerCase())) return undefined;
	const array = typeof value === 'string' ? parseJson(value) : value;
	const entries: unknown[] = Array.isArray(array) ? array : splitEntries(value, spaces);
	if (entries.length > MAX_ENTRIES) {
		throw new InputError(
			`${field} has ${entries.length} entries, which is too many`,
			`Enter at most ${MAX_ENTRIES} entries in ${field}, or split them across several items`,
		);
	}
	const texts = [...new Set(entries)]
		.map((entry) => queryText(pickField(entry, ...fields), field))
		.filter((text) => text !== undefined);
	if (texts.length > 0) return [...new Set(texts)];
	throw new InputError(
		`${field} contains only separators`,
		`Enter one or more entries in ${field}, separated by commas`,
	);
}

function splitEntries(value: unknown, spaces: Spaces | undefined): unknown[] {
	if (typeof value !== 'string') return [value];
	const words = spaces === undefined ? [] : (value.match(WORD) ?? []);
	const phrases = spaces === 'separate' ? [] : (value.match(PHRASE) ?? []);
	return [...phrases, ...words];
}
