/** Adds the token and key to a request, and rejects requests to other hosts. */
import {
	UserError,
	type ICredentialDataDecryptedObject,
	type IHttpRequestOptions,
} from 'n8n-workflow';
import { addressOf, isAbsolute, serviceBase, serviceZone, withClientId } from './address';
import { NO_REDIRECTS, passageOf } from './n8nCompat';
import { bearer } from './tokenRequest';
import { isEmpty } from '../values/text';

/** @throws UserError if the credential is incomplete, or the request goes to another host */
export function authenticate(
	credential: ICredentialDataDecryptedObject,
	options: IHttpRequestOptions,
): IHttpRequestOptions {
	const token = tokenOf(credential);
	const address = addressIn(credential, options);
	const passage = passageOf(options);
	const request = {
		...options,
		baseURL: undefined,
		url: address,
		// The name in n8n's older helper, which the HTTP Request node uses.
		...('uri' in options && { uri: address }),
		...NO_REDIRECTS,
		...(passage && { abortSignal: passage.signal }),
		headers: {
			...options.headers,
			Authorization: `Bearer ${token}`,
			'Ocp-Apim-Subscription-Key': subscriptionKeyOf(credential),
		},
	};
	passage?.admit(token);
	return request;
}

function addressIn(
	credential: ICredentialDataDecryptedObject,
	options: IHttpRequestOptions & { uri?: unknown },
): string {
	const base = serviceBase(credential.baseUrl);
	// Checked here so that every use of the credential reports an invalid zone.
	serviceZone(credential.timeZone);
	const target = String(options.url || options.uri || '').trim();
	const address = isAbsolute(target)
		? addressOf(base, target)
		: addressOf(addressOf(base, options.baseURL ?? '').replace(/\/+$/, ''), target);
	const { clientId, sessionClientId } = credential;
	return withClientId(address, isEmpty(clientId) ? sessionClientId : clientId);
}

function tokenOf({
	authentication,
	accessToken,
	sessionToken,
}: ICredentialDataDecryptedObject): string {
	const token = bearer(authentication === 'tokenEndpoint' ? sessionToken : accessToken);
	if (token !== '') return token;
	throw new UserError(
		authentication === 'tokenEndpoint'
			? 'The credential has no token yet. Open the credential and save it again'
			: 'The credential has no Access Token. Enter one, or set Authentication to Token Endpoint',
	);
}

function subscriptionKeyOf({ subscriptionApiKey }: ICredentialDataDecryptedObject): string {
	const key = String(subscriptionApiKey ?? '').trim();
	if (key === '') throw new UserError('The credential has no Subscription Key');
	return key;
}
