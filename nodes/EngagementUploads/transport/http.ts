/**
 * One HTTP exchange through n8n's own helper, returned as plain data: an answer, or why there is
 * none. Nothing is thrown here for what the service or the network does.
 */
import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IPollFunctions,
} from 'n8n-workflow';
import type { Failure } from './errors';
import { originalMessage, Passage, readBody, untilAborted, withPassage } from './n8nCompat';
import { findNetworkError, type NetworkError } from './networkErrors';
import type { AttemptFailure } from './retry';
import { tokenFailureSince } from './token';
import { TokenError } from './tokenRequest';

export const CREDENTIAL = 'engagementUploadsApi';

export type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** The outcome of a request. `text` is the body as sent. */
export type HttpOutcome =
	| { status: number; headers: Record<string, unknown>; text: string }
	| { failure: 'unsent' | 'lost' | 'timeout' }
	/** The service has answered, in a way that cannot be read. */
	| { unreadable: string }
	/** Not sent, for a reason in the editor's words; `attemptFailure`: of the token request, which may be repeated. */
	| { refused: string; advice: string; declared?: Failure; attemptFailure?: AttemptFailure };

export interface HttpRequest {
	method: 'GET' | 'POST';
	/** absolute, may hold the placeholder for the client ID */
	url: string;
	body?: object;
	/** milliseconds for the whole exchange */
	timeout: number;
	/** Whether a 401 is answered with a new token and a second attempt. */
	renewToken: boolean;
}

/** Sends a request, again with a new token where the service rejects the first, and reads the answer. */
export async function sendRequest(
	context: ServiceContext,
	credential: ICredentialDataDecryptedObject,
	request: HttpRequest,
): Promise<HttpOutcome> {
	// n8n's own time-out counts silence only: this one ends an answer that drips in, too.
	const limit = AbortSignal.timeout(request.timeout);
	const startedAt = Date.now();
	const send = async (passage: Passage): Promise<HttpOutcome> => {
		try {
			return await sendOnce(context, request, passage, limit);
		} catch (error) {
			if (limit.aborted) return { failure: 'timeout' };
			const isUnsent = passage.token === undefined;
			return outcomeOf((isUnsent && tokenFailureSince(credential, startedAt)) || error);
		}
	};
	const first = new Passage();
	const outcome = await send(first);
	if (!request.renewToken || !('status' in outcome) || outcome.status !== 401) return outcome;
	// Other requests may have met the same rejected token meanwhile, and failed to get a new one.
	const failure = tokenFailureSince(credential, startedAt);
	return failure === undefined ? await send(new Passage(first.token)) : outcomeOf(failure);
}

async function sendOnce(
	context: ServiceContext,
	request: HttpRequest,
	passage: Passage,
	limit: AbortSignal,
): Promise<HttpOutcome> {
	const signal = endOf(context, limit);
	signal.throwIfAborted();
	const options = withPassage({ ...optionsOf(request), abortSignal: limit }, passage);
	const { httpRequestWithAuthentication: send } = context.helpers;
	const answer = send.call(endedBy(context, signal), CREDENTIAL, options).then(readAnswer);
	// The wait for a token has no signal of its own; without a token nothing is sent after the end.
	return await untilAborted(answer, signal);
}

function endOf(context: ServiceContext, limit: AbortSignal): AbortSignal {
	const cancel =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	return cancel === undefined ? limit : AbortSignal.any([cancel, limit]);
}

/**
 * The context with a cancel signal that fires at the limit too. In an execution n8n's HTTP helper
 * puts the context's signal in the place of the request's; shared by all requests, that one would
 * draw a warning of too many listeners besides.
 */
function endedBy(context: ServiceContext, signal: AbortSignal): ServiceContext {
	if (!('getExecutionCancelSignal' in context)) return context;
	return new Proxy(context, {
		get(target, name) {
			if (name === 'getExecutionCancelSignal') return () => signal;
			const value: unknown = Reflect.get(target, name);
			return typeof value === 'function' ? value.bind(target) : value;
		},
	});
}

function optionsOf({ method, url, body, timeout }: HttpRequest): IHttpRequestOptions {
	return {
		method,
		url,
		headers: { Accept: 'application/json', ...(body && { 'Content-Type': 'application/json' }) },
		...(body && { body }),
		timeout,
		encoding: 'stream',
		returnFullResponse: true,
		// n8n would send token and key along to whichever host a redirect names.
		disableFollowRedirect: true,
		ignoreHttpStatusErrors: true,
	};
}

/** The answer of a response, whose body may be a stream. */
export async function readAnswer(response: unknown): Promise<HttpOutcome> {
	const { statusCode: status, headers, body } = response as IN8nHttpFullResponse;
	const text = await readBody(body).catch(async (error: unknown) => {
		// Without success, the status tells enough.
		return isSuccess(status) ? await Promise.reject(error) : '';
	});
	return { status, headers, text };
}

/** The outcome of a request for which n8n's HTTP helper threw an error. */
export function outcomeOf(error: unknown): HttpOutcome {
	if (error instanceof TokenError)
		return {
			refused: error.happened,
			advice: error.advice,
			declared: error.failure,
			attemptFailure: error.attemptFailure,
		};
	const found = findNetworkError(error);
	if (found !== undefined) return outcomeOfNetworkError(found);
	return { refused: originalMessage(error), advice: 'Check the credential' };
}

function outcomeOfNetworkError({ code, kind }: NetworkError): HttpOutcome {
	switch (kind) {
		case 'unpackable':
			return { unreadable: 'it is not compressed as it says' };
		case 'unsendable':
			return {
				refused: 'token or key hold characters that cannot be sent',
				advice: 'Enter token and Subscription Key in the credential again',
			};
		case 'untrusted':
			return {
				refused: `no safe connection could be made (${code})`,
				advice: 'Check the Base URL of the credential and the certificate of the service',
			};
		default:
			return { failure: kind };
	}
}

/** The failure that may be over at the next attempt; undefined where another attempt makes no sense. */
export function toAttemptFailure(outcome: HttpOutcome): AttemptFailure | undefined {
	if ('unreadable' in outcome) return undefined;
	if ('refused' in outcome) return outcome.attemptFailure;
	if ('failure' in outcome) return outcome;
	const { status, headers } = outcome;
	return { status, retryAfter: headers['retry-after'], date: headers.date };
}

/** Whether an HTTP status tells of success. */
export function isSuccess(status: number): boolean {
	return status >= 200 && status < 300;
}
