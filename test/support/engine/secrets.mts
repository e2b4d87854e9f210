/** Looks for secrets in what users, workflows and logs can see. */
import type { CredentialStore } from './credentials.mts';

/** This many consecutive characters reveal something about a secret. */
const REVEALING = 10;
/** This many at its beginning or end do too, as in “key …1a2b3c”. */
const REVEALING_END = 6;
/** Maximum number of records searched per run, to save time. */
const MAX_RECORDS = 1000;
/** Anything shorter, such as a grant type, is not a secret. */
const MIN_LENGTH = 16;

/**
 * Everything in a text that reveals a secret: raw, encoded, or partly masked. If there are many
 * secrets, some begin or end like other text by chance; `hints` are then left out.
 */
export function secretsIn(
	text: string,
	secrets: readonly string[],
	{ hints = true }: { hints?: boolean } = {},
): string[] {
	const folded = text.toLowerCase();
	const long = [...new Set(secrets)].filter(({ length }) => length >= MIN_LENGTH);
	const forms = new Set(long.flatMap(formsOf).map((form) => form.toLowerCase()));
	const runs = new Set([...forms].flatMap((form) => runsOf(form, REVEALING)));
	const ends = new Set(hints ? long.flatMap(endsOf) : []);
	return [...runsIn(folded, REVEALING, runs), ...runsIn(folded, REVEALING_END, ends)].filter(
		isDistinctive,
	);
}

/** The parts of a text that contain one of these. */
function* runsIn(text: string, length: number, wanted: ReadonlySet<string>): Generator<string> {
	// Few places of a long text begin like a secret, and only these are compared in full.
	const begins = new Uint8Array(2 ** 16);
	for (const run of wanted) begins[beginOf(run, 0)] = 1;
	for (let at = 0; at + length <= text.length; at += 1) {
		if (begins[beginOf(text, at)] === 0) continue;
		const run = text.slice(at, at + length);
		if (wanted.has(run)) yield run;
	}
}

/** A hash of the three characters at a position. */
function beginOf(text: string, at: number): number {
	const [one, two, three] = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2)];
	return (one ^ (two << 5) ^ (three << 10)) & 0xffff;
}

/** Fails if an error shows a secret of the stored credentials; checked after every run. */
export function assertNoSecrets(error: unknown, store: CredentialStore): void {
	// The engine hands over the errors of runs as plain objects.
	if (typeof error !== 'object' || error === null) return;
	const { message, stack = '', description = '' } = error as Error & { description?: unknown };
	const text = [message, stack, String(description)].join('\n');
	const found = secretsIn(text, store.all().flatMap(textsIn), { hints: false });
	if (found.length > 0) throw new Error(`An error shows a secret: ${found.join(', ')}`);
}

/** Addresses, zones and client IDs are not secret. */
const SECRET_FIELDS = /token$|key$|^tokenRequestFields$/i;

/** Fails if records show a whole secret of the stored credentials. */
export function assertNoSecretsIn(records: readonly object[], store: CredentialStore): void {
	const text = JSON.stringify(records.slice(0, MAX_RECORDS));
	const secrets = store
		.all()
		.flatMap(textsIn)
		.filter(({ length }) => length >= MIN_LENGTH);
	if (secrets.some((secret) => text.includes(secret))) throw new Error('A record shows a secret');
}

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

/** Words, such as those at the start of the simulated service's keys, and times reveal nothing. */
function isDistinctive(run: string): boolean {
	return /\d/.test(run) && /[a-z]/.test(run);
}

/** Independent of the product code: what redacts secrets must not define what to look for. */
function formsOf(secret: string): string[] {
	return [
		secret,
		encodeURIComponent(secret),
		new URLSearchParams({ '': secret }).toString().slice(1),
		JSON.stringify(secret).slice(1, -1),
		Buffer.from(secret).toString('base64'),
		Buffer.from(secret).toString('base64url'),
	];
}

function runsOf(text: string, length: number): string[] {
	const count = Math.max(0, text.length - length + 1);
	return Array.from({ length: count }, (_, at) => text.slice(at, at + length));
}

function endsOf(secret: string): string[] {
	const folded = secret.toLowerCase();
	return [folded.slice(0, REVEALING_END), folded.slice(-REVEALING_END)];
}
