/**
 * What users enter, checked before anything is sent. Each reader returns the value, or throws a
 * `InputError` that names the field in the editor's words.
 */
import type { IDataObject } from 'n8n-workflow';
import { parseDate, type EnteredDate } from './dates';
import { isObject } from '../transport/answers';

/** What is wrong with a field, and what to enter instead. */
export class InputError {
	constructor(
		readonly message: string,
		readonly advice: string,
	) {}
}

const LONGEST_QUOTE = 60;
const LONGEST_QUERY_TEXT = 1000;
const ID = /^[1-9]\d{0,15}$/;
const UPLOAD_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;
/** Half a character, as a cut text ends with: no address can hold it. */
const HALF_CHARACTER = /\p{Surrogate}/u;
const UNSAFE_PART = /[/\\\p{Cc}]|^\.{1,2}$/u;

export function isEmpty(value: unknown): boolean {
	return (
		value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
	);
}

/** What was dropped into a field for an ID: the ID itself, or a record that carries it. */
export function pickField(value: unknown, name: string): unknown {
	return isObject(value) && Object.hasOwn(value, name) ? value[name] : value;
}

/** A whole number that identifies an engagement. */
export function parseEngagementId(entered: unknown, field: string): number {
	const value = pickField(entered, 'engagementId');
	if (isEmpty(value)) throw missing(field);
	const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
	if (ID.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
	throw new InputError(
		`${field} ${quoted(value)} is not a whole number`,
		`Enter a number such as 1001 in ${field}`,
	);
}

/** An upload id: a UUID, or a number in older data. */
export function parseUploadId(entered: unknown, field: string): string {
	const value = pickField(entered, 'uploadId');
	if (isEmpty(value)) throw missing(field);
	const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
	if (UPLOAD_ID.test(text)) return text;
	throw new InputError(
		`${field} ${quoted(value)} is not an upload ID`,
		`Enter an ID such as 5f0c9a3e-7d1b-4c52-9a54-0f5b7f1d2c11 in ${field}`,
	);
}

/** A text that becomes one part of a path. */
export function pathPart(value: unknown, field: string): string {
	const text = requiredText(value, field);
	if (!UNSAFE_PART.test(text) && text.length <= 200) return text;
	throw new InputError(
		`${field} ${quoted(value)} is not a valid name`,
		`Enter ${field} without slashes or line breaks`,
	);
}

export function requiredText(value: unknown, field: string): string {
	const text = optionalText(value, field);
	if (text === undefined) throw missing(field);
	return text;
}

/** A text, a number or a parseBoolean value as text; undefined when nothing was entered. */
export function optionalText(value: unknown, field: string): string | undefined {
	if (isEmpty(value)) return undefined;
	if (typeof value === 'object' || typeof value === 'function') {
		throw new InputError(
			`${field} holds ${kindOf(value)} instead of a text`,
			`Enter a text in ${field}`,
		);
	}
	const text = String(value).trim();
	if (!HALF_CHARACTER.test(text)) return text;
	throw new InputError(
		`${field} holds a broken character`,
		`Enter the text in ${field} again, without cutting a character in two`,
	);
}

/** A text that becomes a part of the query string, and has to leave room there. */
export function queryText(value: unknown, field: string): string | undefined {
	const text = optionalText(value, field);
	if (text === undefined || encodeURIComponent(text).length <= LONGEST_QUERY_TEXT) return text;
	throw new InputError(
		`${field} ${quoted(text)} is too long`,
		`Enter at most ${LONGEST_QUERY_TEXT} characters in ${field}, fewer where they are no plain letters`,
	);
}

export function parseBoolean(value: unknown, field: string): boolean {
	if (isEmpty(value)) return false;
	if (typeof value === 'boolean') return value;
	if (value === 'true' || value === 'false') return value === 'true';
	throw new InputError(
		`${field} ${quoted(value)} is neither true nor false`,
		`Switch ${field} on or off`,
	);
}

/** A number between two others; `whole` unless told otherwise. */
export function parseNumber(
	value: unknown,
	field: string,
	least: number,
	most: number,
	whole = true,
): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	const fits = typeof number === 'number' && number >= least && number <= most;
	if (fits && (!whole || Number.isInteger(number))) return number;
	const kind = whole ? 'a whole number' : 'a number';
	const range = most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`;
	throw new InputError(
		`${field} ${quoted(value)} is not ${kind} ${range}`,
		`Enter ${kind} ${range} in ${field}`,
	);
}

/** One of the values that an options field knows. */
export function parseOption<T extends string>(
	value: unknown,
	field: string,
	known: readonly T[],
): T {
	const text = typeof value === 'number' ? String(value) : value;
	const found = known.find((entry) => entry === text);
	if (found !== undefined) return found;
	throw new InputError(`${field} ${quoted(value)} is not known`, `Use one of: ${known.join(', ')}`);
}

/**
 * A list separated by commas or line breaks, or an array (also as JSON, as AI models write it),
 * without repetitions; undefined when nothing was entered. Nothing but commas is a mistake, not an
 * empty list. An entry may be a record that carries `name`.
 */
export function parseList(value: unknown, field: string, name?: string): string[] | undefined {
	const entries = entriesOf(value);
	if (isEmpty(value) || entries.length === 0) return undefined;
	const texts = entries
		.map((entry) => queryText(name === undefined ? entry : pickField(entry, name), field))
		.filter((text) => text !== undefined);
	if (texts.length > 0) return [...new Set(texts)];
	throw new InputError(
		`${field} holds no entry, only separators`,
		`Enter one or more entries in ${field}, separated by commas`,
	);
}

export function parseIds(value: unknown, field: string): number[] | undefined {
	const list = parseList(value, field, 'engagementId');
	return list === undefined
		? undefined
		: [...new Set(list.map((entry) => parseEngagementId(entry, field)))];
}

/** A date as entered; undefined when nothing was entered. `zone` is for dates without an offset. */
export function parseOptionalDate(
	value: unknown,
	field: string,
	zone: string,
): EnteredDate | undefined {
	if (isEmpty(value)) return undefined;
	const date = parseDate(value, zone);
	if (date !== undefined) return date;
	throw new InputError(
		`${field} ${quoted(value)} is not a date`,
		`Enter a date such as 2026-03-01 or 2026-03-01T10:15:00 in ${field}`,
	);
}

/** A JSON object, as text or from an expression; undefined when nothing was entered. */
export function parseObject(value: unknown, field: string): IDataObject | undefined {
	if (isEmpty(value)) return undefined;
	const object = typeof value === 'string' ? parsed(value) : value;
	if (isObject(object)) return object;
	throw new InputError(
		object === undefined ? `${field} is not valid JSON` : `${field} is not a JSON object`,
		`Enter an object such as {"name": "value"} in ${field}`,
	);
}

function entriesOf(value: unknown): unknown[] {
	if (typeof value !== 'string') return Array.isArray(value) ? value : [value];
	const array = /^\s*\[.*\]\s*$/s.test(value) ? parsed(value) : undefined;
	return Array.isArray(array) ? array : value.split(/[,\n]/);
}

export function missing(field: string): InputError {
	return new InputError(`${field} is empty`, `Enter a value in ${field}`);
}

function quoted(value: unknown): string {
	if (typeof value === 'object' && value !== null) return `(${kindOf(value)})`;
	const text = String(value);
	return `“${text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text}”`;
}

function kindOf(value: unknown): string {
	return Array.isArray(value) ? 'a list' : 'an object';
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
