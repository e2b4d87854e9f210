import {
	CLIENT_ID,
	fitsUrl,
	path,
	remainingLength,
	requestUrl,
	withQuery,
} from '../../../nodes/EngagementUploads/transport/credential/address.ts';

describe('a path', () => {
	it('keeps each part one segment', () => {
		expect(path`/v1/engagements/${1001}/connectors/${'Sage 50/UK?'}/refresh`).toBe(
			'/v1/engagements/1001/connectors/Sage%2050%2FUK%3F/refresh',
		);
		expect(path`/v1/users`).toBe('/v1/users');
	});
});

describe('a query', () => {
	it('omits undefined values, and nothing else', () => {
		const query = { a: 1, b: undefined, c: '', d: false, e: 0 };
		expect(withQuery('/v1/x', query)).toBe('/v1/x?a=1&c=&d=false&e=0');
	});

	it.each([{}, { a: undefined }])('that is empty adds nothing: %j', (query) => {
		expect(withQuery('/v1/x', query)).toBe('/v1/x');
	});

	it('encodes names and values, but keeps every comma and colon readable', () => {
		expect(withQuery('/v1/x', { 'a&b': '1,2,3', at: '2026-03-01T10:15:30', c: 'd&e=f g' })).toBe(
			'/v1/x?a%26b=1,2,3&at=2026-03-01T10:15:30&c=d%26e%3Df%20g',
		);
	});
});

describe('the URL of a request', () => {
	const base = 'https://api.example.com';

	it('has at most 2,000 characters, with the client ID filled in', () => {
		const path = `/v1/clients/${CLIENT_ID}/users`;
		const rest = 2000 - `${base}/v1/clients/5f0c9a3e-7d1b-4c52-9a54-0f5b7f1d2c11/users?a=`.length;
		expect(requestUrl(base, path, { a: 'x'.repeat(rest) })).toHaveLength(
			2000 - 36 + CLIENT_ID.length,
		);
		expect(() => requestUrl(base, path, { a: 'x'.repeat(rest + 1) })).toThrow(
			expect.objectContaining({
				message:
					'The values entered are too long for one request (2001 of at most 2000 characters)',
				advice: 'Shorten them, or split them across several items',
			}),
		);
	});

	it('leaves room for the page parameters', () => {
		const url = `${base}/v1/users`;
		const left = remainingLength(base, '/v1/users', { a: undefined });
		expect(left).toBe(1928);
		expect(remainingLength(base, '/v1/users', { a: '1,2' })).toBe(left - '?a=1,2'.length);
		const more = url.length + left + '&page=1234567890&size=1234567890'.length;
		expect(more).toBeLessThanOrEqual(2000);
	});

	it.each([
		['value', { a: 'b', c: 'd\ud800' }],
		['name', { 'a\ud800': 'b' }],
		['list', { b: 'x', externalEngagementId: 'a,\udc00' }],
	])('is rejected, naming the field, if a %s contains half a character', (_what, query) => {
		const [name] = Object.keys(query).slice(-1);
		expect(() => requestUrl(base, '/v1/users', query)).toThrow(
			expect.objectContaining({
				message: `The value of “${name}” contains an invalid character`,
				advice: 'Enter it again without the invalid character',
			}),
		);
	});

	it.each([
		['a'.repeat(500), true],
		['a'.repeat(501), false],
		['é'.repeat(84), false],
		['a\ud800', false],
	])('has room for the ID %s: %s', (id, fits) => {
		expect(fitsUrl(id)).toBe(fits);
	});
});
