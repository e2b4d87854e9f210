/** Invalid input: the problem with a field, in the editor's terms, and what to enter instead. */
export class InputError extends Error {
	constructor(
		message: string,
		readonly advice: string,
		cause?: unknown,
	) {
		super(message, { cause });
	}
}

const MAX_QUOTE_LENGTH = 60;

/** The error for a required field that is empty. */
export function emptyField(field: string): InputError {
	return new InputError(`${field} is empty`, `Enter a value in ${field}`);
}

/** A value as quoted in an error message: shortened; for objects and lists, only the kind. */
export function quote(value: unknown): string {
	if (typeof value === 'object' && value !== null) return `(${describeKind(value)})`;
	const text = String(value);
	return `“${text.length > MAX_QUOTE_LENGTH ? `${text.slice(0, MAX_QUOTE_LENGTH)}…` : text}”`;
}

export function describeKind(value: unknown): string {
	return Array.isArray(value) ? 'a list' : 'an object';
}
