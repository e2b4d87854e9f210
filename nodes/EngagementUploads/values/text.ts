/**
 * Text from the service, and from users. There are three kinds of “no value”: `isAbsent` is for what the
 * service sends, `isEmpty` for fields that users left empty, `isUnset` for filters and entries of lists.
 */
import { createHash } from 'crypto';
import { describeKind, emptyField, InputError, quote } from './inputError';

const MAX_TEXT = 1000;
const MAX_PATH_PART = 200;
const MAX_SCALAR = 100;
/** Half a surrogate pair, as at the end of a truncated text, which no URL can contain. */
const HALF_CHARACTER = /\p{Surrogate}/u;
/** White space and invisible characters, for use within the brackets of a regular expression without flags. */
export const INVISIBLE = '\\s\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff';
const AROUND = new RegExp(`^[${INVISIBLE}]+|[${INVISIBLE}]+$`, 'g');
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

/** A number, a boolean or a short text, as text; an empty text for a long one, and for anything else. */
export function scalarText(value: unknown): string {
	const text = typeof value === 'object' ? '' : String(value);
	return text.length > MAX_SCALAR ? '' : trim(text);
}

/** A text without the invisible characters around it. */
function trim(text: string): string {
	return text.trim().replace(AROUND, '');
}

/** Characters that nobody sees, such as soft hyphens, which are often copied along with a text. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Makes texts equal that look the same: removes invisible characters, and writes each accented letter as one
 * character, where some sources write two.
 */
export function normalizeText(text: string): string {
	return text.replace(UNSEEN, '').trim().normalize('NFC');
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
	return typeof value === 'string' && trim(value) === '';
}

/** What programs and models write for “no value”, as text. */
const NO_VALUE = /^(null|undefined|\[\s*\]|\{\s*\})?$/i;

/** Whether a filter, or an entry of a list, has no value, however that is expressed. */
export function isUnset(value: unknown): boolean {
	if (value === undefined || value === null) return true;
	if (typeof value === 'string') return NO_VALUE.test(trim(value));
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
	const text = trim(String(value));
	if (text === '') return undefined;
	if (text.length > MAX_TEXT) throw tooLong(text, field);
	if (!HALF_CHARACTER.test(text)) return text;
	throw new InputError(
		`${field} contains an invalid character`,
		`Enter ${field} again without the invalid character`,
	);
}

/** A text in a field, for the query string of a URL. */
export function parseQueryText(value: unknown, field: string): string | undefined {
	const text = parseText(value, field);
	if (text === undefined || encodeURIComponent(text).length <= MAX_TEXT) return text;
	throw tooLong(text, field);
}

function tooLong(text: string, field: string): InputError {
	return new InputError(
		`${field} ${quote(text)} is too long`,
		`Enter at most ${MAX_TEXT} characters in ${field}, or fewer if they include special characters`,
	);
}

/** A text in a field, for one segment of a URL's path. */
export function parsePathPart(value: unknown, field: string): string {
	const text = parseRequiredText(value, field);
	if (!UNSAFE_PART.test(text) && text.length <= MAX_PATH_PART) return text;
	throw new InputError(
		`${field} ${quote(value)} is not a valid name`,
		`Enter ${field} without slashes or line breaks`,
	);
}
