/**
 * Fetches tokens. n8n asks for one if the credential has none, and after a 401; it stores the token and
 * sends the request. Invariant: a token younger than ten seconds is not replaced, since the clock of a
 * gateway may be seconds behind, and since n8n's workers would go on replacing each other's tokens where a
 * new one revokes the others. Within a process, requests share one fetch.
 */
import { type IHttpRequestHelper, type IHttpRequestOptions, UserError } from 'n8n-workflow';
import { systemClock } from '../values/clock';
import { isObject } from '../values/objects';
import { stripBearer, type Credential, type FetchedToken, type TokenRequest } from './credential';
import { exchange, isSuccess, TokenError, type Answer } from './exchange';
import { classify } from './failures';
import { describe, toSentences } from './messages';
import { ANY_RESPONSE } from './n8nHttp';

/** Maximum time for a token request, in milliseconds. */
const TIMEOUT = 30_000;
/** For how long a token counts as new, in milliseconds. */
const NEW_FOR = 10_000;
/** Pauses before a new token that was rejected is tried again, and the ages that it has then. */
export const NEW_TOKEN_PAUSES = [1000, 2000, 4000];
const AGES_AT_TRIES = [1000, 3000, 7000];
/** The pause before a token that is not new is tried again: another process may have replaced it. */
const MIN_PAUSE = 1000;
const MAX_PAUSE = 4000;
const TOKEN_NAMES = ['access_token', 'accessToken', 'token'];
const NO_TOKEN = `its response has none of the fields ${TOKEN_NAMES.join(', ')}`;

/** A fetch that is in progress, or whose token is new. */
interface TokenFetch {
	result: Promise<FetchedToken>;
	/** On the monotonic clock. */
	endedAt?: number;
	/** The service has rejected the token. */
	isRejected?: true;
}

/** By the fingerprint of the token request, so that an edited credential gets a token of its own. */
const fetches = new Map<string, TokenFetch>();

/**
 * A token in place of the credential's own, which is missing or was rejected. Undefined if that one is still
 * new: by then, it is time to try it again. n8n must store nothing in this case, since another process may
 * have stored a newer one meanwhile.
 */
export async function renewToken(
	helpers: IHttpRequestHelper['helpers'],
	credential: Credential,
): Promise<FetchedToken | undefined> {
	if (credential.tokenRequest === undefined) return undefined;
	const { fingerprint } = credential.tokenRequest;
	for (const [each, fetch] of fetches) if (getAge(fetch) >= NEW_FOR) fetches.delete(each);
	const latest = fetches.get(fingerprint);
	if (latest === undefined) return await startFetch(helpers, credential, fingerprint);
	const fetched = await latest.result;
	if (fetched.token === credential.token) latest.isRejected = true;
	if (latest.isRejected === undefined || credential.token === '') return fetched;
	await systemClock.sleep(timeToNextTry(latest) ?? timeUntilOld(latest));
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
	// A failed fetch is forgotten, so that the next request starts another.
	fetch.result.then(end, () => fetches.delete(fingerprint));
	return await fetch.result;
}

function getAge({ endedAt = systemClock.now() }: TokenFetch): number {
	return systemClock.now() - endedAt;
}

/** Milliseconds until a new token that was rejected is tried again; undefined after the last try. */
function timeToNextTry(fetch: TokenFetch): number | undefined {
	const age = getAge(fetch);
	const next = AGES_AT_TRIES.find((each) => each > age);
	return next && next - age;
}

function timeUntilOld(fetch: TokenFetch): number {
	return Math.max(0, NEW_FOR - getAge(fetch));
}

/**
 * Milliseconds to wait before a request is sent again after a 401, which n8n's renewal of the token has not
 * prevented. A token that is not new is replaced then; the pause is random, so that not all processes do it
 * at once. Undefined if n8n does not renew the token.
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
	return timeToNextTry(latest) ?? timeUntilOld(latest) + pause;
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
	const hasNoToken = 'status' in answer && isSuccess(answer.status);
	// Without the body, which may contain a token under an unknown name.
	const tokenAnswer: Answer = hasNoToken ? { end: 'unreadable', detail: NO_TOKEN } : answer;
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
		(value) => typeof value === 'string' && stripBearer(value) !== '',
	);
	if (typeof token !== 'string') return undefined;
	const clientId = typeof fields.clientId === 'string' ? fields.clientId : undefined;
	return { token: stripBearer(token), clientId };
}
