/**
 * Failed requests as errors, and what follows from them. n8n's own errors are created only where n8n takes
 * over: they cost much more, and thousands of items may fail.
 */
import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { InputError } from '../values/inputError';
import type { Fault } from './failures';
import { CHECK_SERVICE, quoteMessage, type Report } from './messages';

/** A failed request. It contains neither the request nor its headers. */
export class ServiceFailure extends Error {
	constructor(
		/** Completes “Could not …”. */
		readonly purpose: string,
		readonly report: Report,
		/** The item that the request was for; undefined if several items share it. */
		readonly itemIndex?: number,
	) {
		super(
			`Could not ${purpose}: ${report.problem}${quoteMessage('The service', report.serviceMessage)}`,
		);
	}
}

/** Message and advice of an error, for the `error` field of an item. */
export function fullText(error: unknown, itemIndex?: number): string {
	const { message, advice } = describeError(error, itemIndex);
	return advice === '' || message.includes(advice) ? message : `${message}. ${advice}`;
}

/** An error as n8n's own, which names the item if it is about one. */
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
	const apiError =
		error instanceof ServiceFailure
			? new NodeApiError(node, { message }, options)
			: new NodeOperationError(node, message, options);
	// Set afterwards, since n8n replaces a message in which it finds a word such as ETIMEDOUT or EPERM,
	// even within a name, and accepts a `failure` only from 2.37 on.
	return Object.assign(apiError, { message, failure });
}

function isNodeError(error: unknown): error is NodeApiError | NodeOperationError {
	return error instanceof NodeApiError || error instanceof NodeOperationError;
}

/** Message and advice of an error, and the item that it is about. */
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

/** An unexpected error during a write leaves its outcome unknown: the service may have acted. */
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

/** Whether the same request may soon succeed, so that waiting for something can go on. */
export function isTemporary(error: unknown): boolean {
	const { failure } = findReport(error) ?? {};
	if (failure === undefined || 'retryAfterMs' in failure) return false;
	return !['configuration-invalid', 'credential-invalid'].includes(failure.cause);
}

/** Throws a caught error again, which n8n's linter otherwise allows only for n8n's own errors. */
export function rethrow(error: unknown): never {
	throw error;
}

/** What caused a request to fail. Any other error counts as `access`, since all would fail alike. */
export function findFault(error: unknown): Fault {
	return findReport(error)?.fault ?? 'access';
}

/** Whether the error is about what was asked for, so that asking for less or for other things may succeed. */
export function isAboutRequest(error: unknown): boolean {
	return ['request', 'service'].includes(findFault(error));
}
