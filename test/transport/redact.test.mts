import fc from 'fast-check';
import { redact } from '../../nodes/EngagementUploads/transport/redact.ts';

const KEY = '0123456789abcdef0123456789abcdef';
const REVEALING = 8;

const encodings: Record<string, (secret: string) => string> = {
	'as it is': (secret) => secret,
	'percent-encoded': encodeURIComponent,
	'as encoded in the form of the token request': (secret) =>
		new URLSearchParams({ key: secret }).toString().slice('key='.length),
	'as JSON': (secret) => JSON.stringify(secret).slice(1, -1),
	'as base64': (secret) => Buffer.from(secret).toString('base64'),
	'as base64 for URLs': (secret) => Buffer.from(secret).toString('base64url'),
	'in hexadecimal': (secret) => Buffer.from(secret).toString('hex'),
};

/** Every substring of a secret that is long enough to reveal something. */
function revealingParts(secret: string): string[] {
	const length = Math.min(REVEALING, secret.length);
	return Array.from({ length: secret.length - length + 1 }, (_, at) =>
		secret.slice(at, at + length),
	);
}

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 !"&\'()/+=%~é';
const secretText = fc.string({
	unit: fc.constantFrom(...letters),
	minLength: 4,
	maxLength: 60,
});

describe.each(Object.entries(encodings))('a secret %s', (_, encode) => {
	it('is masked wherever it appears', () => {
		fc.assert(
			fc.property(secretText, fc.string(), fc.string(), (secret, before, after) => {
				const shown = redact(`${before}${encode(secret)}${after}`, ['other', secret]);
				for (const part of revealingParts(encode(secret))) expect(shown).not.toContain(part);
			}),
		);
	});

	it('is masked in every revealing part', () => {
		const cut = fc.tuple(secretText, fc.nat(), fc.nat()).filter(([{ length }]) => length >= 8);
		fc.assert(
			fc.property(cut, ([secret, start, end]) => {
				const encoded = encode(secret);
				const from = start % (encoded.length - REVEALING + 1);
				const to = from + REVEALING + (end % (encoded.length - from - REVEALING + 1));
				const shown = redact(`<${encoded.slice(from, to)}>`, [secret]);
				expect(shown).toBe('<***>');
			}),
		);
	});
});

describe.each([
	['by name', { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }],
	['by number', { '&': '&#38;', '<': '&#60;', '>': '&#62;', '"': '&#34;', "'": '&#39;' }],
	['in mixed ways', { '&': '&amp;', '"': '&quot;', "'": '&#x27;', '+': '&#x2B;', '=': '&#061;' }],
] as Array<[string, Record<string, string>]>)('a secret escaped for a web page %s', (_, names) => {
	const escaped = (text: string) => text.replace(/[^]/gu, (letter) => names[letter] ?? letter);
	const unescaped = (text: string) =>
		Object.entries(names).reduceRight((all, [letter, name]) => all.replaceAll(name, letter), text);

	it('is masked wherever it appears', () => {
		const around = fc.string({ unit: fc.constantFrom(...'xyz <>.') });
		fc.assert(
			fc.property(secretText, around, around, (secret, before, after) => {
				const shown = redact(`${before}${escaped(secret)}${after}`, ['other', secret]);
				for (const part of revealingParts(secret)) expect(unescaped(shown)).not.toContain(part);
			}),
		);
	});

	it('is masked completely', () => {
		const key = `Zq&7k<x9"wP2'+=`;
		expect(redact(`&lt;p&gt; Bad key ${escaped(key)}!`, [key])).toBe('&lt;p&gt; Bad key ***!');
	});
});

it('masks a secret that was entered with surrounding spaces, with and without them', () => {
	const key = '  abc123\n';
	const inBase64 = (text: string) => Buffer.from(text).toString('base64');
	expect(redact('bad key abc123 given', [key])).toBe('bad key *** given');
	expect(redact(`bad key ${inBase64(key)} given`, [key])).toBe('bad key *** given');
});

it.each(['Bearer ', 'user:', 'a'])('masks a secret in base64 after %j', (before) => {
	const key = '5d0b7a1e93c84f26';
	const encoded = Buffer.from(before + key).toString('base64');
	const shown = redact(encoded, [key]);
	expect(shown).toMatch(/\*\*\*$/);
	expect(Buffer.from(shown, 'base64').toString()).not.toContain(key.slice(0, 4));
});

it.each([
	['%', (code: string) => `%${code}`],
	['\\u', (code: string) => `\\u00${code}`],
])('masks a secret with every character escaped with %s', (_, escape) => {
	const key = '5d0b7a1e93c84f26';
	const escaped = [...key].map((letter) => escape(letter.charCodeAt(0).toString(16))).join('');
	expect(redact(`bad key ${escaped}, 100% sure`, [key])).toBe('bad key ***, 100% sure');
});

it.each([
	['it ends in 84f2c6', 'it ends in ***'],
	['5d0b7a1...E84F2C6', '***...***'],
	['****84f2c6.', '*******.'],
	['no hint: 5d0b7 and b7a1e9', 'no hint: 5d0b7 and b7a1e9'],
])('masks the ends of a key in hints: %s', (message, shown) => {
	expect(redact(message, ['5d0b7a1e935d0b7a1e84f2c6'])).toBe(shown);
});

it('keeps words with which a secret begins or ends', () => {
	expect(redact('the secret of the public', ['secret-5d0b7a1e93c84f26-public'])).toBe(
		'the secret of the public',
	);
});

it('keeps the surrounding text', () => {
	expect(redact(`the key ${KEY} is not known (key: ${KEY.slice(3, 20)}…)`, [KEY])).toBe(
		'the key *** is not known (key: ***…)',
	);
});

it('keeps text without a secret', () => {
	const other = fc.string({ unit: fc.constantFrom(...'xyz {}":,.\n') });
	fc.assert(fc.property(other, (text) => expect(redact(text, [KEY, 'secret'])).toBe(text)));
});

it('masks adjacent and nested secrets as one', () => {
	expect(redact(`<${KEY}secretword>`, [KEY, 'secretword'])).toBe('<***>');
	expect(redact('<secretwords>', ['secretword', 'cretwords'])).toBe('<***>');
});

it('masks a short secret only as a whole, and one with fewer than 4 characters not at all', () => {
	expect(redact('abcdef abcde', ['abcdef'])).toBe('*** abcde');
	expect(redact('abc', ['abc', ''])).toBe('abc');
	expect(redact('1234567 of it', ['1234567890'])).toBe('1234567 of it');
});

it('masks every JSON Web Token, even an unknown one', () => {
	const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
	const token = `${part({ alg: 'HS256' })}.${part({ sub: 'someone' })}.c2lnbmF0dXJl`;
	expect(redact(`Bearer ${token} has expired`, [])).toBe('Bearer *** has expired');
	expect(redact(`token "${token.slice(0, 20)}"`, [])).toBe('token "***"');
});
