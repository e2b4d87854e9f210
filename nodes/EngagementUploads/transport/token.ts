/**
 * Fetches tokens. n8n asks for one if the credential has none, and after a 401; it stores the token and
 * sends the request. Invariant: a token younger than ten seconds is not replaced, since the clock of a
 * gateway may be seconds behind, and since n8n's workers would go on replacing each other's tokens where a
 * new one revokes the others. Within a process, requests share one fetch.
 */
import { type IHttpRequestHelper, type IHttpRequestOptions, UserError } from 'n8n-workflow';
import { systemClock, timeOfDay } from '../values/clock';
import { isObject } from '../values/objects';
import { classifyTokenRequest, type Ending } from './classify';
import {
	NEW_FOR,
	readClaims,
	readText,
	stripBearer,
	type Credential,
	type FetchedToken,
	type TokenRequest,
} from './credential';
import { exchange, TokenError } from './exchange';
import { describe, toSentences } from './messages';
import { ANY_RESPONSE, isSuccess } from './n8nHttp';
import { parseHttpDate } from './retry';

/** Maximum time for a token request, in milliseconds. */
const TIMEOUT = 30_000;
/** The ages, in milliseconds, at which a new token that was rejected is tried again: after 1, 2 and 4 s. */
const AGES_AT_TRIES = [1000, 3000, 7000];
/**
 * Processes must not all replace their tokens at once, or they would go on revoking each other's. So each
 * waits for so many milliseconds at the most, whatever the number of its requests.
 */
const MAX_JITTER = 6000;
const TOKEN_NAMES = ['access_token', 'accessToken', 'token'];
const LACKS_TOKEN = `its response has none of the fields ${TOKEN_NAMES.join(', ')}`;

/** A fetch that is in progress, or whose token is new. */
interface TokenFetch {
	result: Promise<FetchedToken>;
	/** On the monotonic clock. */
	endedAt?: number;
	/** Milliseconds for which the token stays in use if it is rejected, once it is no longer new. */
	jitter: number;
	/** The service has rejected the token. */
	isRejected?: true;
}

/** By the fingerprint of the token request, so that an edited credential gets a token of its own. */
const fetches = new Map<string, TokenFetch>();

/**
 * A token in place of the credential's own, which is missing or was rejected. If the rejected one is still
 * new, waits until it is worth trying again, and returns undefined: n8n must store nothing then, since another
 * process may have stored a newer one meanwhile. After the last try, waits until it may be replaced.
 */
export async function renewToken(
	helpers: IHttpRequestHelper['helpers'],
	credential: Credential,
): Promise<FetchedToken | undefined> {
	if (credential.tokenRequest === undefined) return undefined;
	const { fingerprint } = credential.tokenRequest;
	for (const [each, fetch] of fetches) if (timeUntilOld(fetch) <= 0) fetches.delete(each);
	const latest = fetches.get(fingerprint);
	if (latest === undefined) return await startFetch(helpers, credential, fingerprint);
	const fetched = await latest.result;
	if (fetched.token === credential.token) latest.isRejected = true;
	if (latest.isRejected === undefined || credential.token === '') return fetched;
	const pause = timeToNextTry(latest.endedAt);
	await systemClock.sleep(pause ?? timeUntilOld(latest) + latest.jitter);
	return pause === undefined ? await renewToken(helpers, credential) : undefined;
}

async function startFetch(
	helpers: IHttpRequestHelper['helpers'],
	credential: Credential,
	fingerprint: string,
): Promise<FetchedToken> {
	const fetch: TokenFetch = {
		result: fetchToken(async (options) => await helpers.httpRequest(options), credential),
		jitter: systemClock.random() * MAX_JITTER,
	};
	fetches.set(fingerprint, fetch);
	const end = () => (fetch.endedAt = systemClock.now());
	// A failed fetch is forgotten, so that the next request starts another.
	fetch.result.then(end, () => fetches.delete(fingerprint));
	return await fetch.result;
}

function timeUntilOld({ endedAt = systemClock.now() }: TokenFetch): number {
	return endedAt + NEW_FOR - systemClock.now();
}

/**
 * Milliseconds until a new token that was rejected is tried again; undefined after the last try.
 * @param fetchedAt on the monotonic clock
 */
export function timeToNextTry(fetchedAt = systemClock.now()): number | undefined {
	const age = systemClock.now() - fetchedAt;
	const next = AGES_AT_TRIES.find((each) => each > age);
	return next && next - age;
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
	const ending = await exchange(async () => await send(options), timeout, abortSignal);
	const token = findToken(ending);
	if (token !== undefined) return token;
	const hasNoToken = 'status' in ending && isSuccess(ending.status);
	const failure = classifyTokenRequest(
		hasNoToken
			? { end: 'unreadable', detail: LACKS_TOKEN, body: pickQuotable(ending.body) }
			: ending,
	);
	throw new TokenError(toSentences(describe(failure, { credential })), failure);
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

/** What may be quoted of a response without a token: messages, since it may contain one under another name. */
function pickQuotable(body: unknown): unknown {
	// No token has a blank.
	const isProse = (value: unknown) => typeof value === 'string' && /\S\s\S/.test(value);
	if (!isObject(body)) return isProse(body) ? body : '';
	const isMessage = ([name, value]: [string, unknown]) =>
		/error|message|detail|title/i.test(name) || isProse(value);
	const messages = Object.entries(body).filter(isMessage);
	return messages.length > 0 ? Object.fromEntries(messages) : '';
}

function findToken(ending: Ending): FetchedToken | undefined {
	if (!('status' in ending) || !isSuccess(ending.status)) return undefined;
	const { body: fields, headers } = ending;
	if (!isObject(fields)) return undefined;
	const token = TOKEN_NAMES.map((name) => fields[name]).find(
		(value) => typeof value === 'string' && stripBearer(value) !== '',
	);
	if (typeof token !== 'string') return undefined;
	return {
		token: stripBearer(token),
		// A number 0 stands for no ID.
		clientId: readText(fields.clientId || ''),
		fetchedAt: timeOfDay(),
		life: readLife(token, fields.expires_in, headers.date),
	};
}

/** How long a token lives, in milliseconds, as told by the clock of the service alone. */
function readLife(token: string, expiresIn: unknown, date: unknown): number | undefined {
	const { exp, iat } = readClaims(token);
	const expiry = Number(exp);
	const now = (parseHttpDate(date) ?? NaN) / 1000;
	const lives = [expiry - Number(iat), Number(expiresIn), expiry - now];
	const life = lives.find((seconds) => seconds > 0);
	return life && Math.round(life * 1000);
}
