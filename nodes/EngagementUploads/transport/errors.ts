/**
 * Errors as the user reads them: what happened, what the service said, and what to do. They are
 * made here, once, and carry neither the request nor any header of it.
 */
import {
	NodeApiError,
	NodeOperationError,
	type INode,
	type IDataObject,
	type NodeApiError as ApiError,
} from 'n8n-workflow';
import { isObject } from './answers';
import { redact } from './redact';

export type Failure = NonNullable<ApiError['failure']>;

/** What an error tells, in sentences without a full stop at the end. */
export interface Report {
	/** What was being done, e.g. `get the users`. */
	purpose: string;
	happened: string;
	/** What the service said, already redacted. */
	said?: string;
	advice: string;
	status?: number;
	itemIndex?: number;
	/** Lets newer n8n come back to a failing poll at the right time. */
	failure?: Failure;
}

/** An error of the service, or of the way to it. */
export function serviceError(node: INode, report: Report): NodeApiError {
	const { purpose, happened, said, advice, status, itemIndex, failure } = report;
	const saying = said === undefined ? '' : `. It said: “${said}”`;
	const item = itemIndex === undefined ? '' : ` [item ${itemIndex}]`;
	const message = `Could not ${purpose}: ${happened}${saying}${item}`;
	const httpCode = status === undefined ? undefined : String(status);
	const error = new NodeApiError(
		node,
		{ message },
		{ message, description: advice, httpCode, itemIndex, failure },
	);
	reports.set(error, report);
	return error;
}

/** An error in what the user entered, before anything is sent. */
export function inputError(node: INode, message: string, advice: string, itemIndex?: number) {
	const item = itemIndex === undefined ? '' : ` [item ${itemIndex}]`;
	return new NodeOperationError(node, `${message}${item}`, { description: advice, itemIndex });
}

/** The whole text of an error, for the `error` field of an item. */
export function fullText(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const advice =
		'description' in error && typeof error.description === 'string' ? error.description : '';
	return advice === '' || error.message.includes(advice)
		? error.message
		: `${error.message}. ${advice}`;
}

const reports = new WeakMap<Error, Report>();

/** The error as that of an item: what was asked for several items at once fails each of them. */
export function forItem(error: unknown, itemIndex: number, node: INode): Error {
	const report = error instanceof Error ? reports.get(error) : undefined;
	if (report !== undefined && report.itemIndex === undefined)
		return serviceError(node, { ...report, itemIndex });
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	return inputError(node, error instanceof Error ? error.message : String(error), '', itemIndex);
}

/** The error with a word on how many of several items were done before it. */
export function withProgress(error: Error, done: number, all: number): Error {
	if (all > 1) error.message += `. ${done} of ${all} items were already done`;
	return error;
}

/** Whether the service refuses what it was asked for, rather than failing at it or asking to wait. */
export function isRefusal(error: unknown): boolean {
	return (
		error instanceof NodeApiError &&
		error.failure === undefined &&
		['400', '403', '404', '409', '414', '422'].includes(error.httpCode ?? '')
	);
}

export function isNotFound(error: unknown): boolean {
	return error instanceof NodeApiError && error.httpCode === '404';
}

const TEMPORARY = ['temporarily-unavailable', 'rate-limited', 'quota-exhausted'];

/**
 * Whether the service said, or the network shows, that it is down or busy only for now: not until a
 * time that is too far to be waited for.
 */
export function isTemporary(error: unknown): boolean {
	const failure = error instanceof NodeApiError ? error.failure : undefined;
	if (failure === undefined || !TEMPORARY.includes(failure.cause)) return false;
	return !('retryAfterMs' in failure);
}

const LONGEST_SAYING = 300;
const MOST_READ = 4000;

/** What an error answer says: the message in its JSON, its text, or its HTML without tags. */
export function extractServiceMessage(
	text: string,
	secrets: readonly string[],
): string | undefined {
	const start = text.slice(0, MOST_READ);
	const saying = redact(messageIn(parsed(text) ?? start, 0) ?? '', secrets)
		.replace(/\s+/g, ' ')
		.trim();
	if (saying === '') return undefined;
	return saying.length > LONGEST_SAYING ? `${saying.slice(0, LONGEST_SAYING)}…` : saying;
}

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
const DEEPEST = 4;
/** Other things in angle brackets, such as placeholders, belong to the message. */
const HTML = /<(!doctype|html|head|body|title|h[1-6]|p|div|span|br|pre|center)\b/i;

function messageIn(value: unknown, depth: number): string | undefined {
	if (typeof value === 'string')
		return HTML.test(value) ? withoutTags(value) : value.slice(0, MOST_READ);
	if (depth >= DEEPEST) return undefined;
	if (Array.isArray(value)) {
		const messages = value.slice(0, 3).map((entry) => messageIn(entry, depth + 1));
		return messages.filter((message) => message !== undefined).join('; ') || undefined;
	}
	if (!isObject(value)) return undefined;
	return messageOfObject(value, depth);
}

function messageOfObject(value: IDataObject, depth: number): string | undefined {
	for (const name of MESSAGE_NAMES) {
		const message = Object.hasOwn(value, name) ? messageIn(value[name], depth + 1) : undefined;
		if (message) return message;
	}
	return undefined;
}

function withoutTags(html: string): string {
	const body = html.slice(0, MOST_READ).replace(/<(script|style)\b[\s\S]*?(<\/\1>|$)/gi, ' ');
	return body.replace(/<[^>]*>?/g, ' ');
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
