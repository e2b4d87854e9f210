/**
 * Redacts secrets in the service's messages before they are shown: a service may echo the token or
 * key that it rejects, whole or in part, as it is, URL-encoded, JSON-escaped or in Base64, even within a
 * longer text, and with other white space. Secrets are prepared for the first message, since most
 * clients meet no failure; what a message costs then depends on its length only.
 */

/** This many consecutive characters of a secret are masked wherever they appear. */
const REVEALING = 8;
const MIN_LENGTH = 4;
const MASK = '***';
const JSON_WEB_TOKEN = /\beyJ[\w-]{5,}(\.[\w-]*){0,2}/g;
/** The characters of a text as it is. */
const CHARACTERS = /\S/g;
/** And of one escaped as in HTML, JSON or URLs: one at a time, since a secret may hold `%aa` itself. */
const ESCAPED = [
	/&(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);|\S/gi,
	/\\u[\da-f]{4}|\\\/|\S/gi,
	/%[\da-f]{2}|\S/gi,
];
const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A text without white space and case, with the position of each character in the text as sent. */
interface Folded {
	text: string;
	starts: number[];
	ends: number[];
}

export class Redactor {
	private readonly secrets = new Set<string>();
	private readonly unprepared: string[] = [];
	/** All parts of this length or, of shorter secrets, the whole. */
	private readonly parts = new Map<number, Set<string>>();

	constructor(secrets: readonly string[] = []) {
		secrets.forEach((secret) => this.add(secret));
	}

	/** A secret that is known from now on, such as a new token. */
	add(secret: string): void {
		if (secret.length < MIN_LENGTH || this.secrets.has(secret)) return;
		this.secrets.add(secret);
		this.unprepared.push(secret);
	}

	/** Masks every secret, and every revealing part of one, in a text. */
	redact(text: string): string {
		for (const form of this.unprepared.splice(0).flatMap(formsOf))
			this.addForm(fold(form, CHARACTERS).text);
		const covered = new Uint8Array(text.length);
		for (const characters of [CHARACTERS, ...ESCAPED]) this.cover(fold(text, characters), covered);
		return masked(text, covered).replace(JSON_WEB_TOKEN, MASK);
	}

	private addForm(form: string): void {
		const length = Math.min(REVEALING, form.length);
		if (length < MIN_LENGTH) return;
		const parts = this.parts.get(length) ?? new Set();
		for (let at = 0; at + length <= form.length; at++) parts.add(form.slice(at, at + length));
		this.parts.set(length, parts);
	}

	private cover({ text, starts, ends }: Folded, covered: Uint8Array): void {
		for (const [length, parts] of this.parts)
			for (let at = 0; at + length <= text.length; at++)
				if (parts.has(text.slice(at, at + length)))
					covered.fill(1, starts[at], ends[at + length - 1]);
	}
}

function formsOf(secret: string): string[] {
	const bytes = Buffer.from(secret);
	return [
		secret,
		// Half a character cannot be encoded.
		encodeURIComponent(bytes.toString()),
		new URLSearchParams({ '': secret }).toString().slice(1),
		JSON.stringify(secret).slice(1, -1),
		...(['base64', 'base64url'] as const).flatMap((encoding) => [
			bytes.toString(encoding),
			...withinBase64(bytes, encoding),
		]),
	];
}

/** What a longer text in Base64 shows of a secret within it, such as `user:key`, wherever it begins. */
function withinBase64(bytes: Buffer, encoding: 'base64' | 'base64url'): string[] {
	// Three bytes are four characters; those at the edges also depend on the bytes around the secret.
	const forms = [0, 1, 2].map((before) =>
		Buffer.concat([Buffer.alloc(before), bytes])
			.toString(encoding)
			.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3)),
	);
	// A short form would mask harmless text.
	return forms.filter((form) => form.length >= REVEALING);
}

function fold(text: string, characters: RegExp): Folded {
	const folded: Folded = { text: '', starts: [], ends: [] };
	for (const { 0: piece, index } of text.matchAll(characters)) {
		const character = characterOf(piece);
		if (character.trim() === '') continue;
		// One character each, so that positions stay valid: other letters may become two.
		folded.text += /[A-Z]/.test(character) ? character.toLowerCase() : character;
		folded.starts.push(index);
		folded.ends.push(index + piece.length);
	}
	return folded;
}

function characterOf(piece: string): string {
	if (piece.length === 1) return piece;
	if (piece === '\\/') return '/';
	if (!piece.startsWith('&'))
		return String.fromCharCode(parseInt(piece.replace(/^\\u|%/i, ''), 16));
	const name = piece.slice(1, -1).toLowerCase();
	return NAMED[name] ?? String.fromCharCode(Number(name.replace('#x', '0x').replace('#', '')));
}

function masked(text: string, covered: Uint8Array): string {
	let result = '';
	for (let at = 0; at < text.length; at++) {
		if (covered[at] !== 1) result += text[at];
		else if (covered[at - 1] !== 1) result += MASK;
	}
	return result;
}
