/** URLs: queries, and their maximum length. */
import { requestUrl } from '../../nodes/EngagementUploads/transport/request.ts';

const BASE = 'https://api.example.com';

it('a URL has a readable query, and at most 2,000 characters', () => {
	expect(requestUrl(BASE, '/v1/x', { a: '1,2', b: undefined, c: '10:15 é' })).toBe(
		`${BASE}/v1/x?a=1,2&c=10:15%20%C3%A9`,
	);
	const rest = 2000 - `${BASE}/v1/x?a=`.length;
	expect(requestUrl(BASE, '/v1/x', { a: 'x'.repeat(rest) })).toHaveLength(2000);
	expect(() => requestUrl(BASE, '/v1/x', { a: 'x'.repeat(rest + 1) })).toThrow(
		'What was entered is too long for one request (2001 of at most 2000 characters)',
	);
	const engagementId = '1001,'.repeat(400);
	expect(() => requestUrl(BASE, '/v1/x', { orderBy: 'x', engagementId })).toThrow(
		/^Engagement IDs is too long for one request/,
	);
});
