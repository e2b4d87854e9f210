/** URLs: queries, and their maximum length. */
import { CLIENT_ID } from '../../nodes/EngagementUploads/transport/address.ts';
import { remainingLength, requestUrl } from '../../nodes/EngagementUploads/transport/request.ts';

const BASE = 'https://api.example.com';
const UUID = '5f0c9a3e-7d1b-4c52-9a54-0f5b7f1d2c11';

it('a URL has at most 2,000 characters, with the client ID filled in and room for the page', () => {
	const target = `/v1/clients/${CLIENT_ID}/users`;
	const rest = 2000 - `${BASE}/v1/clients/${UUID}/users?a=`.length;
	expect(requestUrl(BASE, target, { a: 'x'.repeat(rest) })).toContain('xxx');
	expect(() => requestUrl(BASE, target, { a: 'x'.repeat(rest + 1) })).toThrow(
		'The values entered are too long for one request (2001 of at most 2000 characters)',
	);
	const left = remainingLength(BASE, target, { a: '' });
	expect(rest - left).toBeGreaterThanOrEqual('&page=1234567890&size=1234567890'.length);
});
