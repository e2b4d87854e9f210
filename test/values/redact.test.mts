import fc from 'fast-check';
import { Redactor } from '../../nodes/EngagementUploads/values/redact.ts';

const KEY = '0123456789abcdef0123456789abcdef';
const REVEALING = 8;

const redact = (text: string, secrets: string[]) => new Redactor(secrets).redact(text);

const encodings: Record<string, (secret: string) => string> = {
	'as it is': (secret) => secret,
	'percent-encoded': encodeURIComponent,
	'as encoded in the form of the token request': (secret) =>
		new URLSearchParams({ key: secret }).toString().slice('key='.length),
	'as JSON': (secret) => JSON.stringify(secret).slice(1, -1),
	'as JSON with escaped slashes': (secret) =>
		JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'),
	'as base64': (secret) => Buffer.from(secret).toString('base64'),
	'as base64 for URLs': (secret) => Buffer.from(secret).toString('base64url'),
	'with other white space': (secret) => secret.replace(/(.{3})/g, '$1\n\t'),
	'escaped for a web page': (secret) =>
		secret.replace(/[&<>"'+]/g, (letter) => `&#${letter.charCodeAt(0)};`),
};

/** Every substring of a secret that is long enough to reveal something. */
function revealingParts(secret: string): string[] {
	const squeezed = secret.replace(/\s/g, '');
	const length = Math.min(REVEALING, squeezed.length);
	return Array.from({ length: squeezed.length - length + 1 }, (_, at) =>
		squeezed.slice(at, at + length),
	);
}

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 !"&\'()/+=%~é';
const secretText = fc
	.string({ unit: fc.constantFrom(...letters), minLength: 4, maxLength: 60 })
	.filter((secret) => secret.replace(/\s/g, '').length >= 4);

describe.each(Object.entries(encodings))('a secret %s', (_, encode) => {
	it('is masked wherever it appears', () => {
		const around = fc.string({ unit: fc.constantFrom(...'xyz <>.') });
		fc.assert(
			fc.property(secretText, around, around, (secret, before, after) => {
				const shown = redact(`${before}${encode(secret)}${after}`, ['other', secret]);
				for (const part of revealingParts(encode(secret)))
					expect(shown.replace(/\s/g, '')).not.toContain(part);
			}),
		);
	});
});

it('masks every revealing part of a secret', () => {
	for (let at = 0; at + REVEALING <= KEY.length; at++)
		expect(redact(`<${KEY.slice(at, at + REVEALING)}>`, [KEY])).toBe('<***>');
	expect(redact(`the key ${KEY} is not known (key: ${KEY.slice(3, 20)}…)`, [KEY])).toBe(
		'the key *** is not known (key: ***…)',
	);
});

it.each([
	['%', (code: string) => `%${code}`],
	['\\u', (code: string) => `\\u00${code}`],
])('masks a secret with every character escaped with %s', (_, escape) => {
	const key = '5d0b7a1e93c84f26';
	const escaped = [...key].map((letter) => escape(letter.charCodeAt(0).toString(16))).join('');
	expect(redact(`bad key ${escaped}, 100% sure`, [key])).toBe('bad key ***, 100% sure');
});

it.each(['base64', 'base64url'] as const)(
	'masks a secret within a longer text in %s',
	(encoding) => {
		const around = fc.string({ unit: fc.constantFrom(...'user:é '), maxLength: 9 });
		fc.assert(
			fc.property(secretText, around, around, (secret, before, after) => {
				const text = Buffer.from(`${before}${secret}${after}`).toString(encoding);
				const start = Buffer.byteLength(before);
				// The characters that say nothing but the secret.
				const own = text.slice(
					Math.ceil((start * 4) / 3),
					Math.floor(((start + Buffer.byteLength(secret)) * 4) / 3),
				);
				fc.pre(own.length >= REVEALING);
				const shown = redact(`Basic ${text} is unknown`, [secret]);
				for (const part of revealingParts(own)) expect(shown).not.toContain(part);
				expect(shown).toMatch(/^Basic .*\*\*\*.* is unknown$/);
			}),
		);
	},
);

it.each([
	['SECRETWORD', 'secretword'],
	['secret%20word', 'secretword'],
	['ab&amp;cd&LT;ef', 'ab&cd<ef'],
	['ab&#x2B;cd&#47;ef', 'ab+cd/ef'],
	// They look escaped themselves.
	['&#43;%aa', '+%aa'],
	['%5Cu0041&lt;', '\\u0041&lt;'],
])('masks %s, which means %s', (sent, secret) => {
	expect(redact(`bad key ${sent}!`, [secret])).toBe('bad key ***!');
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
	expect(redact(`ab and ${Buffer.from('abc').toString('base64')}`, ['a  b', 'abc'])).toBe(
		'ab and YWJj',
	);
});

it('masks every JSON Web Token, even an unknown one', () => {
	const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
	const token = `${part({ alg: 'HS256' })}.${part({ sub: 'someone' })}.c2lnbmF0dXJl`;
	expect(redact(`Bearer ${token} has expired`, [])).toBe('Bearer *** has expired');
	expect(redact(`token "${token.slice(0, 20)}"`, [])).toBe('token "***"');
});
