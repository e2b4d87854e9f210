/**
 * One HTTP exchange through n8n's own helper, returned as plain data: a response, or why there is
 * none. Whatever the service or the network does, nothing is thrown here.
 */
import type {
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import { CREDENTIAL, type Credential } from '../credential/credential';
import { tokenFailureSince } from '../token';
import { ANY_RESPONSE, originalMessage, TOKEN_ATTEMPT, TokenAttempt } from '../n8nCompat';
import type { ApiRequest } from '../responses/request';
import { answerWithin, type Outcome, outcomeOf } from '../http/exchange';
import { systemClock } from '../http/clock';

export type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

interface HttpRequest extends Pick<ApiRequest, 'method' | 'body'> {
	/** absolute; may contain the placeholder for the client ID */
	url: string;
	/** milliseconds for the whole exchange */
	timeout: number;
	/** A token that the service has rejected: this request is sent with another one. */
	rejectedToken?: string;
}

/**
 * Sends a request and reads the response; `token` and `secrets`: those that it was sent with, if it was
 * sent, since a credential may be edited during an execution.
 */
export async function sendRequest(
	context: ServiceContext,
	credential: Credential,
	request: HttpRequest,
	cancelled?: AbortSignal,
): Promise<{ outcome: Outcome; token?: string; secrets: string[] }> {
	const startedAt = systemClock.now();
	const attempt = new TokenAttempt(request.rejectedToken);
	const send = async (signal: AbortSignal) => {
		attempt.signal = signal;
		const options = { ...optionsOf(request), [TOKEN_ATTEMPT]: attempt };
		const { httpRequestWithAuthentication } = context.helpers;
		return await httpRequestWithAuthentication.call(context, CREDENTIAL, options);
	};
	// The wait for a token cannot be aborted, but without a token, nothing is sent after it.
	const outcome = await answerWithin(request.timeout, send, cancelled).catch(
		(error: unknown): Outcome => {
			const thrown = outcomeOf(error);
			if (attempt.token !== undefined) return thrown;
			const failure = tokenFailureSince(credential, startedAt);
			const isTimeout = 'network' in thrown && thrown.network === 'timeout';
			if (failure !== undefined || isTimeout) return { withoutToken: failure ?? thrown };
			return { notSent: originalMessage(error) };
		},
	);
	return { outcome, token: attempt.token, secrets: attempt.secrets };
}

function optionsOf({ method, url, body, timeout }: HttpRequest): IHttpRequestOptions {
	return {
		method,
		url,
		headers: { Accept: 'application/json', ...(body && { 'Content-Type': 'application/json' }) },
		...(body && { body }),
		timeout,
		...ANY_RESPONSE,
	};
}
