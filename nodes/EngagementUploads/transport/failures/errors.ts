/**
 * Failures of requests, as everything here passes them on, and what the user reads of them: what
 * happened, what the service said, and what to do. n8n's own errors are made only where n8n takes
 * over, since making one costs much more: thousands of items may fail for one reason.
 */
import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { InputError } from '../../values/inputError';
import { isRedirect } from '../http/exchange';
import type { Failure } from './failureTable';
import { MAX_RETRY_AFTER } from './retry';

/** How a request failed, in clauses and sentences without a final full stop. */
export interface Report {
	problem: string;
	/** What the service said, redacted. */
	serviceMessage?: string;
	advice: string;
	status?: number;
	/** Lets newer n8n versions retry a failed poll at the right time. */
	failure?: Failure;
	/** The service may have acted on the request. */
	isOutcomeUnknown?: boolean;
	/** The response has a success status, but its body could not be read. */
	isUnreadable?: true;
}

/** A failed request, and what it was for. It contains neither the request nor its headers. */
export class ServiceFailure extends Error {
	constructor(
		/** Completes “Could not …”. */
		readonly purpose: string,
		readonly report: Report,
		/** The item that it is about; undefined if several items share the request. */
		readonly itemIndex?: number,
	) {
		super(`Could not ${purpose}: ${report.problem}${quoted('The service', report.serviceMessage)}`);
	}
}

/** What the service said, if anything, after the problem. */
export function quoted(who: string, serviceMessage: string | undefined): string {
	return serviceMessage === undefined ? '' : `. ${who} said: “${serviceMessage}”`;
}

/** A duration in milliseconds, as in “1.5 seconds”. */
export function seconds(milliseconds: number): string {
	const count = Math.ceil(milliseconds / 100) / 10;
	return `${count} second${count === 1 ? '' : 's'}`;
}

/** Everything that an error says, for the `error` field of an item. */
export function fullText(error: unknown, itemIndex?: number): string {
	const { message, advice } = textsOf(error, itemIndex);
	return advice === '' || message.includes(advice) ? message : `${message}. ${advice}`;
}

/** n8n's error for a failure, perhaps of one item; n8n's own errors stay as they are. */
export function nodeError(
	node: INode,
	error: unknown,
	itemIndex?: number,
): NodeApiError | NodeOperationError {
	if (isNodeError(error)) return error;
	const { message, advice: description, index } = textsOf(error, itemIndex);
	const { status, failure } = reportOf(error) ?? {};
	const httpCode = status === undefined ? undefined : String(status);
	const options = { message, description, httpCode, itemIndex: index };
	const made =
		error instanceof ServiceFailure
			? new NodeApiError(node, { message }, options)
			: new NodeOperationError(node, message, options);
	// Set afterwards: n8n replaces a message in which it finds a word such as ETIMEDOUT or EPERM, even
	// within a name, and takes a `failure` only from 2.37 on.
	return Object.assign(made, { message, failure });
}

function isNodeError(error: unknown): error is NodeApiError | NodeOperationError {
	return error instanceof NodeApiError || error instanceof NodeOperationError;
}

/** Message and advice of an error, and the item that it names. */
function textsOf(error: unknown, itemIndex: number | undefined) {
	if (isNodeError(error)) return { message: error.message, advice: error.description ?? '' };
	const index = (error instanceof ServiceFailure ? error.itemIndex : undefined) ?? itemIndex;
	const suffix = index === undefined ? '' : ` [item ${index}]`;
	const message = `${error instanceof Error ? error.message : String(error)}${suffix}`;
	const advice = error instanceof InputError ? error.advice : (reportOf(error)?.advice ?? '');
	return { message, advice, index };
}

/** The report of a failed request; undefined for other errors. */
export function reportOf(error: unknown): Report | undefined {
	return error instanceof ServiceFailure ? error.report : undefined;
}

/** Whether the service may have acted on the request, although no response says so. */
export function isOutcomeUnknown(error: unknown): error is ServiceFailure {
	return reportOf(error)?.isOutcomeUnknown === true;
}

/**
 * Whether the service rejected the request itself (4xx), rather than its token or key, and without
 * asking to wait.
 */
export function isRejected(error: unknown): boolean {
	const { status = 0, failure } = reportOf(error) ?? {};
	return status >= 400 && status < 500 && failure === undefined;
}

export function isNotFound(error: unknown): boolean {
	return reportOf(error)?.status === 404;
}

/**
 * Whether the service is down or busy only temporarily, not until a time too far ahead to wait for.
 */
export function isTemporary(error: unknown): boolean {
	const { failure } = reportOf(error) ?? {};
	if (failure === undefined || 'retryAfterMs' in failure) return false;
	return !['configuration-invalid', 'credential-invalid'].includes(failure.cause);
}

/** Whether the service kept failing on a request (5xx), without asking to wait. */
export function isServerFailure(error: unknown): boolean {
	return isTemporary(error) && (reportOf(error)?.status ?? 0) >= 500;
}

/**
 * Where the fault lies: in what was asked for; in the `connection`, or in a service that is down for
 * a while, which may affect a single request or all of them; or in the `access` (a token, a key or a
 * quota), so that every other request would fail too.
 */
export function faultOf(error: unknown): 'request' | 'connection' | 'access' {
	const { status, failure, isUnreadable } = reportOf(error) ?? {};
	if (isUnreadable || isRedirect(status)) return 'request';
	if (failure === undefined) return status === undefined ? 'access' : 'request';
	if (failure.cause !== 'temporarily-unavailable') return 'access';
	const isLong = 'retryAfterMs' in failure && (failure.retryAfterMs ?? 0) > MAX_RETRY_AFTER;
	return status === undefined || isLong ? 'connection' : 'request';
}
