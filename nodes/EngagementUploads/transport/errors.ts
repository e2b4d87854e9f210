/**
 * Errors as the user reads them: what happened, what the service said, and what to do. They are
 * created only here, and contain neither the request nor its headers.
 */
import {
	NodeApiError,
	NodeOperationError,
	type INode,
	type NodeApiError as ApiError,
} from 'n8n-workflow';
import { InputError } from '../values/inputError';
import { declareFailure } from './n8nCompat';

export type Failure = NonNullable<ApiError['failure']>;

/** The parts of an error, in sentences without a final full stop. */
export interface ErrorReport {
	/** What was being attempted, as in “Could not get the users”. */
	purpose: string;
	problem: string;
	/** What the service said, redacted. */
	serviceMessage?: string;
	advice: string;
	status?: number;
	itemIndex?: number;
	/** Lets newer n8n versions retry a failed poll at the right time. */
	failure?: Failure;
	/** The service may have acted on the request. */
	isOutcomeUnknown?: boolean;
	/** The response has a success status, but its body could not be read. */
	isUnreadable?: true;
}

const reports = new WeakMap<Error, ErrorReport>();

/** An error of the service or of the network. */
export function serviceError(node: INode, report: ErrorReport): NodeApiError {
	const { purpose, problem, serviceMessage, advice, status, itemIndex, failure } = report;
	const quoted = serviceMessage === undefined ? '' : `. The service said: “${serviceMessage}”`;
	const message = `Could not ${purpose}: ${problem}${quoted}${itemSuffix(itemIndex)}`;
	const httpCode = status === undefined ? undefined : String(status);
	const error = new NodeApiError(
		node,
		{ message },
		{ message, description: advice, httpCode, itemIndex },
	);
	declareFailure(error, failure);
	reports.set(error, report);
	return error;
}

/** An error in the user's input. */
export function inputError(node: INode, message: string, advice: string, itemIndex?: number) {
	return new NodeOperationError(node, `${message}${itemSuffix(itemIndex)}`, {
		description: advice,
		itemIndex,
	});
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

/** The error for one item; a failed batch fails each of its items. */
export function forItem(error: unknown, itemIndex: number, node: INode): Error {
	const report = error instanceof Error ? reports.get(error) : undefined;
	if (report !== undefined && report.itemIndex === undefined)
		return serviceError(node, { ...report, itemIndex });
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const message = error instanceof Error ? error.message : String(error);
	return inputError(node, message, error instanceof InputError ? error.advice : '', itemIndex);
}

/** The report of an error of the service or of the network; undefined for other errors. */
export function reportOf(error: unknown): ErrorReport | undefined {
	return error instanceof Error ? reports.get(error) : undefined;
}

/** Whether the service may have acted on the request, although no response says so. */
export function isOutcomeUnknown(error: unknown): error is NodeApiError {
	return error instanceof NodeApiError && reports.get(error)?.isOutcomeUnknown === true;
}

const REFUSALS = ['400', '403', '404', '409', '414', '422'];

/** Whether the service rejected the request itself, rather than failing or asking to wait. */
export function isRefusal(error: unknown): boolean {
	return (
		error instanceof NodeApiError &&
		error.failure === undefined &&
		REFUSALS.includes(error.httpCode ?? '')
	);
}

export function isNotFound(error: unknown): boolean {
	return error instanceof NodeApiError && error.httpCode === '404';
}

const TEMPORARY = ['temporarily-unavailable', 'rate-limited', 'quota-exhausted'];

/**
 * Whether the service is down or busy only temporarily, not until a time too far ahead to wait for.
 */
export function isTemporary(error: unknown): boolean {
	const failure = error instanceof NodeApiError ? error.failure : undefined;
	if (failure === undefined || !TEMPORARY.includes(failure.cause)) return false;
	return !('retryAfterMs' in failure);
}
