/** What the service says in an error response, redacted for display. */
import type { IDataObject } from 'n8n-workflow';
import { isObject, parseJson } from '../values/objects';
import { redact } from './redact';

const MAX_MESSAGE_LENGTH = 300;
const MAX_SCANNED = 4000;
const MAX_DEPTH = 4;
const MESSAGE_NAMES = [
	'message',
	'error_description',
	'detail',
	'error',
	'errors',
	'title',
	'reason',
	'description',
];
/** Anything else in angle brackets, such as a placeholder, is part of the message. */
const HTML = /<(!doctype|html|head|body|title|h[1-6]|p|div|span|br|pre|center)\b/i;

/** The message in a response's JSON, its text, or its HTML without tags; redacted and shortened. */
export function extractServiceMessage(
	text: string,
	secrets: readonly string[],
): string | undefined {
	const found = messageIn(parseJson(text) ?? text.slice(0, MAX_SCANNED), 0) ?? '';
	const message = redact(found, secrets).replace(/\s+/g, ' ').trim();
	if (message === '') return undefined;
	return message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH)}…` : message;
}

function messageIn(value: unknown, depth: number): string | undefined {
	if (typeof value === 'string')
		return HTML.test(value) ? withoutTags(value) : value.slice(0, MAX_SCANNED);
	if (depth >= MAX_DEPTH) return undefined;
	if (Array.isArray(value)) {
		const messages = value.slice(0, 3).map((entry) => messageIn(entry, depth + 1));
		return messages.filter((message) => message !== undefined).join('; ') || undefined;
	}
	return isObject(value) ? messageOfObject(value, depth) : undefined;
}

function messageOfObject(value: IDataObject, depth: number): string | undefined {
	for (const name of MESSAGE_NAMES) {
		const message = Object.hasOwn(value, name) ? messageIn(value[name], depth + 1) : undefined;
		if (message) return message;
	}
	return undefined;
}

function withoutTags(html: string): string {
	const body = html.slice(0, MAX_SCANNED).replace(/<(script|style)\b[\s\S]*?(<\/\1>|$)/gi, ' ');
	return body.replace(/<[^>]*>?/g, ' ');
}
