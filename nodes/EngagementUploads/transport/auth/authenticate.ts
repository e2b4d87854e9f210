/** Adds the token and key to a request, and rejects requests to other hosts. */
import type { IHttpRequestOptions } from 'n8n-workflow';
import { addressOf, isAbsolute, withClientId } from '../http/address';
import { NO_REDIRECTS, RejectedToken, TOKEN_ATTEMPT, type TokenAttempt } from '../n8nCompat';
import type { Credential } from './credential';

/**
 * @throws RejectedToken if there is no token for this credential: n8n then fetches one and continues
 * @throws UserError if the request goes to another host
 */
export function authenticate(
	credential: Credential,
	options: IHttpRequestOptions & { [TOKEN_ATTEMPT]?: TokenAttempt },
): IHttpRequestOptions {
	const { token, subscriptionKey, clientId } = credential;
	const target = targetIn(credential, options);
	if (token === '')
		throw new RejectedToken(
			'The credential has no token yet. Open the credential and save it again',
		);
	const address = withClientId(target, clientId);
	const attempt = options[TOKEN_ATTEMPT];
	const request = {
		...options,
		baseURL: undefined,
		url: address,
		// The name in n8n's older helper, which the HTTP Request node uses.
		...('uri' in options && { uri: address }),
		...NO_REDIRECTS,
		...(attempt && { abortSignal: attempt.signal }),
		headers: {
			...options.headers,
			Authorization: `Bearer ${token}`,
			'Ocp-Apim-Subscription-Key': subscriptionKey,
		},
	};
	attempt?.admit(token);
	return request;
}

function targetIn({ base }: Credential, options: IHttpRequestOptions & { uri?: unknown }): string {
	const target = String(options.url || options.uri || '').trim();
	return isAbsolute(target)
		? addressOf(base, target)
		: addressOf(addressOf(base, options.baseURL ?? '').replace(/\/+$/, ''), target);
}
