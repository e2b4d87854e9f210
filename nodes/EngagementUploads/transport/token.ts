/**
 * Fetches tokens. n8n asks for one when the credential has none, and after a 401; it stores the token and
 * sends the request. In an n8n process, requests that meet the same missing or rejected token share one
 * fetch, also those that meet it a little later. Other processes (n8n's workers) fetch their own.
 */
import { type IHttpRequestHelper, type IHttpRequestOptions, UserError } from 'n8n-workflow';
import { systemClock } from '../values/clock';
import { isObject } from '../values/objects';
import { bearer, type Credential, type FetchedToken, type TokenRequest } from './credential';
import { exchange, isSuccess, TokenError, type Answer } from './exchange';
import { classify } from './failures';
import { describe, toSentences } from './messages';
import { ANY_RESPONSE } from './n8nCompat';
import { UNAUTHORIZED_PAUSE } from './retry';

/** Maximum time for a token request, in milliseconds. */
const TIMEOUT = 30_000;
/**
 * For this long (milliseconds), a request may still come with a token that was replaced: it was sent
 * before, or n8n has not stored the new one yet.
 */
const GRACE = 60_000;
const TOKEN_NAMES = ['access_token', 'accessToken', 'token'];
const NO_TOKEN = `it contains no token (${TOKEN_NAMES.join(', ')})`;

/** The latest fetch for a credential. */
interface TokenFetch {
	/** The token that it replaces; empty if there was none. */
	replaced: string;
	result: Promise<FetchedToken>;
	/** When it began, and then when it ended, on the monotonic clock. */
	at: number;
	/** Undefined until it has ended. */
	token?: string;
}

/** By the fingerprint of the token request: an edited credential gets a token of its own. */
const fetches = new Map<string, TokenFetch>();

/** A token instead of the one that the credential holds, fetched once for all requests. */
export async function renewToken(
	helpers: IHttpRequestHelper['helpers'],
	credential: Credential,
): Promise<FetchedToken> {
	const key = credential.tokenRequest?.fingerprint ?? '';
	const oldest = systemClock.now() - GRACE;
	for (const [each, { at }] of fetches) if (at < oldest) fetches.delete(each);
	const last = fetches.get(key);
	if (last !== undefined && isUsable(last, credential.token)) return await last.result;
	const result = fetchToken(async (options) => await helpers.httpRequest(options), credential);
	const fetch: TokenFetch = { replaced: credential.token, result, at: systemClock.now() };
	fetches.set(key, fetch);
	try {
		const { token } = await result;
		Object.assign(fetch, { token, at: systemClock.now() });
	} catch {
		// The next request tries again.
		if (fetches.get(key) === fetch) fetches.delete(key);
	}
	return await result;
}

/** Whether a fetch is of use to a request that comes with this token. */
function isUsable({ replaced, token, at }: TokenFetch, held: string): boolean {
	if (replaced === held) return true;
	// A new token that is rejected was probably revoked by another worker's. To fetch one more would
	// revoke that: the next attempt finds it stored.
	return token === held && systemClock.now() - at < UNAUTHORIZED_PAUSE;
}

/** Sends one token request; retrying is up to the caller. @throws TokenError */
export async function fetchToken(
	send: (options: IHttpRequestOptions) => Promise<unknown>,
	credential: Credential,
	timeout = TIMEOUT,
): Promise<FetchedToken> {
	const { tokenRequest, subscriptionKey } = credential;
	if (tokenRequest === undefined) throw new UserError('The credential has no token endpoint');
	const options = { ...tokenRequestOptions(tokenRequest, subscriptionKey), timeout };
	const answer = await exchange(
		timeout,
		async (abortSignal) => await send({ ...options, abortSignal }),
	);
	const token = tokenIn(answer);
	if (token !== undefined) return token;
	const isOther = 'status' in answer && isSuccess(answer.status);
	const tokenAnswer: Answer = isOther ? { end: 'unreadable', detail: NO_TOKEN } : answer;
	const failure = classify({ end: 'noToken', tokenAnswer });
	throw new TokenError(toSentences(describe(failure, { credential })), tokenAnswer);
}

function tokenRequestOptions({ url, asJson, fields }: TokenRequest, subscriptionKey: string) {
	const entries = Object.entries(fields).map(([name, value]): [string, string] => {
		return [name, isObject(value) ? JSON.stringify(value) : String(value)];
	});
	return {
		method: 'POST' as const,
		url,
		headers: {
			Accept: 'application/json',
			'Content-Type': asJson ? 'application/json' : 'application/x-www-form-urlencoded',
			'Ocp-Apim-Subscription-Key': subscriptionKey,
		},
		body: asJson ? JSON.stringify(fields) : new URLSearchParams(entries).toString(),
		...ANY_RESPONSE,
		ignoreHttpStatusErrors: true,
	};
}

function tokenIn(answer: Answer): FetchedToken | undefined {
	const fields = 'status' in answer && isSuccess(answer.status) ? answer.body : undefined;
	if (!isObject(fields)) return undefined;
	const token = TOKEN_NAMES.map((name) => fields[name]).find(
		(value) => typeof value === 'string' && bearer(value) !== '',
	);
	if (typeof token !== 'string') return undefined;
	const clientId = typeof fields.clientId === 'string' ? fields.clientId : undefined;
	return { token: bearer(token), clientId };
}
