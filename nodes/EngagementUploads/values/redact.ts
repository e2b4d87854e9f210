/**
 * Redacts secrets in the service's messages, since a service may echo the token or key that it rejects:
 * as it is, URL-encoded, JSON-escaped or in Base64.
 */

const MIN_LENGTH = 4;
const MASK = '***';
/** Not within a word, but after a separator, even an encoded one such as `%20` or `%3D`. */
const JSON_WEB_TOKEN = /(?:(?<![A-Za-z])|(?<=%..|\\.))eyJ[\w-]{5,}(\.[\w-]*){0,2}/g;

export class Redactor {
	private readonly secrets = new Set<string>();
	/** All forms of the secrets, the longest first, since one may contain another. */
	private forms: string[] = [];

	constructor(secrets: readonly string[] = []) {
		this.add(secrets);
	}

	/** Adds secrets that are known from now on, such as a new token. */
	add(secrets: readonly string[]): void {
		const added = secrets.filter((each) => each.length >= MIN_LENGTH && !this.secrets.has(each));
		if (added.length === 0) return;
		added.forEach((secret) => this.secrets.add(secret));
		this.forms = [...this.secrets].flatMap(encode).sort((a, b) => b.length - a.length);
	}

	/** Masks every secret in a text. */
	redact(text: string): string {
		const masked = this.forms.reduce((rest, form) => rest.replaceAll(form, MASK), text);
		return masked.replace(JSON_WEB_TOKEN, MASK);
	}
}

/** A secret in the forms in which a service may echo it. */
function encode(secret: string): string[] {
	const bytes = Buffer.from(secret);
	const base64 = bytes.toString('base64').replace(/=+$/, '');
	// `encodeURIComponent` rejects half a character, which `bytes` replaces.
	return [
		secret,
		encodeURIComponent(bytes.toString()),
		JSON.stringify(secret).slice(1, -1),
		base64,
	];
}
