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
/** A token is new until it is this old, in milliseconds. */
const NEW_FOR = 10_000;
/** Pauses after which a new token that was rejected is tried again, and its ages by then. */
export const NEW_TOKEN_PAUSES = [1000, 2000, 4000];
const TRIES = [1000, 3000, 7000];
/** The pause before a token that is not new is tried again: one that another process may have fetched. */
const MIN_PAUSE = 1000;
const MAX_PAUSE = 4000;
const TOKEN_NAMES = ['access_token', 'accessToken', 'token'];
const NO_TOKEN = `its response has none of the fields ${TOKEN_NAMES.join(', ')}`;

/** A fetch that is under way, or its token, while that is new. */
interface TokenFetch {
	result: Promise<FetchedToken>;
	/** On the monotonic clock. */
	endedAt?: number;
	/** The service rejected its token. */
	isRejected?: true;
}

/** By the fingerprint of the token request: an edited credential gets a token of its own. */
const fetches = new Map<string, TokenFetch>();

/**
 * A token instead of the one that the credential holds, which is missing or was rejected. Undefined if
 * no better one is to be had: then it is time to try that one again, and n8n must store nothing, since
 * another process may have stored a newer one meanwhile.
 */
export async function renewToken(
	helpers: IHttpRequestHelper['helpers'],
	credential: Credential,
): Promise<FetchedToken | undefined> {
	if (credential.tokenRequest === undefined) return undefined;
	const { fingerprint } = credential.tokenRequest;
	for (const [each, fetch] of fetches) if (findAge(fetch) >= NEW_FOR) fetches.delete(each);
	const latest = fetches.get(fingerprint);
	if (latest === undefined) return await startFetch(helpers, credential, fingerprint);
	const fetched = await latest.result;
	if (fetched.token === credential.token) latest.isRejected = true;
	if (latest.isRejected === undefined || credential.token === '') return fetched;
	await systemClock.sleep(nextTry(latest) ?? Math.max(0, NEW_FOR - findAge(latest)));
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

function findAge({ endedAt = systemClock.now() }: TokenFetch): number {
	return systemClock.now() - endedAt;
}

/** Milliseconds until a token that was rejected is tried again because it is new. */
function nextTry(fetch: TokenFetch): number | undefined {
	const age = findAge(fetch);
	const next = TRIES.find((each) => each > age);
	return next && next - age;
}

/**
 * Milliseconds until a request is sent again after a 401, which n8n's own renewal has met too. A token
 * that is not new is replaced then, unless another process has stored one meanwhile: therefore not by
 * all at once. Undefined if n8n does not renew the token.
 * @param random from 0 to below 1
 */
export function pauseAfterRejection(
	{ tokenRequest }: Credential,
	random: number,
): number | undefined {
	if (tokenRequest === undefined) return undefined;
	const latest = fetches.get(tokenRequest.fingerprint);
	const pause = MIN_PAUSE + random * (MAX_PAUSE - MIN_PAUSE);
	if (latest === undefined) return pause;
	return nextTry(latest) ?? Math.max(0, NEW_FOR - findAge(latest)) + pause;
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
