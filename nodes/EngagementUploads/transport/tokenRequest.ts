/** The request to the token endpoint (docs/service.md#authentication). */
import {
	UserError,
	type ICredentialDataDecryptedObject,
	type IHttpRequestHelper,
} from 'n8n-workflow';
import { addressOf, serviceBase } from './address';
import type { Failure } from './errors';
import { findNetworkError } from './networkErrors';
import { isObject, parseJson } from '../values/objects';
import { isTemporaryStatus, parseRetryAfter, type AttemptFailure } from './retry';
import { extractServiceMessage } from './serviceMessage';

/** The result of a token request; the client ID if the service sent it. */
export interface FetchedToken {
	sessionToken: string;
	sessionClientId?: string;
}

/**
 * Why no token could be fetched, in the editor's terms; the credential's form shows the message.
 */
export class TokenError extends UserError {
	constructor(
		readonly problem: string,
		readonly advice: string,
		readonly failure: Failure,
		/** How the request failed, if another attempt may help. */
		readonly attemptFailure?: AttemptFailure,
	) {
		super(`${problem.charAt(0).toUpperCase()}${problem.slice(1)}. ${advice}`);
	}
}

const DEFAULT_TOKEN_URL = '/v1/oauth/token';
const TOKEN_NAMES = ['access_token', 'accessToken', 'token'];
const TIMEOUT = 30_000;
const CHECK_LATER = 'Try again later, and check the Base URL and Token URL of the credential';

/** The fields of the token request. @throws UserError that does not quote them */
export function tokenRequestFields(value: unknown): Record<string, unknown> {
	const advice =
		'Enter a JSON object such as {"grant_type": "…", "key": "…"} in Token Request Fields';
	const fields = typeof value === 'string' ? parseJson(value) : value;
	if (!isObject(fields))
		throw new UserError(`The Token Request Fields of the credential are not valid JSON. ${advice}`);
	if (Object.values(fields).every((entry) => entry === '')) {
		throw new UserError(`The Token Request Fields of the credential are empty. ${advice}`);
	}
	return fields;
}

/** Everything in a credential that must not be shown. */
export function secretsOf(credential: ICredentialDataDecryptedObject): string[] {
	const { accessToken, sessionToken, subscriptionApiKey, tokenRequestFields: fields } = credential;
	const values = [bearer(accessToken), sessionToken, subscriptionApiKey];
	if (credential.authentication === 'tokenEndpoint') {
		try {
			values.push(...valuesIn(tokenRequestFields(fields)));
		} catch {
			values.push(fields);
		}
	}
	return values.filter((value): value is string => typeof value === 'string' && value !== '');
}

/** All strings and numbers in the fields of a token request, at any depth. */
function valuesIn(fields: unknown): string[] {
	if (isObject(fields) || Array.isArray(fields)) return Object.values(fields).flatMap(valuesIn);
	return typeof fields === 'string' || typeof fields === 'number' ? [String(fields)] : [];
}

/** A pasted token, without the prefix of a pasted header. */
export function bearer(token: unknown): string {
	return String(token ?? '')
		.trim()
		.replace(/^bearer\s/i, '')
		.replace(/\s+/g, '');
}

/** Sends one token request; retrying is up to the caller. @throws TokenError */
export async function fetchToken(
	helpers: IHttpRequestHelper['helpers'],
	credential: ICredentialDataDecryptedObject,
	timeout = TIMEOUT,
): Promise<FetchedToken> {
	const response = await send(helpers, { ...tokenRequest(credential), timeout });
	if (response.status >= 200 && response.status < 300) return tokenIn(response.text);
	throw rejectionError(response, secretsOf(credential));
}

