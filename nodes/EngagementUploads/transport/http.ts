/**
 * One HTTP exchange through n8n's own helper, returned as plain data: an answer, or why there is
 * none. Nothing is thrown here for what the service or the network does.
 */
import type {
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IPollFunctions,
} from 'n8n-workflow';
import type { Failure } from './errors';
import { toNetworkError, type NetworkError } from './networkErrors';
import { isObject } from '../values/objects';
import type { AttemptFailure } from './retry';
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
	/** Whether a 401 is answered by n8n with a new token and a second try. */
	renewToken: boolean;
}

/** Sends a request and reads the answer. */
export async function sendRequest(
	context: ServiceContext,
	request: HttpRequest,
): Promise<HttpOutcome> {
	// n8n's own time-out counts silence only: this one ends an answer that drips in, too.
	const limit = AbortSignal.timeout(request.timeout);
	const signal = endOf(context, limit);
	const ended = endedBy(context, signal);
	try {
		const options = { ...optionsOf(request), abortSignal: limit };
		const { httpRequestWithAuthentication: send } = context.helpers;
		return answerOf(await unlessEnded(send.call(ended, CREDENTIAL, options), signal));
	} catch (error) {
		return limit.aborted ? { failure: 'timeout' } : outcomeOf(error);
	}
}

function endOf(context: ServiceContext, limit: AbortSignal): AbortSignal {
	const cancel =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	return cancel === undefined ? limit : AbortSignal.any([cancel, limit]);
}

/** The wait for a token has no signal of its own; without a token nothing is sent after the end. */
async function unlessEnded<T>(request: Promise<T>, signal: AbortSignal): Promise<T> {
	return await new Promise<T>((resolve, reject) => {
		const end = () => reject(signal.reason as Error);
		signal.addEventListener('abort', end, { once: true });
		void request.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
	});
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

function optionsOf({ method, url, body, timeout, renewToken }: HttpRequest): IHttpRequestOptions {
	return {
		method,
		url,
		headers: { Accept: 'application/json', ...(body && { 'Content-Type': 'application/json' }) },
		...(body && { body }),
		timeout,
		encoding: 'text',
		returnFullResponse: true,
		// n8n would send token and key along to whichever host a redirect names.
		disableFollowRedirect: true,
		ignoreHttpStatusErrors: renewToken ? { ignore: true, except: [401] } : true,
	};
}

function answerOf(response: unknown): HttpOutcome {
	const { statusCode, headers, body } = response as IN8nHttpFullResponse;
	return {
		status: statusCode,
		headers,
		text: typeof body === 'string' ? body : JSON.stringify(body ?? ''),
	};
}

/** n8n wraps what its HTTP client threw; what counts is the innermost error that tells something. */
function outcomeOf(error: unknown): HttpOutcome {
	for (let cause = error; isObject(cause); cause = cause.cause) {
		const { response } = cause as { response?: unknown };
		// With a success status it is the answer's body that did not come through.
		if (isObject(response) && typeof response.status === 'number' && !isSuccess(response.status)) {
			const { status, headers, data } = response;
			return { status, headers: isObject(headers) ? headers : {}, text: toText(data) };
		}
		const found = toNetworkError(cause);
		if (found !== undefined) return outcomeOfNetworkError(found);
	}
	return refusal(innermost(error));
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

function refusal(cause: unknown): HttpOutcome {
	const text = cause instanceof Error ? cause.message : 'the request failed before it was sent';
	if (/redirects .*exceeded/i.test(text)) return { status: 302, headers: {}, text: '' };
	if (cause instanceof TokenError)
		return {
			refused: cause.happened,
			advice: cause.advice,
			declared: cause.failure,
			attemptFailure: cause.attemptFailure,
		};
	return { refused: text, advice: 'Check the credential' };
}

function innermost(error: unknown): unknown {
	let inner = error;
	while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
	return inner;
}

function toText(data: unknown): string {
	return typeof data === 'string' ? data : JSON.stringify(data ?? '');
}
