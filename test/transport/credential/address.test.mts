import fc from 'fast-check';
import {
	addressOf,
	CLIENT_ID,
	fitsUrl,
	path,
	remainingLength,
	requestUrl,
	serviceBase,
	withClientId,
	withQuery,
} from '../../../nodes/EngagementUploads/transport/address.ts';

const BASE = 'https://api.example.com';
const UUID = '5f0c9a3e-7d1b-4c52-9a54-0f5b7f1d2c11';

describe('the Base URL', () => {
	it.each([
		[BASE, BASE],
		[`  ${BASE}/ `, BASE],
		[`${BASE}/v1/`, BASE],
		[`${BASE}//`, BASE],
		[`${BASE}/gateway/v1/`, `${BASE}/gateway`],
		[`${BASE}:8443/gateway`, `${BASE}:8443/gateway`],
		['HTTPS://API.example.com', BASE],
		['http://localhost:5000/', 'http://localhost:5000'],
		['http://[::1]:5000', 'http://[::1]:5000'],
	])('%j is %s', (entered, base) => {
		expect(serviceBase(entered)).toBe(base);
	});

	it.each([
		'http://api.example.com',
		'http://localhost.example.com',
		'http://127.0.0.1.example.com',
		'http://10.0.0.1',
		'http://0.0.0.0:5000',
		'http://[::2]',
		'ftp://localhost',
		'file:///etc/hosts',
	])('%s is rejected, since it is neither https nor on this computer', (entered) => {
		expect(() => serviceBase(entered)).toThrow('must start with https://');
	});

	it.each([undefined, null, '', '   ', 42])('%j is rejected as missing', (entered) => {
		expect(() => serviceBase(entered)).toThrow('has no Base URL');
	});

	it.each(['api.example.com', 'api.example.com/v1', 'api.example.com:443', 'localhost:5000'])(
		'%s lacks https://, the usual mistake',
		(entered) => {
			expect(() => serviceBase(entered)).toThrow(/not a valid address: https:\/\/ is missing/);
		},
	);

	it.each([
		'https://',
		`https://user:secretword@api.example.com`,
		'https://secretword@api.example.com',
		`${BASE}?key=secretword`,
		`${BASE}/#secretword`,
	])('%s is rejected without being quoted', (entered) => {
		expect(() => serviceBase(entered)).toThrow('is not a valid address');
		expect(() => serviceBase(entered)).not.toThrow('secretword');
	});
});

describe('an address', () => {
	it.each([
		['/v1/oauth/token', `${BASE}/gateway/v1/oauth/token`],
		['v1/oauth/token', `${BASE}/gateway/v1/oauth/token`],
		[`${BASE}/elsewhere/token`, `${BASE}/elsewhere/token`],
		['@example.org/token', `${BASE}/gateway/@example.org/token`],
	])('of %s stays on the host', (target, address) => {
		expect(addressOf(`${BASE}/gateway`, target)).toBe(address);
	});

	it.each([
		'https://api.example.com:8443/v1',
		'https://user@api.example.com/v1',
		'//example.org/v1',
		'javascript:alert(1)',
	])('of %s is rejected, since it is another host', (target) => {
		expect(() => addressOf(BASE, target)).toThrow('goes to a different host');
	});

	it('never leaves the host, whatever is requested', () => {
		const piece = fc.constantFrom(...'/\\:@.?#a', 'http', 'https', 'example.org', '.example.org');
		const target = fc.oneof(
			fc.string(),
			fc.array(piece).map((pieces) => pieces.join('')),
		);
		fc.assert(
			fc.property(target, (text) => {
				let address: string;
				try {
					address = addressOf(BASE, text);
				} catch (error) {
					expect((error as Error).message).toContain('goes to a different host');
					return;
				}
				expect(new URL(address).origin).toBe(BASE);
			}),
			{ numRuns: 1000 },
		);
	});
});

describe('the client ID', () => {
	const users = `${BASE}/v1/clients/${CLIENT_ID}/users`;

	it.each([users, `${BASE}/gateway/v1/clients/${CLIENT_ID}`, `${users}?size=2`])(
		'replaces its placeholder in %s',
		(address) => {
			expect(withClientId(address, UUID)).toBe(address.replace(CLIENT_ID, UUID));
		},
	);

	it.each([
		`${BASE}/v1/engagements/${CLIENT_ID}`,
		`${BASE}/v1/clients/x${CLIENT_ID}/users`,
		`${BASE}/v1/engagements?externalEngagementId=/clients/${CLIENT_ID}`,
		`${BASE}/v1/engagements?externalEngagementId={clientId}`,
		`${BASE}/v1/clients/{clientId}/users`,
	])('replaces nothing in %s', (address) => {
		expect(withClientId(address, UUID)).toBe(address);
	});

	it('is not required if the address needs none', () => {
		expect(withClientId(`${BASE}/v1/engagements/1/periods/`, '')).toBe(
			`${BASE}/v1/engagements/1/periods/`,
		);
	});

	it('is rejected as missing if it is empty', () => {
		expect(() => withClientId(users, '')).toThrow('has no Client ID');
	});

	it.each(['..', 'a/b', 'a?b', '-a', 'a b', `${UUID}/../x`])('%s is rejected', (id) => {
		expect(() => withClientId(users, id)).toThrow('is not a valid ID');
	});
});

it('a path keeps each part one segment', () => {
	expect(path`/v1/engagements/${1001}/connectors/${'Sage 50/UK?'}/refresh`).toBe(
		'/v1/engagements/1001/connectors/Sage%2050%2FUK%3F/refresh',
	);
	expect(path`/v1/users`).toBe('/v1/users');
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
	it('has at most 2,000 characters, with the client ID filled in', () => {
		const path = `/v1/clients/${CLIENT_ID}/users`;
		const rest = 2000 - `${BASE}/v1/clients/${UUID}/users?a=`.length;
		expect(requestUrl(BASE, path, { a: 'x'.repeat(rest) })).toHaveLength(
			2000 - 36 + CLIENT_ID.length,
		);
		expect(() => requestUrl(BASE, path, { a: 'x'.repeat(rest + 1) })).toThrow(
			expect.objectContaining({
				message:
					'The values entered are too long for one request (2001 of at most 2000 characters)',
				advice: 'Shorten them, or split them across several items',
			}),
		);
	});

	it('leaves room for the page parameters', () => {
		const url = `${BASE}/v1/users`;
		const left = remainingLength(BASE, '/v1/users', { a: undefined });
		expect(left).toBe(1928);
		expect(remainingLength(BASE, '/v1/users', { a: '1,2' })).toBe(left - '?a=1,2'.length);
		const more = url.length + left + '&page=1234567890&size=1234567890'.length;
		expect(more).toBeLessThanOrEqual(2000);
	});

	it.each([
		['value', { a: 'b', c: 'd\ud800' }],
		['name', { 'a\ud800': 'b' }],
		['list', { b: 'x', externalEngagementId: 'a,\udc00' }],
	])('is rejected, naming the field, if a %s contains half a character', (_what, query) => {
		const [name] = Object.keys(query).slice(-1);
		expect(() => requestUrl(BASE, '/v1/users', query)).toThrow(
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
