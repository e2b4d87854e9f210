/**
 * One HTTP exchange through n8n's own helper, returned as plain data: a response, or why there is
 * none. Whatever the service or the network does, nothing is thrown here.
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
import type { Deadlines } from './deadlines';
import { originalMessage, Passage, readBody, withPassage } from './n8nCompat';
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
	/** The service responded, but the response cannot be read. */
	| { unreadable: string }
	/**
	 * Not sent, for a reason in the editor's terms; `attemptFailure`: of the token request, which may
	 * be repeated.
	 */
	| { refused: string; advice: string; declared?: Failure; attemptFailure?: AttemptFailure };

export interface HttpRequest {
	method: 'GET' | 'POST';
	/** absolute; may contain the placeholder for the client ID */
	url: string;
	body?: object;
	/** milliseconds for the whole exchange */
	timeout: number;
	/** Whether a 401 leads to a new token and a second attempt. */
	renewToken: boolean;
}

/**
 * Sends a request and reads the response; sends it again with a new token if the service rejects
 * the first.
 */
export async function sendRequest(
	context: ServiceContext,
	credential: ICredentialDataDecryptedObject,
	request: HttpRequest,
	deadlines: Deadlines,
): Promise<HttpOutcome> {
	const startedAt = Date.now();
	const send = async (passage: Passage): Promise<HttpOutcome> => {
		try {
			return await sendOnce(context, request, passage);
		} catch (error) {
			const isUnsent = passage.token === undefined;
			return outcomeOf((isUnsent && tokenFailureSince(credential, startedAt)) || error);
		}
	};
	// n8n's own timeout only measures silence. This one also ends a response that trickles in, and
	// the wait for a token, which cannot be aborted; without a token, nothing is sent after it.
	const exchange = deadlines.within(request.timeout, async (signal) => {
		const first = new Passage(signal);
		const outcome = await send(first);
		if (!request.renewToken || !('status' in outcome) || outcome.status !== 401) return outcome;
		// Other requests may have met the same rejected token meanwhile and failed to get a new one.
		const failure = tokenFailureSince(credential, startedAt);
		return failure === undefined
			? await send(new Passage(signal, first.token))
			: outcomeOf(failure);
	});
	return await exchange.catch(outcomeOf);
}

async function sendOnce(
	context: ServiceContext,
	request: HttpRequest,
	passage: Passage,
): Promise<HttpOutcome> {
	passage.signal.throwIfAborted();
	const options = withPassage(optionsOf(request), passage);
	const { httpRequestWithAuthentication: send } = context.helpers;
	return await readAnswer(await send.call(context, CREDENTIAL, options));
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
		// n8n would send the token and key to whichever host a redirect names.
		disableFollowRedirect: true,
		ignoreHttpStatusErrors: true,
	};
}

/** The outcome of a response, whose body may be a stream. */
export async function readAnswer(response: unknown): Promise<HttpOutcome> {
	const { statusCode: status, headers, body } = response as IN8nHttpFullResponse;
	const text = await readBody(body).catch(async (error: unknown) => {
		// If it failed, the status is enough.
		return isSuccess(status) ? await Promise.reject(error) : '';
	});
	return { status, headers, text };
}

/** The outcome of a request for which n8n's HTTP helper threw an error. */
export function outcomeOf(error: unknown): HttpOutcome {
	if (error instanceof TokenError)
		return {
			refused: error.problem,
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
			return { unreadable: 'it could not be decompressed' };
		case 'unsendable':
			return {
				refused: 'the token or key contains an invalid character',
				advice: 'Enter token and Subscription Key in the credential again',
			};
		case 'untrusted':
			return {
				refused: `no secure connection could be made (${code})`,
				advice: 'Check the Base URL of the credential and the certificate of the service',
			};
		default:
			return { failure: kind };
	}
}

/** The failure, if another attempt may succeed; undefined if a retry makes no sense. */
export function toAttemptFailure(outcome: HttpOutcome): AttemptFailure | undefined {
	if ('unreadable' in outcome) return undefined;
	if ('refused' in outcome) return outcome.attemptFailure;
	if ('failure' in outcome) return outcome;
	const { status, headers } = outcome;
	return { status, retryAfter: headers['retry-after'], date: headers.date };
}

/** Whether an HTTP status means success. */
export function isSuccess(status: number): boolean {
	return status >= 200 && status < 300;
}
