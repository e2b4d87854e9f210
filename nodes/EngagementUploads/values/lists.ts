/** Lists, as people, models and programs write them. */
import { InputError } from './inputError';
import { parseJson, pickField } from './objects';
import { isEmpty, queryText } from './text';

/**
 * Whether a space separates entries: always (IDs), or both ways (filters, where extra entries do no
 * harm); otherwise never (names).
 */
export type Spaces = 'separate' | 'both';

const SEPARATORS = /[,;\r\n]/;
const SEPARATORS_AND_SPACES = /[,;\s]/;

/**
 * A list separated by commas, semicolons or line breaks, or an array (also as JSON), without
 * duplicates and empty entries; undefined if nothing was entered. A list of only separators is an
 * error, not an empty list. An entry may also be a record with a field `record`.
 */
export function parseList(
	value: unknown,
	field: string,
	record?: string,
	spaces?: Spaces,
): string[] | undefined {
	const entries = splitEntries(value, spaces);
	if (isEmpty(value) || entries.length === 0) return undefined;
	const texts = entries
		.map((entry) => queryText(record === undefined ? entry : pickField(entry, record), field))
		.filter((text) => text !== undefined);
	if (texts.length > 0) return [...new Set(texts)];
	throw new InputError(
		`${field} contains only separators`,
		`Enter one or more entries in ${field}, separated by commas`,
	);
}

function splitEntries(value: unknown, spaces: Spaces | undefined): unknown[] {
	if (typeof value !== 'string') return Array.isArray(value) ? value : [value];
	const array = parseJson(value);
	if (Array.isArray(array)) return array;
	const words = value.split(SEPARATORS_AND_SPACES);
	const phrases = value.split(SEPARATORS);
	if (spaces === 'both') return [...phrases, ...words];
	return spaces === 'separate' ? words : phrases;
}
