/** Looks for secrets in what users, workflows and logs can see. */
import type { CredentialStore } from './credentials.mts';

/** Maximum number of records searched per run, to save time. */
const MAX_RECORDS = 1000;
/** Anything shorter, such as a grant type, is not a secret. */
const MIN_LENGTH = 16;

/** The secrets that a text contains, as they are or encoded, in any case. */
export function secretsIn(text: string, secrets: Iterable<string>): string[] {
	const folded = text.toLowerCase();
	return [...new Set(secrets)]
		.filter(({ length }) => length >= MIN_LENGTH)
		.filter((secret) => encodeSecret(secret).some((form) => folded.includes(form.toLowerCase())));
}

/** Independent of the product code: what redacts secrets must not define what to look for. */
function encodeSecret(secret: string): string[] {
	return [
		secret,
		encodeURIComponent(secret),
		new URLSearchParams({ '': secret }).toString().slice(1),
		JSON.stringify(secret).slice(1, -1),
		Buffer.from(secret).toString('base64'),
		Buffer.from(secret).toString('base64url'),
	];
}

/** Fails if an error shows a secret of the stored credentials; checked after every run. */
export function assertNoSecrets(error: unknown, store: CredentialStore): void {
	// The engine hands over the errors of runs as plain objects.
	if (typeof error !== 'object' || error === null) return;
	const { message, stack = '', description = '' } = error as Error & { description?: unknown };
	assertNone('An error', [message, stack, String(description)].join('\n'), store);
}

/** Fails if records show a secret of the stored credentials. */
export function assertNoSecretsIn(records: readonly object[], store: CredentialStore): void {
	assertNone('A record', JSON.stringify(records.slice(0, MAX_RECORDS)), store);
}

function assertNone(what: string, text: string, store: CredentialStore): void {
	const found = secretsIn(text, textsIn(store.stored()));
	if (found.length > 0) throw new Error(`${what} shows a secret: ${found.join(', ')}`);
}

/** Addresses, zones and client IDs are not secret. */
const SECRET_FIELDS = /token$|key$|^tokenRequestFields$/i;

function textsIn(credential: object): string[] {
	return Object.entries(credential)
		.filter(([name]) => SECRET_FIELDS.test(name))
		.flatMap(([name, value]) =>
			// A stored token is preceded by a fingerprint of its request.
			name === 'tokenRequestFields' || name === 'sessionToken'
				? (String(value).match(/[^"\s{}:,]+/g) ?? [])
				: String(value),
		);
}
