/**
 * Shares bearer tokens. Requests with the same missing or expired token share one fetch: they join
 * a fetch in flight, and a token that has already been replaced in this process is not replaced
 * again.
 */
import { createHash } from 'crypto';
import type { ICredentialDataDecryptedObject, IHttpRequestHelper } from 'n8n-workflow';
import { fetchToken, type FetchedToken } from './tokenRequest';

interface TokenFetch {
	/** Tokens that this fetch replaces. */
	replaced: Set<string>;
	fetched: Promise<FetchedToken>;
	/** When the fetch ended, in epoch milliseconds; undefined while it is in flight. */
	endedAt?: number;
	/** The new token, if the fetch succeeded. */
	token?: string;
	/** The error, if the fetch failed. */
	failure?: unknown;
}

/** Maximum number of credentials remembered, and of expired tokens for each. */
const MAX_REMEMBERED = 50;
/**
 * For this long (milliseconds), requests without a token get the new one, since n8n may not have
 * stored it yet.
 */
const STORE_DELAY = 2000;
/** For this long (milliseconds), a request may still arrive with a token that was replaced. */
const REPLACED_GRACE = 5 * 60_000;

const fetches = new Map<string, TokenFetch>();

/** A token for this credential other than the one it holds, fetched once for all requests. */
export async function renewToken(
	helpers: IHttpRequestHelper['helpers'],
	credential: ICredentialDataDecryptedObject,
): Promise<FetchedToken> {
	const key = keyOf(credential);
	const expired = String(credential.sessionToken ?? '');
	const last = fetches.get(key);
	if (last !== undefined && isUsable(last, expired)) {
		if (last.endedAt === undefined) last.replaced.add(expired);
		return await last.fetched;
	}
	const replaced = new Set([...(last?.replaced ?? []), expired].slice(-MAX_REMEMBERED));
	const entry: TokenFetch = { replaced, fetched: fetchToken(helpers, credential) };
	remember(key, entry);
	await entry.fetched.then(
		({ sessionToken }) => {
			entry.token = sessionToken;
			replaced.delete(sessionToken);
			replaced.delete('');
		},
		(error: unknown) => {
			entry.failure = error;
		},
	);
	entry.endedAt = Date.now();
	return await entry.fetched;
}

/**
 * The reason why no token could be fetched for this credential, if the last fetch failed at this
 * time or later (epoch milliseconds). Requests that were in flight then need not try again.
 */
export function tokenFailureSince(
	credential: ICredentialDataDecryptedObject,
	time: number,
): unknown {
	const last = fetches.get(keyOf(credential));
	return last?.endedAt !== undefined && last.endedAt >= time ? last.failure : undefined;
}

function isUsable({ token, endedAt, replaced }: TokenFetch, expired: string): boolean {
	if (endedAt === undefined) return true;
	if (token === undefined) return false;
	const age = Date.now() - endedAt;
	return expired === '' ? age < STORE_DELAY : replaced.has(expired) && age < REPLACED_GRACE;
}

/**
 * Tokens are keyed by everything in the token request, so that an edited credential gets its own.
 */
function keyOf({
	baseUrl,
	tokenUrl,
	subscriptionApiKey,
	requestFormat,
	tokenRequestFields: fields,
}: ICredentialDataDecryptedObject) {
	const identity = JSON.stringify([baseUrl, tokenUrl, subscriptionApiKey, requestFormat, fields]);
	return createHash('sha256').update(identity).digest('hex');
}

function remember(key: string, entry: TokenFetch): void {
	fetches.delete(key);
	fetches.set(key, entry);
	const [oldest] = fetches.keys();
	if (fetches.size > MAX_REMEMBERED && oldest !== undefined) fetches.delete(oldest);
}
