import fc from 'fast-check';
import { Redactor } from '../../nodes/EngagementUploads/values/redact.ts';

const redact = (text: string, secrets: string[]) => new Redactor(secrets).redact(text);

const SPELLINGS: Record<string, (secret: string) => string> = {
	'as it is': (secret) => secret,
	'encoded for a URL': encodeURIComponent,
	'escaped for JSON': (secret) => JSON.stringify(secret).slice(1, -1),
	'in Base64': (secret) => Buffer.from(secret).toString('base64'),
};

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 !"&\'()/+=%~é';
const secretText = fc.string({ unit: fc.constantFrom(...letters), minLength: 4, maxLength: 60 });
const around = fc.string({ unit: fc.constantFrom(...'#;<> .') });

it.each(Object.entries(SPELLINGS))('masks a secret %s wherever it appears', (_, spell) => {
	const property = fc.property(secretText, around, around, (secret, before, after) => {
		const shown = redact(`${before}${spell(secret)}${after}`, ['other', secret]);
		// What is left of Base64 is its padding.
		expect(shown.replace(/\*=+/, '*')).toBe(`${before}***${after}`);
	});
	fc.assert(property);
});

it('masks the longer of two secrets first, and none with fewer than 4 characters', () => {
	expect(redact('<secretwords>', ['cretwords', 'secretwords'])).toBe('<***>');
	expect(redact('abc', ['abc', ''])).toBe('abc');
});

it('masks every JSON Web Token, even an unknown one', () => {
	const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
	const token = `${part({ alg: 'HS256' })}.${part({ sub: 'someone' })}.c2lnbmF0dXJl`;
	expect(redact(`Bearer ${token} has expired`, [])).toBe('Bearer *** has expired');
	for (const before of ['%22', 'Bearer%20', 'token%3D', '\\n', 'token_'])
		expect(redact(`${before}${token}`, [])).toBe(`${before}***`);
	expect(redact('journeyJournal', [])).toBe('journeyJournal');
	expect(redact(`token "${token.slice(0, 20)}"`, [])).toBe('token "***"');
});
