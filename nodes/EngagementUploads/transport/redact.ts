/**
 * Redacts secrets in the service's messages before they are shown: a service may echo the token or
 * key that it rejects, whole, encoded or in part.
 */

/** This many consecutive characters of a secret are masked wherever they appear. */
const REVEALING = 8;
/**
 * This many are masked if they are a separate word that begins or ends a secret, as in “key
 * …1a2b3c”.
 */
const REVEALING_END = 6;
const MIN_HINTED_LENGTH = 16;
const WORD = /[\p{L}\p{N}]+/gu;
const MIN_LENGTH = 4;
const MASK = '***';
/** The characters of a text that is escaped as in HTML, or as in JSON and URLs. */
const CHARACTERS = [
	/&(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);|[^]/gi,
	/\\u[\da-f]{4}|%[\da-f]{2}|[^]/gi,
];
const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const JSON_WEB_TOKEN = /\beyJ[\w-]{5,}(\.[\w-]*){0,2}/g;

/** Masks every secret, and every revealing part of one, raw or encoded, in a text. */
export function redact(text: string, secrets: readonly string[]): string {
	// A value entered with surrounding spaces may have been sent without them.
	const entered = secrets.flatMap((secret) => [secret, secret.trim()]);
	const forms = entered.filter((secret) => secret.length >= MIN_LENGTH).flatMap(formsOf);
	const folded = [...new Set(forms.map(fold))];
	const covered = coverage(text, folded);
	for (const characters of CHARACTERS) {
		const { shown, starts } = unescaped(text, characters);
		coverage(shown, folded).forEach((isCovered, at) => {
			if (isCovered) covered.fill(1, starts[at], starts[at + 1]);
		});
	}
	return masked(text, covered).replace(JSON_WEB_TOKEN, MASK);
}

/** A text without escapes, with the position of each character in the text as sent. */
function unescaped(text: string, characters: RegExp): { shown: string; starts: number[] } {
	const pieces = text.match(characters) ?? [];
	const starts = [0];
	for (const { length } of pieces) starts.push((starts.at(-1) ?? 0) + length);
	return { shown: pieces.map(characterOf).join(''), starts };
}

/** Always one character, since positions depend on it. */
function characterOf(piece: string): string {
	if (piece.length === 1) return piece;
	if (!piece.startsWith('&'))
		return String.fromCharCode(parseInt(piece.replace(/^\\u|%/i, ''), 16));
	const name = piece.slice(1, -1).toLowerCase();
	return NAMED[name] ?? String.fromCharCode(Number(name.replace('#x', '0x').replace('#', '')));
}

/** Marks the characters of a text that belong to one of these forms (1) or none (0). */
function coverage(text: string, forms: string[]): Uint8Array {
	const covered = new Uint8Array(text.length);
	const folded = fold(text);
	for (const form of forms) {
		cover(folded, form, covered);
		coverEnds(folded, form, covered);
	}
	return covered;
}

function formsOf(secret: string): string[] {
	const encoded = [
		secret,
		encodeURIComponent(secret),
		new URLSearchParams({ '': secret }).toString().slice(1),
		JSON.stringify(secret).slice(1, -1),
		Buffer.from(secret).toString('hex'),
	];
	// Base64 depends on where in a longer text, such as a whole header, the secret begins.
	const shifted = ['', ' ', '  '].map((before) => Buffer.from(before + secret));
	const base64 = shifted.flatMap((bytes) => [
		bytes.toString('base64'),
		bytes.toString('base64url'),
	]);
	return [...new Set([...encoded, ...base64])];
}

/** Keys may be echoed in another case. The length must not change, so that positions stay valid. */
function fold(text: string): string {
	return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function cover(text: string, secret: string, covered: Uint8Array): void {
	const length = Math.min(REVEALING, secret.length);
	const parts = new Set<string>();
	for (let at = 0; at + length <= secret.length; at++) parts.add(secret.slice(at, at + length));
	for (let at = 0; at + length <= text.length; at++) {
		if (parts.has(text.slice(at, at + length))) covered.fill(1, at, at + length);
	}
}

/** A word in the text that begins or ends a secret; without a digit, it is just a word. */
function coverEnds(text: string, secret: string, covered: Uint8Array): void {
	if (secret.length < MIN_HINTED_LENGTH) return;
	for (const { 0: word, index } of text.matchAll(WORD)) {
		if (word.length < REVEALING_END || !/\d/.test(word)) continue;
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
