import type { IDataObject } from 'n8n-workflow';
import { parseCredential } from '../../../nodes/EngagementUploads/transport/credential/credential.ts';
import {
	describeFailure,
	toSentences,
	type Attempts,
} from '../../../nodes/EngagementUploads/transport/failures/describeFailure.ts';
import type { Outcome } from '../../../nodes/EngagementUploads/transport/http/exchange.ts';

const entered = {
	baseUrl: 'https://api.example.com',
	subscriptionApiKey: 'key-0123456789',
	authentication: 'accessToken',
	accessToken: 'opaque-0123456789',
};

const answer = (status: number, body: unknown = ''): Outcome => {
	return { status, headers: {}, text: typeof body === 'string' ? body : JSON.stringify(body) };
};

/** What the user reads after an outcome. */
function textOf(outcome: Outcome, over: IDataObject = {}, last: Partial<Attempts> = {}): string {
	const credential = parseCredential({ ...entered, ...over });
	return toSentences(describeFailure(outcome, { credential, timeout: 500, ...last }));
}

it.each([
	[400, 'The service rejected the request as invalid (400)'],
	[403, 'The service denied access (403)'],
	[404, 'The service could not find it (404)'],
	[407, 'The proxy between n8n and the service requires a login (407)'],
	[409, 'The request conflicts with existing data (409)'],
	[418, 'The service rejected the request (418)'],
	[422, 'The service rejected the values (422)'],
])('%i: %s, with all that the service said', (status, problem) => {
	const message = 'The value “x” is <not> allowed';
	const errors = [{ message: 'And more' }];
	expect(textOf(answer(status, { message, errors }))).toMatch(
		`${problem}. The service said: “${message}; And more”. Check `,
	);
	for (const body of ['', {}]) expect(textOf(answer(status, body))).toMatch(`${problem}. Check `);
});

it.each([
	['The credential has no Base URL', 'the credential has no Base URL', 'Check the credential'],
	['The ID is invalid. Enter it. Try again', 'the ID is invalid', 'Enter it. Try again'],
	['ENOENT', 'ENOENT', 'Check the credential'],
])('a request that was not sent, since “%s”, says so once', (notSent, problem, advice) => {
	const credential = parseCredential(entered);
	expect(describeFailure({ notSent }, { credential, timeout: 500 })).toEqual({ problem, advice });
});

it.each<[Outcome, service: RegExp, endpoint: RegExp]>([
	[
		{ network: 'untrusted', code: 'EPROTO' },
		/^No secure connection to the service could be made \(EPROTO\)\..* Base URL/,
		/^No secure connection to the token endpoint could be made \(EPROTO\)\./,
	],
	[
		{ network: 'unsendable' },
		/^The token or key contains an invalid character/,
		/^The token or key contains an invalid character/,
	],
	[
		{ network: 'proxy' },
		/^The proxy between n8n and the service closed the connection, even after 5 attempts.*HTTPS_PROXY/,
		/^The proxy between n8n and the token endpoint closed the connection/,
	],
	[
		{ network: 'unsent', code: 'ENOTFOUND' },
		/^The service at api\.example\.com could not be reached, even after 5 attempts \(ENOTFOUND\)/,
		/^The token endpoint could not be reached.*Token URL/,
	],
	[
		{ network: 'lost' },
		/^The connection to the service was lost/,
		/^The connection to the token endpoint was lost.*Token URL/,
	],
	[
		{ network: 'timeout' },
		/^The service did not respond within 0\.5 seconds.*increase Timeout in Options/,
		/^The token endpoint did not respond within 0\.5 seconds.*Token URL/,
	],
	[
		{ status: 307, headers: {}, text: '' },
		/^The service responded with a redirect \(307\), which was not followed, so that the token and key/,
		/^The token endpoint responded with a redirect \(307\).* so that the token and key reach no other host/,
	],
])('after %j, the side that failed is named', (outcome, service, endpoint) => {
	expect(textOf(outcome, {}, { attempts: 5 })).toMatch(service);
	expect(textOf({ withoutToken: outcome }, {}, { attempts: 5 })).toMatch(endpoint);
});

describe('401', () => {
	const jwt = (claims: object) =>
		['{"alg":"none"}', JSON.stringify(claims), 'signature']
			.map((part) => Buffer.from(part).toString('base64url'))
			.join('.');

	it.each([
		[
			'that has expired',
			jwt({ exp: Date.UTC(2025, 4, 6, 7, 8, 9) / 1000 }),
			'The access token expired at 2025-05-06T07:08:09.000Z (401)',
		],
		['without an expiry', jwt({ sub: 'x' }), 'The access token is wrong or has expired (401)'],
		['with a senseless one', jwt({ exp: 1e300 }), 'The access token is wrong or has expired (401)'],
		[
			'with one beyond all dates',
			jwt({ exp: 1e14 }),
			'The access token is wrong or has expired (401)',
		],
		['that is no JWT', 'opaque-012345', 'The access token is wrong or has expired (401)'],
		[
			'that has not expired',
			jwt({ exp: Math.round(Date.now() / 1000) + 600 }),
			'The service rejected the access token (401)',
		],
	])('for a pasted token %s', (_what, accessToken, problem) => {
		const text = textOf(answer(401), { accessToken });
		expect(text).toMatch(problem);
		expect(text).toContain('set Authentication to Token Endpoint');
	});

	it('for a key, or for a new token', () => {
		const message = 'Access denied due to invalid subscription key';
		expect(textOf(answer(401, { message }))).toMatch(
			/rejected the subscription key \(401\).*Enter the Subscription Key/,
		);
		const endpoint = { authentication: 'tokenEndpoint' };
		expect(textOf(answer(401), endpoint)).toMatch(/rejected the new token as well \(401\)/);
	});
});

it.each([
	[200, 'configuration-invalid'],
	[403, 'credential-invalid'],
	[407, 'configuration-invalid'],
	[503, 'temporarily-unavailable'],
])('n8n is told why there is no token after a %i: %s', (status, cause) => {
	const credential = parseCredential({ ...entered, authentication: 'tokenEndpoint' });
	const outcome = { withoutToken: answer(status, { expires_in: 1800 }) };
	expect(describeFailure(outcome, { credential, timeout: 500 }).failure).toEqual({ cause });
});
