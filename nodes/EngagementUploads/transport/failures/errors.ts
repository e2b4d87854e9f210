/**
 * Errors as the user reads them: what happened, what the service said, and what to do. They are
 * created only here, and contain neither the request nor its headers.
 */
import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { InputError } from '../../values/inputError';
import { isRedirect } from '../http/outcome';
import { MAX_RETRY_AFTER } from '../http/retry';
import { declareFailure, keepMessage } from '../n8nCompat';
import type { ApiRequest } from '../request';

export type Failure = NonNullable<NodeApiError['failure']>;

/** Causes that pass by themselves. */
export type TemporaryCause = 'rate-limited' | 'quota-exhausted' | 'temporarily-unavailable';

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

/** A failed request, and what it was for. */
type FailedRequest = Report & Pick<ApiRequest, 'purpose' | 'itemIndex'>;

const reports = new WeakMap<Error, FailedRequest>();

/** An error of the service or of the network. */
export function serviceError(node: INode, report: FailedRequest): NodeApiError {
	const { purpose, problem, serviceMessage, advice, status, itemIndex, failure } = report;
	const said = quoted('The service', serviceMessage);
	const message = `Could not ${purpose}: ${problem}${said}${itemSuffix(itemIndex)}`;
	const httpCode = status === undefined ? undefined : String(status);
	const options = { message, description: advice, httpCode, itemIndex };
	const error = keepMessage(new NodeApiError(node, { message }, options), message);
	declareFailure(error, failure);
	reports.set(error, report);
	return error;
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

/** An error in the user's input. */
export function inputError(node: INode, message: string, advice: string, itemIndex?: number) {
	const text = `${message}${itemSuffix(itemIndex)}`;
	return keepMessage(new NodeOperationError(node, text, { description: advice, itemIndex }), text);
}

function itemSuffix(itemIndex: number | undefined): string {
	return itemIndex === undefined ? '' : ` [item ${itemIndex}]`;
}

/** The full text of an error, for the `error` field of an item. */
export function fullText(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const advice =
		'description' in error && typeof error.description === 'string' ? error.description : '';
	return advice === '' || error.message.includes(advice)
		? error.message
		: `${error.message}. ${advice}`;
}

/** The error for one item, if it is about one; a failed batch fails each of its items. */
export function forItem(error: unknown, itemIndex: number | undefined, node: INode): Error {
	const report = reportOf(error);
	if (report !== undefined && report.itemIndex === undefined && itemIndex !== undefined)
		return serviceError(node, { ...report, itemIndex });
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const message = error instanceof Error ? error.message : String(error);
	return inputError(node, message, error instanceof InputError ? error.advice : '', itemIndex);
}

/** What a check returns. @throws its error, as one of the node */
export function checked<T>(node: INode, check: () => T, itemIndex?: number): T {
	try {
		return check();
	} catch (error) {
		throw forItem(error, itemIndex, node);
	}
}

/** The report of an error of the service or of the network; undefined for other errors. */
export function reportOf(error: unknown): FailedRequest | undefined {
	return error instanceof Error ? reports.get(error) : undefined;
}

/** Whether the service may have acted on the request, although no response says so. */
export function isOutcomeUnknown(error: unknown): error is NodeApiError {
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
