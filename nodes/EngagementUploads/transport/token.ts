/**
 * Shares bearer tokens. Requests that meet the same missing or expired token share one fetch: a
 * fetch in flight is joined, and a token that was already replaced in this process is not replaced
 * again.
 */
import { createHash } from 'crypto';
import type { ICredentialDataDecryptedObject, IHttpRequestHelper } from 'n8n-workflow';
import { fetchToken, type FetchedToken } from './tokenRequest';

interface Held {
	/** Tokens that this fetch replaces. */
	replaced: Set<string>;
	fetched: Promise<FetchedToken>;
	/** When the fetch ended, in epoch milliseconds; undefined while it is in flight. */
	endedAt?: number;
	/** What was fetched. */
	token?: string;
	/** Why nothing was fetched. */
	failure?: unknown;
}

/** Maximum number of credentials remembered, and of expired tokens for each. */
const MOST_HELD = 50;
/** n8n takes a moment to store a token; requests that still lack one get the new one meanwhile. */
const STORING = 2000;
/** For this long (milliseconds), a request may still arrive with a token that was replaced. */
const REPLACING = 5 * 60_000;

const held = new Map<string, Held>();

/** A token for this credential other than the one it holds, fetched once for all requests. */
export async function renewToken(
	helpers: IHttpRequestHelper['helpers'],
	credential: ICredentialDataDecryptedObject,
): Promise<FetchedToken> {
	const key = keyOf(credential);
	const expired = String(credential.sessionToken ?? '');
	const last = held.get(key);
	if (last !== undefined && serves(last, expired)) {
		if (last.endedAt === undefined) last.replaced.add(expired);
		return await last.fetched;
	}
	const replaced = new Set([...(last?.replaced ?? []), expired].slice(-MOST_HELD));
	const entry: Held = { replaced, fetched: fetchToken(helpers, credential) };
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
 * Why no token could be fetched for this credential, if the last fetch failed at this time or later
 * (epoch milliseconds): requests in flight at that time need not try the same again.
 */
export function tokenFailureSince(
	credential: ICredentialDataDecryptedObject,
	time: number,
): unknown {
	const last = held.get(keyOf(credential));
	return last?.endedAt !== undefined && last.endedAt >= time ? last.failure : undefined;
}

function serves({ token, endedAt, replaced }: Held, expired: string): boolean {
	if (endedAt === undefined) return true;
	if (token === undefined) return false;
	const age = Date.now() - endedAt;
	return expired === '' ? age < STORING : replaced.has(expired) && age < REPLACING;
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
	const asked = JSON.stringify([baseUrl, tokenUrl, subscriptionApiKey, requestFormat, fields]);
	return createHash('sha256').update(asked).digest('hex');
}

function remember(key: string, entry: Held): void {
	held.delete(key);
	held.set(key, entry);
	const [oldest] = held.keys();
	if (held.size > MOST_HELD && oldest !== undefined) held.delete(oldest);
}
