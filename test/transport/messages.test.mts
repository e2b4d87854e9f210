/** What the user reads of a failed request. The failure matrix tests the messages of all operations. */
import type { IDataObject } from 'n8n-workflow';
import { parseCredential } from '../../nodes/EngagementUploads/transport/credential.ts';
import type { Answer } from '../../nodes/EngagementUploads/transport/n8nHttp.ts';
import {
	classify,
	classifyTokenRequest,
	type Ending,
} from '../../nodes/EngagementUploads/transport/classify.ts';
import type { Closed } from '../../nodes/EngagementUploads/transport/failures.ts';
import {
	describe as report,
	toSentences,
} from '../../nodes/EngagementUploads/transport/messages.ts';
import { Redactor } from '../../nodes/EngagementUploads/values/redact.ts';

const entered = {
	baseUrl: 'https://api.example.com',
	subscriptionApiKey: 'key-0123456789',
	authentication: 'accessToken',
	accessToken: 'opaque-0123456789',
};
const endpoint = { authentication: 'tokenEndpoint' };

const KEY_REJECTED = { message: 'Access denied due to invalid subscription key' };

const answer = (status: number, body: unknown = '', headers = {}): Answer => {
	return { status, headers, body };
};

const SECRET = 'Zq83hfKq0pLw2xNd';

/** What the service says in the body of a 400. */
function messageIn(body: unknown, secret = SECRET): string | undefined {
	const known = { credential: parseCredential(entered), redactor: new Redactor([secret]) };
	return report(classify(answer(400, body)), known).serviceMessage;
}

describe('what the service said', () => {
	it.each<[body: unknown, message: string | undefined]>([
		[{ message: 'Not allowed', traceId: 'x' }, 'Not allowed'],
		[{ error: 'Bad Request', errorMessage: 'is too long' }, 'is too long; Bad Request'],
		// What is nested, or called otherwise, is shown as it is.
		[{ message: 'No', errors: { name: ['bad'] } }, '{"message":"No","errors":{"name":["bad"]}}'],
		[{ status: 404 }, '{"status":404}'],
		[[1001, 1002], '[1001,1002]'],
		['Just <a> text', 'Just <a> text'],
		['<html><title>502 Bad\n Gateway</title><h1>x</h1>', '502 Bad Gateway'],
		['<html><style>p {}</style><h1>502\n Bad Gateway</h1><script>alert(1)', '502 Bad Gateway'],
		[{ message: ' ' }, undefined],
		['<html><h1></h1>', undefined],
		[null, undefined],
	])('%j is “%s”', (body, message) => {
		expect(messageIn(body)).toBe(message);
	});

	it('is shown up to 1,000 characters, with how many there are more', () => {
		expect(messageIn('x'.repeat(1000))).toBe('x'.repeat(1000));
		expect(messageIn({ message: 'x'.repeat(2_000_000) })).toBe(
			`${'x'.repeat(1000)}… (1999000 more characters)`,
		);
	});

	it('contains no secret, also not where it is cut', () => {
		expect(messageIn({ message: SECRET, errors: { [SECRET]: SECRET } })).toBe(
			'{"message":"***","errors":{"***":"***"}}',
		);
		for (let before = 980; before < 1000; before++)
			expect(messageIn(`${'x'.repeat(before)} ${SECRET}`)).not.toContain('Zq8');
		const long = `opaque${'x'.repeat(1500)}`;
		expect(messageIn(`${long} `.repeat(3), long)).toBe('*** *** ***');
	});
});

/** What the user reads after an answer. */
function readText(
	given: Ending,
	over: IDataObject = {},
	more: { closed?: Closed; attempts?: number; hasSucceeded?: boolean } = {},
): string {
	const credential = parseCredential({ ...entered, ...over });
	return toSentences(report(classify(given), { credential, ...more }));
}

it('what the service said stands between the problem and the advice', () => {
	expect(readText(answer(422, { message: '“x” is not allowed' }))).toBe(
		'The service rejected the request as invalid (422). The service said: ““x” is not allowed”. Check the values entered in this node',
	);
});

it('a 404 of the service names the Client ID if it was entered, and one of another server the Base URL too', () => {
	const [own, other] = [answer(404, { message: 'No connector x' }), answer(404, 'Not found')];
	const clientId = { clientId: '1' };
	expect(readText(own)).toMatch(/IDs and names entered in this node$/);
	expect(readText(own, clientId)).toMatch(/in this node, and the Client ID of the credential$/);
	expect(readText(own, clientId, { hasSucceeded: true })).toMatch(/in this node$/);
	expect(readText(other, clientId)).toMatch(
		/the Client ID of the credential\. Check the Base URL too$/,
	);
});

