import { CLIENT_ID } from '../../nodes/EngagementUploads/transport/address.ts';
import {
	MAX_URL_LENGTH,
	path,
	remainingLength,
	urlLength,
	withQuery,
} from '../../nodes/EngagementUploads/transport/url.ts';

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

describe('the length of a URL', () => {
	const uuid = '5f0c9a3e-7d1b-4c52-9a54-0f5b7f1d2c11';

	it('is that with the client ID filled in', () => {
		const url = `https://api.example.com/v1/clients/${CLIENT_ID}/users`;
		expect(urlLength(url)).toBe(url.replace(CLIENT_ID, uuid).length);
		expect(urlLength('https://api.example.com/v1/users')).toBe(32);
	});

	it('leaves room for the page parameters', () => {
		const url = 'https://api.example.com/v1/users';
		const pages = '&page=1234567890&size=1234567890';
		expect(remainingLength(url)).toBe(1928);
		expect(url.length + remainingLength(url) + pages.length).toBeLessThanOrEqual(MAX_URL_LENGTH);
	});
});
