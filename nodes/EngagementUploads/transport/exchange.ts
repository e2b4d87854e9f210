/**
 * One HTTP exchange with the service, or with its token endpoint, and what n8n adds to a request before it is sent
 * (`authenticate`). The result is plain data: whatever the service or the network does, `exchange` throws nothing.
 */
import {
	UserError,
	WorkflowOperationError,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type IN8nHttpFullResponse,
	type IPollFunctions,
} from 'n8n-workflow';
import { isObject } from '../values/objects';
import { resolveAddress, withClientId } from './address';
import { CREDENTIAL, type Credential } from './credential';
import { classifyTokenRequest, type Ending, type Failure } from './failures';
import type { Call } from './request';
import {
	ANY_RESPONSE,
	BEFORE_SENDING,
	errorToAnswer,
	NO_REDIRECTS,
	RENEW_TOKEN,
	toAnswer,
} from './n8nHttp';

export type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** One attempt to send a request to the service. */
interface Attempt extends Pick<Call, 'method' | 'body'> {
	/** absolute; may contain the placeholder for the client ID */
	url: string;
	/** milliseconds for the request itself, without the wait for a token */
	timeout: number;
	/** Ends the wait for a token, and the request. */
	signal: AbortSignal;
	/** Whether n8n renews the token after a 401. */
	renewsToken: boolean;
	/** Is called with the credential that is used, which a user may have edited meanwhile. */
	onSend(credential: Credential): void;
}

/** Sends a request to the service through n8n's helper, which fetches a token if there is none. */
export async function sendThroughN8n(context: ServiceContext, attempt: Attempt): Promise<Ending> {
	const { timeout, signal } = attempt;
	let wasSent = false;
	const beforeSending = (credential: Credential) => {
		// The signal cannot end n8n's wait for a token, but nothing is sent after it.
		signal.throwIfAborted();
		wasSent = true;
		attempt.onSend(credential);
		return AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
	};
	const options = { ...toOptions(attempt), [BEFORE_SENDING]: beforeSending };
	const { httpRequestWithAuthentication } = context.helpers;
	const ending = await exchange(
		async () => await httpRequestWithAuthentication.call(context, CREDENTIAL, options),
		timeout,
		signal,
	);
	if (wasSent || 'tokenFailure' in ending) return ending;
	// Nothing was sent. A status is that of MissingToken: n8n has got no token either.
	if ('status' in ending) return { end: 'blocked', detail: NO_TOKEN };
	if (ending.end === 'timeout') return { tokenFailure: classifyTokenRequest(ending) };
	return { end: 'blocked', detail: ending.detail };
}

function toOptions({ method, url, body, timeout, renewsToken }: Attempt): OwnOptions {
	const hasBody = body !== undefined;
	return {
		method,
		url,
		headers: { Accept: 'application/json', ...(hasBody && { 'Content-Type': 'application/json' }) },
		// n8n would not send an empty object.
		...(hasBody && { body: Object.keys(body).length > 0 ? body : '{}' }),
		timeout,
		...ANY_RESPONSE,
		...(renewsToken && RENEW_TOKEN),
	};
}

const NO_TOKEN = 'The credential has no token yet. Open the credential and save it again';

/**
 * Looks like a 401 of the service to n8n, which then fetches a token and goes on with the request. By
 * itself, n8n fetches one only if none is stored, so not if the stored one is from before an edit.
 */
class MissingToken extends UserError {
	readonly response = { status: 401 };
}

/** Options of this package's own requests. */
type OwnOptions = IHttpRequestOptions & {
	/** Receives the credential that is used. @throws if the request must not be sent any more */
	[BEFORE_SENDING]?(credential: Credential): AbortSignal;
};

/**
 * Adds token, key and client ID to a request.
 * @throws MissingToken if there is no token for this credential
 * @throws UserError if the request goes to another host
 */
export function authenticate(credential: Credential, options: OwnOptions): IHttpRequestOptions {
	const { base, token, subscriptionKey, clientId } = credential;
	const { url, uri } = options as OwnOptions & { uri?: string };
	const target = resolveAddress(base, String(url || uri || '').trim());
	if (token === '') throw new MissingToken(NO_TOKEN);
	const address = withClientId(target, clientId);
	// Not in the options that n8n is given, since it replaces a signal there with that of the execution.
	const abortSignal = options[BEFORE_SENDING]?.(credential);
	return {
		...options,
		baseURL: undefined,
		url: address,
		// The name in n8n's older helper, which the HTTP Request node uses.
		...('uri' in options && { uri: address }),
		...NO_REDIRECTS,
		...(abortSignal && { abortSignal }),
		headers: {
			...options.headers,
			Authorization: `Bearer ${token}`,
			'Ocp-Apim-Subscription-Key': subscriptionKey,
		},
	};
}

/** The failures of token requests, by the context of the error, which n8n keeps when it wraps one. */
const tokenFailures = new WeakMap<object, Failure>();

/** Why no token could be fetched; the credential's form shows the message. */
export class TokenError extends WorkflowOperationError {
	constructor(message: string, failure: Failure) {
		super(message);
		// Not in the error, which n8n may store or log, since the response may echo a secret.
		tokenFailures.set(this.context, failure);
	}
}

function findTokenFailure(error: unknown): Failure | undefined {
	const { context } = isObject(error) ? error : {};
	return isObject(context) ? tokenFailures.get(context) : undefined;
}

/** Sends a request, and waits for the answer or the signal: n8n's own timeout only measures silence. */
export async function exchange(
	send: () => Promise<unknown>,
	timeout: number,
	signal: AbortSignal,
): Promise<Ending> {
	try {
		return toAnswer((await untilAborted(send(), signal)) as IN8nHttpFullResponse);
	} catch (error) {
		const tokenFailure = findTokenFailure(error);
		if (tokenFailure !== undefined) return { tokenFailure };
		const answer = errorToAnswer(error);
		const isTimeout = 'end' in answer && answer.end === 'timeout';
		return isTimeout ? { ...answer, detail: printSeconds(timeout) } : answer;
	}
}

/** The result, unless the signal is aborted first. @throws the reason of the signal */
async function untilAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
	return await new Promise<T>((resolve, reject) => {
		const abort = () => reject(signal.reason as Error);
		signal.addEventListener('abort', abort);
		void result.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
	});
}

/** A duration in milliseconds, as in “1.5 seconds”. */
function printSeconds(milliseconds: number): string {
	const count = Math.ceil(milliseconds / 100) / 10;
	return `${count} second${count === 1 ? '' : 's'}`;
}

/** Signals accept whole milliseconds only, and no negative ones. */
export function toTimeout(milliseconds: number): number {
	return Math.ceil(Math.max(1, milliseconds));
}
