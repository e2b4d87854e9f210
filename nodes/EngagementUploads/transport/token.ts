/**
 * Sends requests with a bearer token, and fetches tokens. In an n8n process, requests that meet the same
 * missing or expired token share one fetch, also those that meet it a little later. Other processes (n8n's
 * workers) fetch their own; where a new token revokes the former, they take turns.
 *
 * How a token is renewed: client.ts sends a request again and names the token that was rejected. n8n asks
 * the credential to authenticate it, and `TokenAttempt` (n8nCompat.ts) refuses that token as the service
 * would. n8n then calls the credential's `preAuthentication`, which calls `renewToken` here, stores the
 * new token and authenticates again. If the credential has another token by now, that one is sent.
 */
import {
	type IExecuteFunctions,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type IPollFunctions,
	UserError,
} from 'n8n-workflow';
import { systemClock } from '../values/clock';
import { isObject, parseJson } from '../values/objects';
import {
	bearer,
	CREDENTIAL,
	type Credential,
	type FetchedToken,
	type TokenRequest,
} from './credential/credential';
import { describeFailure, toSentences } from './failures/describeFailure';
import { answerWithin, isSuccess, outcomeOf, type Outcome } from './http/exchange';
import { ANY_RESPONSE, originalMessage, TOKEN_ATTEMPT, TokenAttempt } from './n8nCompat';
import type { ApiRequest } from './responses/request';

export type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

interface HttpRequest extends Pick<ApiRequest, 'method' | 'body'> {
	/** absolute; may contain the placeholder for the client ID */
	url: string;
	/** milliseconds for the whole exchange */
	timeout: number;
	/** A token that the service has rejected: this request is sent with another one. */
	rejectedToken?: string;
}

/** How a request ended; `token` and `secrets`: what it was sent with, if it was sent. */
interface Sent {
	outcome: Outcome;
	token?: string;
	/** Those of this request, since a credential may be edited during an execution. */
	secrets: string[];
}

/** Sends a request to the service through n8n's own helper, which fetches a token if there is none. */
export async function sendRequest(
	context: ServiceContext,
	credential: Credential,
	request: HttpRequest,
	cancelled?: AbortSignal,
): Promise<Sent> {
	const startedAt = systemClock.now();
	const attempt = new TokenAttempt(request.rejectedToken);
	const send = async (signal: AbortSignal) => {
		attempt.signal = signal;
		const options = { ...optionsOf(request), [TOKEN_ATTEMPT]: attempt };
		const { httpRequestWithAuthentication } = context.helpers;
		return await httpRequestWithAuthentication.call(context, CREDENTIAL, options);
	};
	const explain = (error: unknown): Outcome => {
		const thrown = outcomeOf(error);
		if (attempt.token !== undefined) return thrown;
		const failure = tokenFailureSince(credential, startedAt);
		const isTimeout = 'network' in thrown && thrown.network === 'timeout';
		if (failure !== undefined || isTimeout)
			return { withoutToken: failure ?? { ...thrown, timeout: request.timeout } };
		return { notSent: originalMessage(error) };
	};
	// The wait for a token cannot be aborted, but without a token, nothing is sent after it.
	const outcome = await answerWithin(request.timeout, send, { explain, cancelled });
	return { outcome, token: attempt.token, secrets: attempt.secrets };
}

function optionsOf({ method, url, body = {}, timeout }: HttpRequest): IHttpRequestOptions {
	// n8n would send an empty object as nothing, but call it JSON.
	const hasBody = Object.keys(body).length > 0;
	return {
		method,
		url,
		headers: { Accept: 'application/json', ...(hasBody && { 'Content-Type': 'application/json' }) },
		...(hasBody && { body }),
		timeout,
		...ANY_RESPONSE,
	};
}

interface TokenFetch {
	/** The tokens that it replaces; an empty one if there was none. */
	replaced: Set<string>;
	fetched: Promise<FetchedToken>;
	/** When it ended, on the monotonic clock, with a new token or why there is none. */
	ended?: { at: number; token?: string; failure?: Outcome };
	/** How long this process leaves the turn to others if they revoke the token (milliseconds). */
	turn: number;
}

/** Maximum number of credentials remembered. */
const MAX_REMEMBERED = 50;
/**
 * For this long (milliseconds), a request may still come with a token that was replaced: it was sent
 * before, or n8n has not stored the new one yet.
 */
const GRACE = 60_000;
/** A token that is rejected within this time (milliseconds) was probably revoked. */
const SHORT_LIVED = 15_000;
/** How long workers leave the turn to each other, on average (milliseconds). */
const TURN = 1000;

