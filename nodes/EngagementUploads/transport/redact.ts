/**
 * Takes secrets out of what the service said before it is shown: a service may echo the token or
 * the key that it refuses, whole, encoded or in part.
 */

/** A run of this many characters of a secret is masked wherever it stands. */
const TELLING = 8;
/** So many are masked where they stand alone and begin or end a secret, as keys are often hinted at. */
const TELLING_END = 6;
const SHORTEST_HINTED_AT = 16;
const WORD = /[\p{L}\p{N}]+/gu;
const SHORTEST = 4;
const MASK = '***';
const JSON_WEB_TOKEN = /\beyJ[\w-]{5,}(\.[\w-]*){0,2}/g;

/** Masks every secret, and every telling part of one, raw or encoded, in a text. */
export function redact(text: string, secrets: readonly string[]): string {
	const forms = secrets.filter((secret) => secret.length >= SHORTEST).flatMap(formsOf);
	const covered = new Uint8Array(text.length);
	const folded = fold(text);
	for (const form of new Set(forms.map(fold))) {
		cover(folded, form, covered);
		coverEnds(folded, form, covered);
	}
	return masked(text, covered).replace(JSON_WEB_TOKEN, MASK);
}

function formsOf(secret: string): string[] {
	const encoded = [
		secret,
		encodeURIComponent(secret),
		new URLSearchParams({ '': secret }).toString().slice(1),
		JSON.stringify(secret).slice(1, -1),
		Buffer.from(secret).toString('base64'),
		Buffer.from(secret).toString('hex'),
	];
	return [...new Set(encoded)];
}

/** Keys are echoed in another case too; the length stays, so that places in the text do. */
function fold(text: string): string {
	return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function cover(text: string, secret: string, covered: Uint8Array): void {
	const length = Math.min(TELLING, secret.length);
	const parts = new Set<string>();
	for (let at = 0; at + length <= secret.length; at++) parts.add(secret.slice(at, at + length));
	for (let at = 0; at + length <= text.length; at++) {
		if (parts.has(text.slice(at, at + length))) covered.fill(1, at, at + length);
	}
}

/** A word of the text that a secret begins or ends with; one without a digit is just a word. */
function coverEnds(text: string, secret: string, covered: Uint8Array): void {
	if (secret.length < SHORTEST_HINTED_AT) return;
	for (const { 0: word, index } of text.matchAll(WORD)) {
		if (word.length < TELLING_END || !/\d/.test(word)) continue;
		if (secret.startsWith(word) || secret.endsWith(word))
			covered.fill(1, index, index + word.length);
	}
}

function masked(text: string, covered: Uint8Array): string {
	let result = '';
	for (let at = 0; at < text.length; at++) {
		if (covered[at] !== 1) result += text[at];
		else if (covered[at - 1] !== 1) result += MASK;
	}
	return result;
}
