import type { IDataObject } from 'n8n-workflow';
import { parseCredential } from '../../../nodes/EngagementUploads/transport/credential.ts';
import {
	describeFailure,
	toSentences,
	type LastAttempt,
} from '../../../nodes/EngagementUploads/transport/messages.ts';
import type { Outcome } from '../../../nodes/EngagementUploads/transport/exchange.ts';

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
function textOf(outcome: Outcome, over: IDataObject = {}, last: Partial<LastAttempt> = {}): string {
	const credential = parseCredential({ ...entered, ...over });
	return toSentences(describeFailure(outcome, { credential, ...last }));
}

it('all that the service said is quoted between the problem and the advice', () => {
	const problem = 'The service rejected the values (422)';
	const message = 'The value “x” is <not> allowed';
	const errors = [{ message: 'And more' }];
	expect(textOf(answer(422, { message, errors }))).toMatch(
		`${problem}. The service said: “${message}; And more”. Check `,
	);
	for (const body of ['', {}]) expect(textOf(answer(422, body))).toMatch(`${problem}. Check `);
});

it.each([
	['The credential has no Base URL', 'the credential has no Base URL', 'Check the credential'],
	['The ID is invalid. Enter it. Try again', 'the ID is invalid', 'Enter it. Try again'],
	['ENOENT', 'ENOENT', 'Check the credential'],
])('a request that was not sent, since “%s”, says so once', (notSent, problem, advice) => {
	const credential = parseCredential(entered);
	const report = { problem, advice, fault: 'access' };
	expect(describeFailure({ notSent }, { credential })).toEqual(report);
});

/** The fault matrix tests what is said if the service itself fails. */
it.each<[Outcome, text: RegExp]>([
	[
		{ network: 'untrusted', code: 'EPROTO' },
		/^No secure connection to the token endpoint .*\(EPROTO\)\./,
	],
	[{ network: 'unsendable' }, /^The token or key contains an invalid character/],
	[{ network: 'proxy' }, /^The proxy between n8n and the token endpoint closed .*HTTPS_PROXY/],
	[
		{ network: 'unsent', code: 'ENOTFOUND' },
		/^The token endpoint could not be reached, even after 5 attempts \(ENOTFOUND\)\. .*Token URL/,
	],
	[{ network: 'lost' }, /^The connection to the token endpoint was lost.*Token URL/],
	[
		{ network: 'timeout', timeout: 500 },
		/^The token endpoint did not respond within 0\.5 seconds.*Token URL/,
	],
	[answer(307), /^The token endpoint responded with a redirect \(307\).*reach no other host/],
])('a token endpoint that fails is named: %j', (outcome, text) => {
	expect(textOf({ withoutToken: outcome }, {}, { attempts: 5 })).toMatch(text);
});

describe('401', () => {
	const jwt = (claims: object) =>
		['{"alg":"none"}', JSON.stringify(claims), 'signature']
			.map((part) => Buffer.from(part).toString('base64url'))
			.join('.');

	it.each([
		[
			{ exp: Date.UTC(2025, 4, 6, 7, 8, 9) / 1000 },
			'token expired at 2025-05-06T07:08:09.000Z (401)',
		],
		[{ exp: Math.round(Date.now() / 1000) + 600 }, 'The service rejected the access token (401)'],
		[{ sub: 'no expiry' }, 'The access token is wrong or has expired (401)'],
		[{ exp: 1e300 }, 'The access token is wrong or has expired (401)'],
		[{ exp: 1e14, sub: 'beyond all dates' }, 'The access token is wrong or has expired (401)'],
		[undefined, 'The access token is wrong or has expired (401)'],
	])('for a pasted token with the claims %j', (claims, problem) => {
		const text = textOf(answer(401), { accessToken: claims ? jwt(claims) : 'opaque-012345' });
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
	expect(describeFailure(outcome, { credential }).failure).toEqual({ cause });
});
