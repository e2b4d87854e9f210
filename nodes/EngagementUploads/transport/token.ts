/**
 * Fetches tokens. n8n asks for one if the credential has none, and after a 401; it stores the token and
 * sends the request. Invariant: a token younger than ten seconds is not replaced, since the clock of a
 * gateway may be seconds behind. Within a process, requests share one fetch.
 */
import { type IHttpRequestHelper, type IHttpRequestOptions, UserError } from 'n8n-workflow';
import { SECOND, systemClock, timeOfDay } from '../values/clock';
import { isObject, parseJson } from '../values/objects';
import {
	readText,
	stripBearer,
	type Credential,
	type FetchedToken,
	type TokenRequest,
} from './credential';
import { exchange, TokenError } from './exchange';
import { classifyTokenRequest, type Ending } from './failures';
import { describe, toSentences } from './messages';
import { ANY_RESPONSE, isSuccess } from './n8nHttp';

/** Maximum time for a token request, in milliseconds. */
const TIMEOUT = 30 * SECOND;
/** For how long a token is new. */
const NEW_FOR = 10 * SECOND;
const TOKEN_NAMES = ['access_token', 'accessToken', 'token'];
const LACKS_TOKEN = `its response has none of the fields ${TOKEN_NAMES.join(', ')}`;

/** A fetch that is in progress, or whose token is new. */
interface TokenFetch {
	result: Promise<FetchedToken>;
	/** On the monotonic clock. */
	startedAt: number;
	/** The service has rejected the token. */
	isRejected?: true;
}

/** The latest fetch by the fingerprint of the token request, so that an edited credential gets a token of its own. */
const fetches = new Map<string, TokenFetch>();

/**
 * A token in place of the credential's own, which is missing or was rejected. If the rejected one is new, returns
 * undefined: n8n stores nothing then, and the client tries again later.
 */
export async function renewToken(
	helpers: IHttpRequestHelper['helpers'],
	credential: Credential,
): Promise<FetchedToken | undefined> {
	const { fingerprint } = credential.tokenRequest ?? {};
	if (fingerprint === undefined) return undefined;
	const now = systemClock.now();
	for (const [each, { startedAt }] of fetches) if (startedAt + NEW_FOR <= now) fetches.delete(each);
	const latest = fetches.get(fingerprint);
	if (latest === undefined) return await startFetch(helpers, credential, fingerprint);
	const fetched = await latest.result;
	if (fetched.token === credential.token) latest.isRejected = true;
	return latest.isRejected && credential.token !== '' ? undefined : fetched;
}

async function startFetch(
	helpers: IHttpRequestHelper['helpers'],
	credential: Credential,
	fingerprint: string,
): Promise<FetchedToken> {
	const result = fetchToken(async (options) => await helpers.httpRequest(options), credential);
	fetches.set(fingerprint, { result, startedAt: systemClock.now() });
	// A failed fetch is forgotten, so that the next request starts another.
	result.catch(() => fetches.delete(fingerprint));
	return await result;
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
			? { end: 'unreadable', detail: LACKS_TOKEN, body: pickMessages(ending.body) }
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

/** What may be quoted of a response without a token, since that may stand under another name. */
function pickMessages(body: unknown): unknown {
	const names = ['error', 'error_description', 'message'];
	return Object.fromEntries(Object.entries(body ?? {}).filter(([name]) => names.includes(name)));
}

function findToken(ending: Ending): FetchedToken | undefined {
	if (!('status' in ending) || !isSuccess(ending.status)) return undefined;
	const { body: fields } = ending;
	if (!isObject(fields)) return undefined;
	const token = TOKEN_NAMES.map((name) => fields[name]).find(
		(value) => typeof value === 'string' && stripBearer(value) !== '',
	);
	if (typeof token !== 'string') return undefined;
	const life = (Number(fields.expires_in) || readLife(token)) * SECOND;
	return {
		token: stripBearer(token),
		clientId: readText(fields.clientId),
		// It is replaced somewhat early.
		until: life > 0 ? Math.round(timeOfDay() + 0.9 * life) : undefined,
	};
}

/** The life of a JWT in seconds; NaN if it does not tell. */
function readLife(token: string): number {
	const payload = parseJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
	return isObject(payload) ? Number(payload.exp) - Number(payload.iat) : NaN;
}
