/** Where requests go: the token and key reach no other host. */
import fc from 'fast-check';
import {
	CLIENT_ID,
	resolveAddress,
	parseBaseUrl,
	withClientId,
} from '../../nodes/EngagementUploads/transport/address.ts';

const BASE = 'https://api.example.com';
const UUID = '5f0c9a3e-7d1b-4c52-9a54-0f5b7f1d2c11';

describe('the Base URL', () => {
	it.each([
		[`  ${BASE}/ `, BASE],
		[`${BASE}/v1/`, BASE],
		[`${BASE}/gateway/v1//`, `${BASE}/gateway`],
		[`${BASE}/v1/clients/v1?page=1#top`, BASE],
		['https://v1.example.com/v1?x', 'https://v1.example.com'],
		['HTTPS://API.example.com:8443', `${BASE}:8443`],
		['http://localhost:5000/', 'http://localhost:5000'],
		['http://[::1]:5000', 'http://[::1]:5000'],
	])('%j is %s', (entered, base) => {
		expect(parseBaseUrl(entered)).toBe(base);
	});

	const notLocal = `
		http://api.example.com http://localhost.example.com http://127.0.0.1.example.com
		http://10.0.0.1 http://[::2] ftp://localhost
	`;
	it.each(notLocal.trim().split(/\s+/))('%s is neither https nor on this computer', (entered) => {
		expect(() => parseBaseUrl(entered)).toThrow('must start with https://');
	});

	it('is missing, or lacks https://, the usual mistake', () => {
		for (const entered of [undefined, null, '   ', 42])
			expect(() => parseBaseUrl(entered)).toThrow('has no Base URL');
		for (const entered of ['api.example.com/v1', 'api.example.com:443', 'localhost:5000'])
			expect(() => parseBaseUrl(entered)).toThrow(/with https:\/\/|start with https/);
	});

	const withMore = `
		https:// https://user:hush@api.example.com https://hush@api.example.com
		${BASE}?key=hush ${BASE}/#hush
	`;
	it.each(withMore.trim().split(/\s+/))('%s is rejected without being quoted', (entered) => {
		expect(() => parseBaseUrl(entered)).toThrow(/is not a valid address(?!.*hush)/);
	});
});

it('an address never leaves the host, whatever is requested', () => {
	const piece = fc.constantFrom(...'/\\:@.?#a', 'http', 'https', 'example.org', '.example.org');
	const target = fc.oneof(
		fc.string(),
		fc.array(piece).map((pieces) => pieces.join('')),
		fc.constantFrom(`${BASE}:8443/v1`, 'https://user@api.example.com', '//example.org/v1'),
	);
	const property = fc.property(target, (text) => {
		let address: string;
		try {
			address = resolveAddress(BASE, text);
		} catch (error) {
			expect((error as Error).message).toContain('goes to a different host');
			return;
		}
		expect(new URL(address).origin).toBe(BASE);
	});
	fc.assert(property, { numRuns: 1000 });
});

describe('the client ID', () => {
	const users = `${BASE}/v1/clients/${CLIENT_ID}/users`;

	it('replaces its placeholder after /clients/ in the path, and nothing else', () => {
		for (const address of [users, `${BASE}/gateway/v1/clients/${CLIENT_ID}`, `${users}?size=2`])
			expect(withClientId(address, UUID)).toBe(address.replace(CLIENT_ID, UUID));
		for (const path of ['engagements/', 'clients/x', 'x?a=/clients/']) {
			const other = `${BASE}/v1/${path}${CLIENT_ID}`;
			expect(withClientId(other, UUID)).toBe(other);
		}
	});

	it('is sent as UUIDs usually are, if it is one', () => {
		for (const id of [UUID.toUpperCase(), UUID.replaceAll('-', '')])
			expect(withClientId(users, id)).toBe(users.replace(CLIENT_ID, UUID));
		expect(withClientId(users, 'Client-7')).toBe(users.replace(CLIENT_ID, 'Client-7'));
	});

	it('is needed where its placeholder is, and must be one', () => {
		expect(() => withClientId(users, '')).toThrow('Enter the Client ID in the credential');
		for (const id of ['..', 'a/b', 'a?b', '-a', 'a b', `${UUID}/../x`])
			expect(() => withClientId(users, id)).toThrow('is not a valid ID');
	});
});