describe('what never reached the service, or was refused on the way', () => {
	const PAGE = '<!DOCTYPE html><title>Blocked</title>';

	const ADDRESSES = / Token URL/;
	const UNREACHABLE: Answer = { end: 'unsent', detail: 'ECONNREFUSED' };

	it.each<[given: Answer, cause: RegExp, forToken: RegExp]>([
		[answer(404, { message: 'Resource not found' }), /could not find it.* Base URL/, ADDRESSES],
		[answer(404, { error: 'Not Found', path: '/api/v1/x' }), /\(404\).* Base URL/, ADDRESSES],
		[answer(404, { detail: 'No static resource v1/x.' }), /Base URL/, ADDRESSES],
		[answer(403, PAGE), /^A firewall .*\(403\)\. .*“Blocked”.* let requests/, / let requests/],
		[answer(407, PAGE), /^A proxy .*\(407\).* HTTPS_PROXY/, / HTTPS_PROXY/],
		[answer(511, PAGE), /^A proxy .*\(511\).* sign in/, / sign in/],
		[{ end: 'certificate', detail: 'CERT_X' }, /CERT_X.* NODE_EXTRA_CA_CERTS/, / NODE_EXTRA/],
		[UNREACHABLE, /reached \(ECONN.* proxy/, ADDRESSES],
	])('%j leads to the cause, for a token request too', (given, cause, forToken) => {
		expect(readText(given)).toMatch(cause);
		expect(readText(given)).not.toMatch(/IDs and names|values entered|permission/);
		const tokenFailure = classifyTokenRequest(given);
		expect(readText({ tokenFailure }, endpoint)).toMatch(forToken);
		expect(tokenFailure.isRetryable).toBe(given === UNREACHABLE);
	});

	it('a 404 that says what was not found is none of these', () => {
		const own = { message: 'Engagement 99 not found', path: '/v1/engagements/99' };
		expect(readText(answer(404, own))).toMatch(/IDs and names(?!.*Base)/);
	});

	it.each([
		['https://user:word@example.com/sign-in?code=1#top', 'https://example.com/sign-in'],
		['/sign-in', '/sign-in'],
	])('a redirect to %s says where to: %s', (location, where) => {
		const text = readText(answer(302, '', { location }));
		expect(text).toContain(`a redirect to ${where} (302), which was not followed`);
	});
});

it('a response without content could not be read', () => {
	expect(readText(answer(304))).toContain('could not be read: it has no content (304). Check');
});

it('if the token endpoint asks for too long a wait, the message says until when', () => {
	const later = answer(429, '', { 'retry-after': '600' });
	const noToken = { tokenFailure: classifyTokenRequest(later) };
	const closed: Closed = { why: 'wait', until: 0 };
	expect(readText(noToken, endpoint, { closed })).toMatch(
		/^The token endpoint accepts no requests until \d{4}-.*Z \(status 429\)/,
	);
});

describe('401', () => {
	const jwt = (claims: object) =>
		`e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`;

	it.each([
		[jwt({ exp: 4e9 }), 'The service rejected the access token (401)'],
		// Seconds from now, as some issuers write it.
		[jwt({ exp: 1800 }), 'The access token is wrong or has expired (401)'],
		['opaque-0123456789', 'The access token is wrong or has expired (401)'],
	])('for the pasted token %s', (accessToken, problem) => {
		const text = readText(answer(401), { accessToken });
		expect(text).toMatch(`${problem}. Enter a new Access Token`);
		expect(text).toContain('set Authentication to Subscription Key');
	});

	it('for the key, or for a new token', () => {
		for (const status of [401, 403])
			for (const over of [{}, endpoint])
				expect(readText(answer(status, KEY_REJECTED), over)).toMatch(
					new RegExp(`rejected the subscription key \\(${status}\\).*Enter the Subscription Key`),
				);
		expect(readText(answer(401), endpoint)).toMatch(
			/rejected the new token as well \(401\)\. Check which permissions .*, and the Client ID/,
		);
		for (const status of [401, 403])
			expect(readText(answer(status), endpoint, { hasSucceeded: true })).toMatch(
				/\. Check which permissions your account has in the service$/,
			);
	});
});

it.each<[Answer, RegExp]>([
	[{ end: 'unsent', detail: 'ENOTFOUND' }, /reached, .* 6 attempts \(ENOTFOUND\)\. .*Token URL/],
	[{ end: 'unreadable', detail: 'it is empty' }, /token: it is empty\. Check the Token URL/],
	[answer(429, { message: 'Slow' }), /429\), .* 6 attempts\. It said: “Slow”\. .*Token URL/],
	[answer(401, KEY_REJECTED), /\(status 401\).*It said: “Access.*”\. Enter the Subscription Key/],
	[answer(400), /token \(status 400\).*Check the Subscription Key.*Token Request Fields/],
])('the token endpoint is named after %j', (tokenAnswer, text) => {
	const tokenFailure = classifyTokenRequest(tokenAnswer);
	const shown = readText({ tokenFailure }, endpoint, {
		attempts: 6,
		closed: { why: 'credential' },
	});
	expect(shown).toMatch(/^The token endpoint /);
	expect(shown).toMatch(text);
});
