/**
 * Extracts everything that the service said about a failure, in any of the usual formats, and
 * redacts it for display.
 */
import type { IDataObject } from 'n8n-workflow';
import { isObject, parseJson } from '../values/objects';
import { redact } from './redact';

const MAX_MESSAGE_LENGTH = 1000;
const MAX_SCANNED = 4000;
const MAX_DEPTH = 5;
const MAX_ENTRIES = 50;
/** Names of a message, in lower case, in the order in which they are shown. */
const MESSAGES = [
	'message',
	'messages',
	'errormessage',
	'defaultmessage',
	'msg',
	'fault',
	'faultstring',
	'error_description',
	'detail',
	'title',
	'error',
	'reason',
	'description',
];
/** Names of lists of errors, or of errors by field. */
const LISTS = [
	'errors',
	'fielderrors',
	'validationerrors',
	'details',
	'violations',
	'modelstate',
	'invalid-params',
	'invalidparams',
];
/** Names of the subject of an error in a list. */
const SUBJECTS = [
	'field',
	'property',
	'propertypath',
	'path',
	'parameter',
	'target',
	'loc',
	'name',
];
/** HTML tags; anything else in angle brackets, such as a placeholder, is part of the message. */
const HTML = /<(!doctype|html|head|body|title|h[1-6]|p|div|span|br|pre|center)\b/i;

/** The message in a response's JSON, text or HTML; redacted and shortened. */
export function extractServiceMessage(
	text: string,
	secrets: readonly string[],
): string | undefined {
	const found = partsOf(parseJson(text) ?? text.slice(0, MAX_SCANNED), 0);
	const joined = distinct(found).join('; ').slice(0, MAX_SCANNED);
	const message = redact(joined, secrets).replace(/\s+/g, ' ').trim();
	if (message === '') return undefined;
	return message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH)}…` : message;
}

function partsOf(value: unknown, depth: number): string[] {
	if (typeof value === 'string') {
		const text = HTML.test(value) ? withoutTags(value) : value.slice(0, MAX_SCANNED);
		return text.trim() === '' ? [] : [text.trim()];
	}
	if (depth >= MAX_DEPTH) return [];
	if (Array.isArray(value))
		return value.slice(0, MAX_ENTRIES).flatMap((entry) => partsOf(entry, depth + 1));
	return isObject(value) ? partsOfObject(value, depth + 1) : [];
}

/**
 * An error: its messages, its code, and its nested errors. An error in a list may concern a field.
 */
function partsOfObject(object: IDataObject, depth: number): string[] {
	const fields = new Map(
		Object.entries(object).map(([name, value]) => [name.toLowerCase(), value]),
	);
	const messages = MESSAGES.flatMap((name) => partsOf(fields.get(name), depth));
	const subject = SUBJECTS.map((name) => fields.get(name)).find(isSubject);
	const about = subject === undefined || depth === 1 ? '' : `${[subject].flat().join('.')}: `;
	const code = codeOf(fields.get('code') ?? fields.get('errorcode'));
	const own = distinct(messages.filter(isNotWithinAnother)).join('; ') || code;
	const inner = LISTS.flatMap((name) => partsOfList(fields.get(name), depth));
	if (own === undefined)
		return inner.length > 0 || depth === 1 ? inner : partsByField(object, depth);
	return [`${about}${own}${code === undefined || own === code ? '' : ` (${code})`}`, ...inner];
}

/** A list of errors, one error, or an object of errors by field. */
function partsOfList(value: unknown, depth: number): string[] {
	return isObject(value) && !isOneError(value) ? partsByField(value, depth) : partsOf(value, depth);
}

function partsByField(object: IDataObject, depth: number): string[] {
	return Object.keys(object)
		.slice(0, MAX_ENTRIES)
		.flatMap((name) => partsOf(object[name], depth + 1).map((part) => `${name}: ${part}`));
}

/** Whether an object is an error; a field may be called `title` too, and then has a list. */
function isOneError(object: IDataObject): boolean {
	return Object.entries(object).some(
		([name, value]) => MESSAGES.includes(name.toLowerCase()) && typeof value === 'string',
	);
}

function isSubject(value: unknown): value is string | string[] {
	const texts = Array.isArray(value) ? value : [value];
	return texts.length > 0 && texts.every((text) => typeof text === 'string' && text.trim() !== '');
}

/** A code other than the HTTP status, which the error already names. */
function codeOf(value: unknown): string | undefined {
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const code = String(value).trim();
	return code === '' || /^[1-5]\d\d$/.test(code) ? undefined : code;
}

function isNotWithinAnother(text: string, _index: number, texts: string[]): boolean {
	return !texts.some((other) => other !== text && other.includes(text));
}

/** Joins parts: each once, without a full stop before the next one. */
function distinct(parts: string[]): string[] {
	const texts = [...new Set(parts)];
	return texts.map((text, index) => (index < texts.length - 1 ? text.replace(/\.$/, '') : text));
}

function withoutTags(html: string): string {
	const body = html.slice(0, MAX_SCANNED).replace(/<(script|style)\b[\s\S]*?(<\/\1>|$)/gi, ' ');
	return body.replace(/<[^>]*>?/g, ' ');
}
