/**
 * Extracts everything that the service said about a failure, in any of the usual formats, and
 * redacts it for display. Invariant: the effort is proportional to what is shown and scanned, which
 * is bounded, whatever the service sends.
 */
import type { IDataObject } from 'n8n-workflow';
import { isObject, parseJson } from '../../values/objects';
import type { Redactor } from '../../values/redact';

const MAX_SHOWN = 4000;
/** A longer body is shown as text. */
const MAX_PARSED = 1_000_000;
const MAX_DEPTH = 5;
/** How many values are looked at: far more than can be shown. */
const MAX_VALUES = 5000;
const MAX_NAME_LENGTH = 100;
/** Names of a message, in lower case, in the order in which they are shown. */
const MESSAGES = [
	'message messages errormessage errormessages error_message defaultmessage msg fault',
	'faultstring error_description errordescription detail title error reason description',
].flatMap((names) => names.split(' '));
/** Names of lists of errors, or of errors by field. */
const LISTS = [
	'errors fielderrors validationerrors details violations modelstate invalid-params',
	'invalidparams',
].flatMap((names) => names.split(' '));
/** Names of the field that an error is about. */
const FIELDS = 'field property propertypath propertyname'.split(' ');
/** The same for an error in a list; elsewhere, `path` is that of the request. */
const SUBJECTS = [...FIELDS, ...'path pointer parameter param target loc name'.split(' ')];
/** What an error may have; an object with any other name has its errors by field. */
const NAMES = new Set([
	...[...MESSAGES, ...SUBJECTS, ...LISTS],
	...'code errorcode source status type severity value rejectedvalue'.split(' '),
]);
/** HTML tags; anything else in angle brackets, such as a placeholder, is part of the message. */
const HTML = /<(!doctype|html|head|body|title|h[1-6]|p|div|span|br|pre|center)\b/i;

/** The message in a response's JSON, text or HTML; redacted and shortened. */
export function extractServiceMessage(body: string, redactor: Redactor): string | undefined {
	const value = body.length > MAX_PARSED ? undefined : parseJson(body);
	const budget = { left: MAX_VALUES };
	const found = distinct(partsOf(value ?? body, 0, budget)).join('; ');
	const message = found.replace(/\s+/g, ' ').trim();
	// The longest secrets begin before the end of what is shown.
	const shown = redactor.redact(message.slice(0, 2 * MAX_SHOWN)).slice(0, MAX_SHOWN);
	if (shown === '') return undefined;
	const total = budget.left > 0 ? message.length : Math.max(message.length, body.length);
	const left = total > MAX_SHOWN ? total - shown.length : 0;
	return left > 0 ? `${shown}… (${left} more characters)` : shown;
}

/** The values that may still be looked at. */
interface Budget {
	left: number;
}

function partsOf(value: unknown, depth: number, budget: Budget): string[] {
	if (value === undefined || --budget.left < 0) return [];
	if (typeof value === 'string') {
		const text = (HTML.test(value) ? withoutTags(value) : value).trim();
		return text === '' ? [] : [text];
	}
	if (depth >= MAX_DEPTH) return [];
	if (Array.isArray(value)) {
		const entries = value.slice(0, Math.max(0, budget.left));
		return entries.flatMap((entry) => partsOf(entry, depth + 1, budget));
	}
	return isObject(value) ? partsOfObject(value, depth + 1, budget) : [];
}

/**
 * An error: its messages, its code, and its nested errors. An error in a list may concern a field.
 */
function partsOfObject(object: IDataObject, depth: number, budget: Budget): string[] {
	const names = Object.keys(object).slice(0, MAX_VALUES);
	const fields = new Map(names.map((name) => [name.toLowerCase(), object[name]]));
	const inFields = (name: string) => partsOf(fields.get(name), depth, budget);
	const messages = MESSAGES.flatMap(inFields);
	const source = fields.get('source');
	const within = isObject(source) ? source : {};
	const subjects = depth === 1 ? FIELDS : SUBJECTS;
	const subject = subjects.map((name) => fields.get(name) ?? within[name]).find(isSubject);
	const about = subject === undefined ? '' : `${nameOf([subject].flat().join('.'))}: `;
	const code = codeOf(fields.get('code') ?? fields.get('errorcode'));
	const own = distinct(withoutRepetitions(messages)).join('; ') || code;
	const inner = LISTS.flatMap((name) => partsOfList(fields.get(name), depth, budget));
	// Without any of these names, an object has the errors by field, or says it in its own way.
	if (own === undefined) return inner.length > 0 ? inner : partsByField(object, depth, budget);
	return [`${about}${own}${code === undefined || own === code ? '' : ` (${code})`}`, ...inner];
}

/** A list of errors, one error, or an object of errors by field. */
function partsOfList(value: unknown, depth: number, budget: Budget): string[] {
	return isObject(value) && !isOneError(value)
		? partsByField(value, depth, budget)
		: partsOf(value, depth, budget);
}

function partsByField(object: IDataObject, depth: number, budget: Budget): string[] {
	return Object.keys(object)
		.slice(0, Math.max(0, budget.left))
		.flatMap((name) =>
			partsOf(object[name], depth + 1, budget).map((part) => `${nameOf(name)}: ${part}`),
		);
}

function nameOf(name: string): string {
	return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
}

/** Whether an object is an error; a field may be called `title` too, next to other fields. */
function isOneError(object: IDataObject): boolean {
	const names = Object.keys(object).slice(0, MAX_VALUES);
	return (
		names.every((name) => NAMES.has(name.toLowerCase())) &&
		names.some((name) => MESSAGES.includes(name.toLowerCase()) && typeof object[name] === 'string')
	);
}

function isSubject(value: unknown): value is string | string[] {
	const texts = Array.isArray(value) ? value : [value];
	return texts.length > 0 && texts.every((text) => typeof text === 'string' && text.trim() !== '');
}

/** A code other than an HTTP status, which the error already names. */
function codeOf(value: unknown): string | undefined {
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const code = nameOf(String(value).trim());
	return code === '' || /^[45]\d\d$/.test(code) ? undefined : code;
}

/** Without messages that another one contains: `title`, `detail` and `error` often say the same. */
function withoutRepetitions(texts: string[]): string[] {
	if (texts.length > MESSAGES.length) return texts;
	return texts.filter(
		(text) => !texts.some((other) => other.length > text.length && other.includes(text)),
	);
}

/** Joins parts: each once, without a full stop before the next one. */
function distinct(parts: string[]): string[] {
	const texts = [...new Set(parts)];
	return texts.map((text, index) => (index < texts.length - 1 ? text.replace(/\.$/, '') : text));
}

function withoutTags(html: string): string {
	const body = html.replace(/<(script|style)\b[\s\S]*?(<\/\1>|$)/gi, ' ');
	return body.replace(/<[^>]*>?/g, ' ');
}
