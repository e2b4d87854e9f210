/**
 * Text from the service, and from users. There are three kinds of “no value”: `isAbsent` is for what the
 * service sends, `isEmpty` for fields that users left empty, `isUnset` for filters and entries of lists.
 */
import { createHash } from 'crypto';
import { describeKind, emptyField, InputError, quote } from './inputError';

/** Half a surrogate pair, as at the end of a truncated text, which no URL can contain. */
const HALF_CHARACTER = /\p{Surrogate}/u;
const UNSAFE_PART = /[/\\\p{Cc}]|^\.{1,2}$/u;

/** A value from the service as text; an object as JSON, since it may have a `toString` of its own. */
export function toText(value: unknown): string {
	return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** Whether the service sent no value, or the text `null` instead, as some services do. */
export function isAbsent(value: unknown): boolean {
	if (isEmpty(value)) return true;
	return typeof value === 'string' && value.trim().toLowerCase() === 'null';
}

/** A number, a boolean or a text, as text; an empty text for anything else. */
export function scalarText(value: unknown): string {
	return typeof value === 'object' ? '' : String(value).trim();
}

/** Makes texts equal that look the same: writes each accented letter as one character, where some sources write two. */
export function normalizeText(text: string): string {
	return text.trim().normalize('NFC');
}

/** A value for comparisons that ignore case. */
export function foldCase(value: unknown): string {
	return normalizeText(toText(value ?? '')).toLowerCase();
}

/** A short text that stands for a longer or secret one, in comparisons. */
export function fingerprint(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** Whether the user entered nothing. */
export function isEmpty(value: unknown): boolean {
	if (value === undefined || value === null) return true;
	return typeof value === 'string' && value.trim() === '';
}

/** What programs and models write for “no value”, as text. */
const NO_VALUE = /^(null|undefined|\[\s*\]|\{\s*\})?$/i;

/** Whether a filter, or an entry of a list, has no value, however that is expressed. */
export function isUnset(value: unknown): boolean {
	if (value === undefined || value === null) return true;
	if (typeof value === 'string') return NO_VALUE.test(value.trim());
	if (Array.isArray(value)) return value.every(isUnset);
	// Not a date, which has no fields either.
	const isPlain = Object.prototype.toString.call(value) === '[object Object]';
	return isPlain && Object.keys(value).length === 0;
}

/** A text in a field, if it is not one that programs and models write for “no value”. */
export function parseGivenText(value: unknown, field: string): string | undefined {
	return typeof value === 'string' && isUnset(value) ? undefined : parseText(value, field);
}

/** A text in a field that must not be empty. */
export function parseRequiredText(value: unknown, field: string): string {
	const text = parseGivenText(value, field);
	if (text === undefined) throw emptyField(field);
	return text;
}

/** A text in a field, or a number or boolean as text; undefined if nothing was entered. */
export function parseText(value: unknown, field: string): string | undefined {
	if (value === undefined || value === null) return undefined;
	if (typeof value === 'object' || typeof value === 'function') {
		throw new InputError(
			`${field} contains ${describeKind(value)} instead of text`,
			`Enter text in ${field}`,
		);
	}
	if (Number.isNaN(value))
		throw new InputError(`${field} is not a number (NaN)`, `Check the expression in ${field}`);
	const text = String(value).trim();
	if (text === '') return undefined;
	if (!HALF_CHARACTER.test(text)) return text;
	throw new InputError(
		`${field} contains an invalid character`,
		`Enter ${field} again without the invalid character`,
	);
}

/** A text in a field, for one segment of a URL's path. */
export function parsePathPart(value: unknown, field: string): string {
	const text = parseRequiredText(value, field);
	if (!UNSAFE_PART.test(text)) return text;
	throw new InputError(
		`${field} ${quote(value)} is not a valid name`,
		`Enter ${field} without slashes or line breaks`,
	);
}
