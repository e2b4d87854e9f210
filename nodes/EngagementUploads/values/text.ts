/** Text from the service, and from users. */
import { describeKind, emptyField, InputError, quote } from './inputError';

const MAX_QUERY_TEXT = 1000;
const MAX_PATH_PART = 200;
/** Half a surrogate pair, as at the end of a truncated text: no URL can contain it. */
const HALF_CHARACTER = /\p{Surrogate}/u;
const UNSAFE_PART = /[/\\\p{Cc}]|^\.{1,2}$/u;

/**
 * A value from the service as text; objects as JSON, since they may have a `toString` of their own.
 */
export function toText(value: unknown): string {
	return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** Whether the service sent no value; some services send the text `null` instead. */
export function isAbsent(value: unknown): boolean {
	if (value === undefined || value === null) return true;
	return typeof value === 'string' && /^\s*(null)?\s*$/i.test(value);
}

/** Whether the user entered nothing. */
export function isEmpty(value: unknown): boolean {
	return (
		value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
	);
}

export function requiredText(value: unknown, field: string): string {
	const text = optionalText(value, field);
	if (text === undefined) throw emptyField(field);
	return text;
}

/** A string, number or boolean as text; undefined if nothing was entered. */
export function optionalText(value: unknown, field: string): string | undefined {
	if (isEmpty(value)) return undefined;
	if (typeof value === 'object' || typeof value === 'function') {
		throw new InputError(
			`${field} contains ${describeKind(value)} instead of text`,
			`Enter text in ${field}`,
		);
	}
	const text = String(value).trim();
	if (!HALF_CHARACTER.test(text)) return text;
	throw new InputError(
		`${field} contains an invalid character`,
		`Enter ${field} again without the invalid character`,
	);
}

/** A text for the query string, with a maximum length. */
export function queryText(value: unknown, field: string): string | undefined {
	const text = optionalText(value, field);
	if (text === undefined || encodeURIComponent(text).length <= MAX_QUERY_TEXT) return text;
	throw new InputError(
		`${field} ${quote(text)} is too long`,
		`Enter at most ${MAX_QUERY_TEXT} characters in ${field}, or fewer if they include special characters`,
	);
}

/** A text that becomes one segment of a path. */
export function pathPart(value: unknown, field: string): string {
	const text = requiredText(value, field);
	if (!UNSAFE_PART.test(text) && text.length <= MAX_PATH_PART) return text;
	throw new InputError(
		`${field} ${quote(value)} is not a valid name`,
		`Enter ${field} without slashes or line breaks`,
	);
}