const fetches = new Map<string, TokenFetch>();

/** A token for this credential other than the one it holds, fetched once for all requests. */
export async function renewToken(
	helpers: IHttpRequestHelper['helpers'],
	credential: Credential,
): Promise<FetchedToken> {
	const key = keyOf(credential);
	/** Rejected, or empty if there is none yet. */
	const { token: held } = credential;
	const last = fetches.get(key);
	if (last !== undefined && isUsable(last, held)) {
		if (last.ended === undefined) last.replaced.add(held);
		return await last.fetched;
	}
	const fetched = fetchToken(async (options) => await helpers.httpRequest(options), credential);
	const turn = TURN * (0.5 + Math.random());
	const entry: TokenFetch = { replaced: new Set([held]), fetched, turn };
	remember(key, entry);
	const result = await fetched.then(
		({ token }) => ({ token }),
		(error: unknown) => ({ failure: error instanceof TokenError ? error.outcome : undefined }),
	);
	entry.ended = { at: systemClock.now(), ...result };
	return await fetched;
}

/**
 * How long to wait before a rejected token is replaced. One that is rejected soon after it was
 * fetched was probably revoked by another worker's new one: without a pause, each of them would
 * revoke the other's before it is used.
 */
export function pauseBeforeRenewal(credential: Credential, rejected?: string): number {
	const { ended, turn = 0 } = fetches.get(keyOf(credential)) ?? {};
	if (ended === undefined || ended.token !== rejected) return 0;
	return systemClock.now() - ended.at < SHORT_LIVED ? turn : 0;
}

/**
 * Why no token could be fetched for this credential, if the last fetch failed at this time or later
 * (on the monotonic clock). Requests in flight then need not try again.
 */
export function tokenFailureSince(credential: Credential, time: number): Outcome | undefined {
	const { at = -Infinity, failure } = fetches.get(keyOf(credential))?.ended ?? {};
	return at < time ? undefined : failure;
}

function isUsable({ ended, replaced }: TokenFetch, held: string): boolean {
	if (ended === undefined) return true;
	// Some services grant the same token again.
	if (ended.token === undefined || ended.token === held) return false;
	return replaced.has(held) && systemClock.now() - ended.at < GRACE;
}

/** An edited token request gets its own token. */
function keyOf({ tokenRequest }: Credential): string {
	return tokenRequest?.fingerprint ?? '';
}

function remember(key: string, entry: TokenFetch): void {
	fetches.delete(key);
	fetches.set(key, entry);
	const [oldest] = fetches.keys();
	if (fetches.size > MAX_REMEMBERED && oldest !== undefined) fetches.delete(oldest);
}

/** Why no token could be fetched; the credential's form shows the message. */
export class TokenError extends UserError {
	/** Private, since n8n may log all other fields, and the response may echo a secret. */
	readonly #outcome: Outcome;

	constructor(outcome: Outcome, message: string) {
		super(message);
		this.#outcome = outcome;
	}

	get outcome(): Outcome {
		return this.#outcome;
	}
}

const TOKEN_NAMES = ['access_token', 'accessToken', 'token'];
/** Maximum time for a token request, in milliseconds. */
const TIMEOUT = 30_000;

/** Sends one token request; retrying is up to the caller. @throws TokenError */
export async function fetchToken(
	send: (options: IHttpRequestOptions) => Promise<unknown>,
	credential: Credential,
	timeout = TIMEOUT,
): Promise<FetchedToken> {
	const { tokenRequest, subscriptionKey } = credential;
	if (tokenRequest === undefined) throw new UserError('The credential has no token endpoint');
	const options = { ...tokenRequestOptions(tokenRequest, subscriptionKey), timeout };
	const outcome = await answerWithin(
		timeout,
		async (abortSignal) => await send({ ...options, abortSignal }),
	);
	const token = 'status' in outcome ? tokenIn(outcome) : undefined;
	if (token !== undefined) return token;
	const report = describeFailure({ withoutToken: outcome }, { credential });
	throw new TokenError(outcome, toSentences(report));
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
	};
}

function tokenIn({ status, text }: Extract<Outcome, { status: number }>): FetchedToken | undefined {
	const response = isSuccess(status) ? parseJson(text) : undefined;
	const fields = isObject(response) ? response : {};
	const token = TOKEN_NAMES.map((name) => fields[name]).find(
		(value) => typeof value === 'string' && bearer(value) !== '',
	);
	if (typeof token !== 'string') return undefined;
	const clientId = typeof fields.clientId === 'string' ? fields.clientId : undefined;
	return { token: bearer(token), clientId };
}
