/** Invalid input: the problem with a field, in the editor's terms, and what to enter instead. */
export class InputError extends Error {
	constructor(
		message: string,
		readonly advice: string,
	) {
		super(message);
	}
}

const MAX_QUOTE_LENGTH = 60;
/** Maximum number of values in a message. */
const MAX_QUOTED = 20;

/** A value as text, short enough for a message. */
export function shorten(value: unknown): string {
	const text = String(value);
	return text.length > MAX_QUOTE_LENGTH ? `${text.slice(0, MAX_QUOTE_LENGTH)}…` : text;
}

/** The error for a required field that is empty. */
export function emptyField(field: string): InputError {
	return new InputError(`${field} is empty`, `Enter a value in ${field}`);
}

/** A value in quotation marks, short enough for a message. For an object or a list, only its kind. */
export function quote(value: unknown): string {
	if (typeof value === 'object' && value !== null) return `(${describeKind(value)})`;
	return `“${shorten(value)}”`;
}

/** The first values, separated by commas, and how many more there are. */
export function joinFirst(values: readonly unknown[]): string {
	const more = values.length - MAX_QUOTED;
	const first = values.slice(0, MAX_QUOTED).join(', ');
	return more > 0 ? `${first} and ${more} more` : first;
}

/** The kind of a value, such as “a list”. */
export function describeKind(value: unknown): string {
	if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object';
	return typeof value === 'string' ? 'text' : `a ${typeof value}`;
}
