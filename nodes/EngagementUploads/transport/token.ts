/**
 * Who gets which bearer token. Requests that meet the same missing
 * or expired token share one fetch: a fetch under way is joined, and a token that was already
 * replaced in this process is not replaced again.
 */
import { createHash } from 'crypto';
import type { ICredentialDataDecryptedObject, IHttpRequestHelper } from 'n8n-workflow';
import { fetchToken, type FetchedToken } from './tokenRequest';

interface Held {
	/** Tokens that this fetch replaced. */
	replaced: Set<string>;
	fetched: Promise<FetchedToken>;
	/** What was fetched, and when; undefined while the fetch is under way. */
	token?: string;
	fetchedAt?: number;
}

/** Credentials remembered at the most, and expired tokens of each. */
const MOST_HELD = 50;
/** n8n takes a moment to store a token: who still misses one meanwhile is given the new one. */
const STORING = 2000;

const held = new Map<string, Held>();

/** A token for this credential other than the one it holds, fetched once for all who ask. */
export async function renewToken(
	helpers: IHttpRequestHelper['helpers'],
	credential: ICredentialDataDecryptedObject,
): Promise<FetchedToken> {
	const key = keyOf(credential);
	const expired = String(credential.sessionToken ?? '');
	const last = held.get(key);
	if (last !== undefined && serves(last, expired)) {
		if (last.token === undefined) last.replaced.add(expired);
		return await last.fetched;
	}
	const replaced = new Set([...(last?.replaced ?? []), expired].slice(-MOST_HELD));
	const entry: Held = { replaced, fetched: fetchToken(helpers, credential) };
	remember(key, entry);
	try {
		const fetched = await entry.fetched;
		entry.token = fetched.sessionToken;
		entry.fetchedAt = Date.now();
		replaced.delete(fetched.sessionToken);
		replaced.delete('');
		return fetched;
	} finally {
		if (entry.token === undefined) held.delete(key);
	}
}

function serves({ token, fetchedAt, replaced }: Held, expired: string): boolean {
	if (token === undefined) return true;
	if (expired === '') return Date.now() - (fetchedAt ?? 0) < STORING;
	return replaced.has(expired);
}

/** The token belongs to what it is asked for with: an edited credential gets a token of its own. */
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
