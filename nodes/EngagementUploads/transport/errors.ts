/**
 * Failed requests as errors, and what follows from them. n8n's own errors are created only where n8n takes
 * over: they cost much more, and thousands of items may fail.
 */
import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { InputError } from '../values/inputError';
import type { Failure, Fault, N8nFailure } from './failures';
import { CHECK_SERVICE, quoteMessage, type FailureTexts } from './messages';

/** A failed request. It contains neither the request nor its headers, nor the body of the response. */
export class ServiceFailure extends Error {
	constructor(
		/** Completes “Could not …”. */
		readonly purpose: string,
		readonly failure: Omit<Failure, 'kind' | 'body'> & { until?: number },
		readonly texts: FailureTexts,
	) {
		const said = quoteMessage('The service', texts.serviceMessage);
		super(`Could not ${purpose}: ${texts.problem}${said}`);
	}

	/** The same failure with other advice. */
	withAdvice(advice: string): ServiceFailure {
		return new ServiceFailure(this.purpose, this.failure, { ...this.texts, advice });
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
	const { message, advice: description } = describeError(error, itemIndex);
	const status = findStatus(error);
	const httpCode = status === undefined ? undefined : String(status);
	const options = { message, description, httpCode, itemIndex };
	const created =
		error instanceof ServiceFailure
			? new NodeApiError(node, { message }, options)
			: new NodeOperationError(node, message, options);
	// Set afterwards, since n8n replaces a message in which it finds a word such as ETIMEDOUT or EPERM,
	// even within a name, and accepts a `failure` only from 2.37 on.
	return Object.assign(created, { message, failure: toN8nFailure(findFailure(error)) });
}

/** Tells n8n why the request failed, and after how long it may try again. */
function toN8nFailure(failure: ServiceFailure['failure'] | undefined): N8nFailure | undefined {
	const { cause, until, retryAfter = 0 } = failure ?? {};
	if (cause === undefined) return undefined;
	return until === undefined ? { cause } : { cause, retryAfterMs: Math.ceil(retryAfter) };
}

function isNodeError(error: unknown): error is NodeApiError | NodeOperationError {
	return error instanceof NodeApiError || error instanceof NodeOperationError;
}

/** Message and advice of an error; the message names the item. */
function describeError(error: unknown, itemIndex: number | undefined) {
	if (isNodeError(error)) return { message: error.message, advice: error.description ?? '' };
	const suffix = itemIndex === undefined ? '' : ` [item ${itemIndex}]`;
	const message = `${error instanceof Error ? error.message : String(error)}${suffix}`;
	if (error instanceof ServiceFailure) return { message, advice: error.texts.advice };
	return { message, advice: error instanceof InputError ? error.advice : '' };
}

/** How a request failed; undefined for other errors. */
export function findFailure(error: unknown): ServiceFailure['failure'] | undefined {
	return error instanceof ServiceFailure ? error.failure : undefined;
}

/** The status with which the service answered a request; undefined if it did not, or for other errors. */
export function findStatus(error: unknown): number | undefined {
	const { status, isTokenRequest } = findFailure(error) ?? {};
	return isTokenRequest ? undefined : status;
}

/** Whether the service may have acted on the request, although no response says so. */
export function isOutcomeUnknown(error: unknown): error is ServiceFailure {
	return findFailure(error)?.isOutcomeUnknown === true;
}

/** An unexpected error during a write leaves its outcome unknown: the service may have acted. */
export function asUnknownOutcome(error: unknown): unknown {
	const isExpected = [ServiceFailure, InputError].some((type) => error instanceof type);
	if (isExpected || isNodeError(error)) return error;
	return new ServiceFailure(
		'carry out the write',
		{ fault: 'request', cause: 'temporarily-unavailable', isOutcomeUnknown: true },
		{
			problem: `the outcome is unknown because of an error in this node (${String(error)})`,
			advice: CHECK_SERVICE,
		},
	);
}

/** Whether the same request may soon succeed, so that waiting for something can go on. */
export function isTemporary(error: unknown): boolean {
	const { cause = 'configuration-invalid', until } = findFailure(error) ?? {};
	return until === undefined && !['configuration-invalid', 'credential-invalid'].includes(cause);
}

/** Throws a caught error again, which n8n's linter otherwise allows only for n8n's own errors. */
export function rethrow(error: unknown): never {
	throw error;
}

/** What caused a request to fail; `access` for any other error. */
export function findFault(error: unknown): Fault {
	return findFailure(error)?.fault ?? 'access';
}

/** Whether the error is about what was asked for, so that asking for less or for other things may succeed. */
export function isAboutRequest(error: unknown): boolean {
	return !['access', 'connection'].includes(findFault(error));
}
