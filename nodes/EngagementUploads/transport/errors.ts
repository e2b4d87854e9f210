/**
 * Failures of requests as errors, and what follows from them. n8n's own errors are made only where n8n
 * takes over, since making one costs much more: thousands of items may fail for one reason.
 */
import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { InputError } from '../values/inputError';
import type { Fault } from './failures';
import { CHECK_SERVICE, quoted, type Report } from './messages';

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

/** Everything that an error says, for the `error` field of an item. */
export function fullText(error: unknown, itemIndex?: number): string {
	const { message, advice } = describeError(error, itemIndex);
	return advice === '' || message.includes(advice) ? message : `${message}. ${advice}`;
}

/** n8n's error for a failure, perhaps of one item; n8n's own errors stay as they are. */
export function nodeError(
	node: INode,
	error: unknown,
	itemIndex?: number,
): NodeApiError | NodeOperationError {
	if (isNodeError(error)) return error;
	const { message, advice: description, index } = describeError(error, itemIndex);
	const { status, failure } = findReport(error) ?? {};
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
function describeError(error: unknown, itemIndex: number | undefined) {
	if (isNodeError(error)) return { message: error.message, advice: error.description ?? '' };
	const index = (error instanceof ServiceFailure ? error.itemIndex : undefined) ?? itemIndex;
	const suffix = index === undefined ? '' : ` [item ${index}]`;
	const message = `${error instanceof Error ? error.message : String(error)}${suffix}`;
	const advice = error instanceof InputError ? error.advice : (findReport(error)?.advice ?? '');
	return { message, advice, index };
}

/** The report of a failed request; undefined for other errors. */
export function findReport(error: unknown): Report | undefined {
	return error instanceof ServiceFailure ? error.report : undefined;
}

/** Whether the service may have acted on the request, although no response says so. */
export function isOutcomeUnknown(error: unknown): error is ServiceFailure {
	return findReport(error)?.isOutcomeUnknown === true;
}

/**
 * An unexpected error during a write leaves its outcome unknown, since the service may already have
 * acted.
 */
export function asUnknownOutcome(error: unknown): unknown {
	const isForeseen = [ServiceFailure, InputError].some((type) => error instanceof type);
	if (isForeseen || isNodeError(error)) return error;
	return new ServiceFailure('carry out the write', {
		problem: `the outcome is unknown because of an error in this node (${String(error)})`,
		advice: CHECK_SERVICE,
		fault: 'request',
		failure: { cause: 'temporarily-unavailable' },
		isOutcomeUnknown: true,
	});
}

export function isNotFound(error: unknown): boolean {
	return findReport(error)?.status === 404;
}

/** Whether the same request may soon succeed: whoever waits for something can go on waiting. */
export function isTemporary(error: unknown): boolean {
	const { failure } = findReport(error) ?? {};
	if (failure === undefined || 'retryAfterMs' in failure) return false;
	return !['configuration-invalid', 'credential-invalid'].includes(failure.cause);
}

/** What is at fault in a failed request. Any other error counts as `access`: all would fail alike. */
export function findFault(error: unknown): Fault {
	return findReport(error)?.fault ?? 'access';
}

/** Whether a request for something else, or for less, may succeed. */
export function isAboutRequest(error: unknown): boolean {
	return ['request', 'service'].includes(findFault(error));
}
