/**
 * One HTTP exchange through n8n's own helper, told as plain data: an answer, or how it came to
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
import { toNetworkError, type NetworkErrorKind } from './networkErrors';
import { isObject } from './answers';
import type { Trouble } from './retry';
import { TokenError } from './tokenRequest';

export const CREDENTIAL = 'engagementUploadsApi';

export type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** What came of an exchange. `text` is the body as sent. */
export type Exchange =
	| { status: number; headers: Record<string, unknown>; text: string }
	| { failure: 'unsent' | 'lost' | 'timeout' }
	/** The service has answered, in a way that cannot be read. */
	| { unreadable: string }
	/** Not sent, for a reason in GUI words; `trouble`: with the token request, which may be repeated. */
	| { refused: string; advice: string; declared?: Failure; trouble?: Trouble };

export interface Message {
	method: 'GET' | 'POST';
	/** absolute, may hold the placeholder for the client ID */
	url: string;
	body?: object;
	/** milliseconds for the whole exchange */
	timeout: number;
	/** Whether a 401 is answered by n8n with a new token and a second try. */
	renewToken: boolean;
}

/** Sends a message and reads the answer. */
export async function exchange(context: ServiceContext, message: Message): Promise<Exchange> {
	// n8n's own time-out counts silence only: this one ends an answer that drips in, too.
	const limit = AbortSignal.timeout(message.timeout);
	const signal = endOf(context, limit);
	const ended = endedBy(context, signal);
	try {
		const options = { ...optionsOf(message), abortSignal: limit };
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

function optionsOf({ method, url, body, timeout, renewToken }: Message): IHttpRequestOptions {
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

function answerOf(response: unknown): Exchange {
	const { statusCode, headers, body } = response as IN8nHttpFullResponse;
	return {
		status: statusCode,
		headers,
		text: typeof body === 'string' ? body : JSON.stringify(body ?? ''),
	};
}

/** n8n wraps what its HTTP client threw; what counts is the innermost error that tells something. */
function outcomeOf(error: unknown): Exchange {
	for (let cause = error; isObject(cause); cause = cause.cause) {
		const { response } = cause as { response?: unknown };
		// With a success status it is the answer's body that did not come through.
		if (isObject(response) && typeof response.status === 'number' && !isSuccess(response.status)) {
			const { status, headers, data } = response;
			return { status, headers: isObject(headers) ? headers : {}, text: toText(data) };
		}
		const found = toNetworkError(cause);
		if (found !== undefined) return outcomeOfTrouble(found);
	}
	return refusal(innermost(error));
}

function outcomeOfTrouble({
	code,
	trouble,
}: {
	code: string;
	trouble: NetworkErrorKind;
}): Exchange {
	switch (trouble) {
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
			return { failure: trouble };
	}
}

/** The trouble that may be over at the next try; undefined where trying again makes no sense. */
export function troubleOf(outcome: Exchange): Trouble | undefined {
	if ('unreadable' in outcome) return undefined;
	if ('refused' in outcome) return outcome.trouble;
	if ('failure' in outcome) return outcome;
	const { status, headers } = outcome;
	return { status, retryAfter: headers['retry-after'], date: headers.date };
}

/** Whether an HTTP status tells of success. */
export function isSuccess(status: number): boolean {
	return status >= 200 && status < 300;
}

function refusal(cause: unknown): Exchange {
	const text = cause instanceof Error ? cause.message : 'the request failed before it was sent';
	if (/redirects .*exceeded/i.test(text)) return { status: 302, headers: {}, text: '' };
	if (cause instanceof TokenError)
		return {
			refused: cause.happened,
			advice: cause.advice,
			declared: cause.failure,
			trouble: cause.trouble,
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
