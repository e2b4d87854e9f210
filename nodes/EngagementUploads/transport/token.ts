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
	/** When the fetch ended, epoch milliseconds; undefined while it is under way. */
	endedAt?: number;
	/** What was fetched. */
	token?: string;
	/** Why nothing was. */
	failure?: unknown;
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
 * Why no token could be fetched for this credential, where the last fetch failed at this time or
 * later (epoch milliseconds): who was under way then need not try the same again.
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
	if (expired === '') return Date.now() - endedAt < STORING;
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
