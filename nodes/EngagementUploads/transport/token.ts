/**
 * Fetches tokens. n8n asks for one when the credential has none, and after a 401; it stores the token and
 * sends the request. Invariant: a token younger than ten seconds is not replaced. The clock of a gateway
 * may be seconds behind, and where new tokens revoke earlier ones, n8n's workers would go on replacing
 * each other's. Requests in one n8n process share one fetch; other processes fetch their own.
 */
import { type IHttpRequestHelper, type IHttpRequestOptions, UserError } from 'n8n-workflow';
import { systemClock } from '../values/clock';
import { isObject } from '../values/objects';
import { bearer, type Credential, type FetchedToken, type TokenRequest } from './credential';
import { exchange, isSuccess, TokenError, type Answer } from './exchange';
import { classify } from './failures';
import { describe, toSentences } from './messages';
import { ANY_RESPONSE } from './n8nCompat';

/** Maximum time for a token request, in milliseconds. */
const TIMEOUT = 30_000;
/** Pauses after which a new token that was rejected is tried again, in milliseconds. */
export const NEW_TOKEN_PAUSES = [1000, 2000, 4000];
/** The ages of a token at the end of these pauses, and at which it is no longer new. */
const TRIES = [1000, 3000, 7000, 10_000];
/** The pause before a token that another process may have fetched is tried again. */
const OTHER_TOKEN_PAUSE = 1000;
const TOKEN_NAMES = ['access_token', 'accessToken', 'token'];
const NO_TOKEN = `its response has none of the fields ${TOKEN_NAMES.join(', ')}`;

/** A fetch that is under way, or its token, while that is new. */
interface TokenFetch {
	result: Promise<FetchedToken>;
	/** On the monotonic clock. */
	endedAt?: number;
}

/** By the fingerprint of the token request: an edited credential gets a token of its own. */
const fetches = new Map<string, TokenFetch>();

/**
 * A token instead of the one that the credential holds, which is missing or was rejected. Undefined if
 * that one is new, and to be tried again; then it is time for it.
 */
export async function renewToken(
	helpers: IHttpRequestHelper['helpers'],
	credential: Credential,
): Promise<FetchedToken | undefined> {
	if (credential.tokenRequest === undefined) return undefined;
	const { fingerprint } = credential.tokenRequest;
	for (const [each, fetch] of fetches) if (nextTry(fetch) === undefined) fetches.delete(each);
	const latest = fetches.get(fingerprint);
	if (latest === undefined) return await startFetch(helpers, credential, fingerprint);
	const fetched = await latest.result;
	// Another request has met a missing or an earlier token.
	if (fetched.token !== credential.token) return fetched;
	await systemClock.sleep(nextTry(latest) ?? 0);
	return undefined;
}

async function startFetch(
	helpers: IHttpRequestHelper['helpers'],
	credential: Credential,
	fingerprint: string,
): Promise<FetchedToken> {
	const fetch: TokenFetch = {
		result: fetchToken(async (options) => await helpers.httpRequest(options), credential),
	};
	fetches.set(fingerprint, fetch);
	const end = () => (fetch.endedAt = systemClock.now());
	// After a failure, the next request tries again.
	fetch.result.then(end, () => fetches.delete(fingerprint));
	return await fetch.result;
}

/** Milliseconds until a new token is tried again; undefined if it is no longer new. */
function nextTry({ endedAt = systemClock.now() }: TokenFetch): number | undefined {
	const age = systemClock.now() - endedAt;
	const next = TRIES.find((each) => each > age);
	return next && next - age;
}

/**
 * Milliseconds until a request is sent again after a 401, which n8n's own renewal has met too. By then,
 * n8n may have stored a token of another process. Undefined if n8n does not renew the token.
 */
export function pauseAfterRejection({ tokenRequest }: Credential): number | undefined {
	if (tokenRequest === undefined) return undefined;
	const latest = fetches.get(tokenRequest.fingerprint);
	return (latest && nextTry(latest)) ?? OTHER_TOKEN_PAUSE;
}

/** Sends one token request; retrying is up to the caller. @throws TokenError */
export async function fetchToken(
	send: (options: IHttpRequestOptions) => Promise<unknown>,
	credential: Credential,
	timeout = TIMEOUT,
): Promise<FetchedToken> {
	const { tokenRequest, subscriptionKey } = credential;
	if (tokenRequest === undefined) throw new UserError('The credential has no token endpoint');
	const abortSignal = AbortSignal.timeout(timeout);
	const options = { ...toOptions(tokenRequest, subscriptionKey), timeout, abortSignal };
	const answer = await exchange(async () => await send(options), timeout, abortSignal);
	const token = findToken(answer);
	if (token !== undefined) return token;
	const isOther = 'status' in answer && isSuccess(answer.status);
	// Without the body, which may contain a token under another name.
	const tokenAnswer: Answer = isOther ? { end: 'unreadable', detail: NO_TOKEN } : answer;
	const failure = classify({ end: 'noToken', tokenAnswer });
	throw new TokenError(toSentences(describe(failure, { credential })), tokenAnswer);
}

function toOptions({ url, asJson, fields }: TokenRequest, subscriptionKey: string) {
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
	};
}

function findToken(answer: Answer): FetchedToken | undefined {
	const fields = 'status' in answer && isSuccess(answer.status) ? answer.body : undefined;
	if (!isObject(fields)) return undefined;
	const token = TOKEN_NAMES.map((name) => fields[name]).find(
		(value) => typeof value === 'string' && bearer(value) !== '',
	);
	if (typeof token !== 'string') return undefined;
	const clientId = typeof fields.clientId === 'string' ? fields.clientId : undefined;
	return { token: bearer(token), clientId };
}
