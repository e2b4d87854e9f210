/** Looks for secrets in what users, workflows and logs can see. */
import type { CredentialStore } from './credentials.mts';

/** A run of so many characters tells something of a secret. */
const TELLING = 10;
/** So many at its beginning or end do, as keys are often hinted at. */
const TELLING_END = 6;
/** More of a run's records are not searched, for the sake of time. */
const MOST_RECORDS = 1000;
/** What is shorter, such as a grant type, is no secret. */
const SHORTEST = 16;

/**
 * Everything in a text that tells of a secret: raw, encoded, or partly masked. Among very many
 * secrets some begin or end as other things do by chance: then `hints` are left out.
 */
export function secretsIn(
	text: string,
	secrets: readonly string[],
	{ hints = true }: { hints?: boolean } = {},
): string[] {
	const folded = text.toLowerCase();
	const long = [...new Set(secrets)].filter(({ length }) => length >= SHORTEST);
	const runs = new Set(
		long.flatMap(formsOf).flatMap((form) => runsOf(form.toLowerCase(), TELLING)),
	);
	const ends = new Set(hints ? long.flatMap(endsOf) : []);
	return [...runsIn(folded, TELLING, runs), ...runsIn(folded, TELLING_END, ends)].filter(isNoWord);
}

/** The runs of a text that are among others. */
function* runsIn(text: string, length: number, wanted: ReadonlySet<string>): Generator<string> {
	if (wanted.size === 0) return;
	for (let at = 0; at + length <= text.length; at += 1) {
		const run = text.slice(at, at + length);
		if (wanted.has(run)) yield run;
	}
}

/** Fails where an error shows a secret of the credentials that are stored: every run is searched. */
export function refuseSecrets(error: unknown, store: CredentialStore): void {
	if (!(error instanceof Error)) return;
	const { message, stack = '', description = '' } = error as Error & { description?: unknown };
	const text = [message, stack, String(description)].join('\n');
	const found = secretsIn(text, store.all().flatMap(textsIn), { hints: false });
	if (found.length > 0) throw new Error(`An error shows a secret: ${found.join(', ')}`);
}

/** Addresses, zones and client IDs are no secrets. */
const SECRET_FIELDS = /token$|key$|^tokenRequestFields$/i;

/** Fails where records show a whole secret of the credentials that are stored. */
export function refuseSecretsIn(records: readonly object[], store: CredentialStore): void {
	const text = JSON.stringify(records.slice(0, MOST_RECORDS));
	const secrets = store
		.all()
		.flatMap(textsIn)
		.filter(({ length }) => length >= SHORTEST);
	if (secrets.some((secret) => text.includes(secret))) throw new Error('A record shows a secret');
}

function textsIn(credential: object): string[] {
	return Object.entries(credential)
		.filter(([name]) => SECRET_FIELDS.test(name))
		.flatMap(([name, value]) =>
			name === 'tokenRequestFields' ? (String(value).match(/[^"\s{}:,]+/g) ?? []) : String(value),
		);
}

/** Words, such as the ones that keys of the simulated service begin with, tell nothing. */
function isNoWord(run: string): boolean {
	return /\d/.test(run);
}

/** Of its own: what hides secrets must not tell what to look for. */
function formsOf(secret: string): string[] {
	return [
		secret,
		encodeURIComponent(secret),
		new URLSearchParams({ '': secret }).toString().slice(1),
		JSON.stringify(secret).slice(1, -1),
		Buffer.from(secret).toString('base64'),
		Buffer.from(secret).toString('base64url'),
		Buffer.from(secret).toString('hex'),
	];
}

function runsOf(text: string, length: number): string[] {
	const count = Math.max(0, text.length - length + 1);
	return Array.from({ length: count }, (_, at) => text.slice(at, at + length));
}

function endsOf(secret: string): string[] {
	const folded = secret.toLowerCase();
	return [folded.slice(0, TELLING_END), folded.slice(-TELLING_END)];
}