function tokenRequest(credential: ICredentialDataDecryptedObject) {
	const fields = tokenRequestFields(credential.tokenRequestFields);
	const target = String(credential.tokenUrl ?? '').trim() || DEFAULT_TOKEN_URL;
	const asJson = credential.requestFormat === 'json';
	const form = new URLSearchParams();
	for (const [name, value] of Object.entries(fields)) {
		form.append(name, isObject(value) ? JSON.stringify(value) : String(value));
	}
	return {
		method: 'POST' as const,
		url: addressOf(serviceBase(credential.baseUrl), target),
		headers: {
			Accept: 'application/json',
			'Content-Type': asJson ? 'application/json' : 'application/x-www-form-urlencoded',
			'Ocp-Apim-Subscription-Key': String(credential.subscriptionApiKey ?? ''),
		},
		body: asJson ? JSON.stringify(fields) : form.toString(),
		encoding: 'text' as const,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
}

interface TokenResponse {
	status: number;
	headers: Record<string, unknown>;
	text: string;
}

async function send(
	helpers: IHttpRequestHelper['helpers'],
	request: ReturnType<typeof tokenRequest> & { timeout: number },
): Promise<TokenResponse> {
	try {
		// The timeout of n8n's helper only measures silence.
		const abortSignal = AbortSignal.timeout(request.timeout);
		const { statusCode, headers, body } = await helpers.httpRequest({ ...request, abortSignal });
		return { status: statusCode, headers: headers ?? {}, text: String(body ?? '') };
	} catch (error) {
		throw connectionError(error, request.timeout);
	}
}

/** Only failures that may be temporary are retried. */
function connectionError(error: unknown, timeout: number): TokenError {
	const { code = '', kind = 'lost' } = findNetworkError(error) ?? {};
	switch (kind) {
		case 'untrusted':
			return new TokenError(
				`no secure connection to the token endpoint could be made (${code})`,
				'Check the Base URL of the credential and the certificate of the service',
				{ cause: 'configuration-invalid' },
			);
		case 'unsendable':
			return new TokenError(
				'the subscription key contains an invalid character',
				'Enter the Subscription Key in the credential again',
				{ cause: 'configuration-invalid' },
			);
		case 'unpackable':
			return missingTokenError();
		default:
			return new TokenError(
				kind === 'timeout'
					? `the token endpoint did not respond within ${timeout / 1000} seconds`
					: 'the token endpoint could not be reached',
				CHECK_LATER,
				{ cause: 'temporarily-unavailable' },
				{ failure: kind },
			);
	}
}

function missingTokenError(): TokenError {
	return new TokenError(
		'the token endpoint did not return a token (access_token, accessToken or token)',
		'Check the Token URL of the credential',
		{ cause: 'configuration-invalid' },
	);
}

function tokenIn(text: string): FetchedToken {
	const response = parseJson(text);
	const fields = isObject(response) ? response : {};
	const token = TOKEN_NAMES.map((name) => fields[name]).find(
		(value) => typeof value === 'string' && value !== '',
	);
	if (typeof token !== 'string') throw missingTokenError();
	const clientId = typeof fields.clientId === 'string' ? fields.clientId : undefined;
	return { sessionToken: bearer(token), ...(clientId && { sessionClientId: clientId }) };
}

function rejectionError({ status, headers, text }: TokenResponse, secrets: string[]): TokenError {
	const serviceMessage = extractServiceMessage(text, secrets);
	const quoted = serviceMessage === undefined ? '' : `. It said: “${serviceMessage}”`;
	const retryAfter = parseRetryAfter(headers['retry-after'], headers.date, Date.now());
	const isQuota = status === 403 && retryAfter !== undefined;
	const temporary = isQuota || isTemporaryStatus(status);
	return new TokenError(
		`${problemAtTokenEndpoint(status)}${quoted}`,
		temporary
			? CHECK_LATER
			: 'Check the Token URL, Subscription Key and Token Request Fields of the credential',
		{ cause: temporary ? 'temporarily-unavailable' : 'credential-invalid' },
		{ status, retryAfter: headers['retry-after'], date: headers.date },
	);
}

function problemAtTokenEndpoint(status: number): string {
	if (status >= 300 && status < 400) {
		return `the token endpoint responded with a redirect (${status}), which was not followed, so that the key reaches no other host`;
	}
	return `the token endpoint did not return a token (status ${status})`;
}
