/** What the user reads of a failed request. The failure matrix tests the messages of all operations. */
import type { IDataObject } from 'n8n-workflow';
import { parseCredential } from '../../nodes/EngagementUploads/transport/credential.ts';
import type { Answer } from '../../nodes/EngagementUploads/transport/n8nHttp.ts';
import {
	classify,
	classifyTokenRequest,
	type Ending,
} from '../../nodes/EngagementUploads/transport/failures.ts';
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
		[{ error: 'Bad Request', detail: 'is too long' }, 'is too long; Bad Request'],
		// What is nested, or called otherwise, is shown as it is.
		[{ message: 'No', errors: { name: ['bad'] } }, '{"message":"No","errors":{"name":["bad"]}}'],
		[{ status: 404 }, '{"status":404}'],
		[[1001, 1002], '[1001,1002]'],
		['at most < 100 records', 'at most < 100 records'],
		['<html><style>p {}</style><h1>502\n Bad Gateway</h1><script>alert(1)', '502 Bad Gateway'],
		[{ message: ' ' }, undefined],
		// Packed, which no header says.
		['\u001f\uFFFD\u0008', undefined],
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
	more: { until?: number; attempts?: number } = {},
): string {
	const credential = parseCredential({ ...entered, ...over });
	const fetchesToken = credential.tokenRequest !== undefined;
	return toSentences(report(classify(given, { fetchesToken }), { credential, ...more }));
}

it('what the service said stands between the problem and the advice', () => {
	expect(readText(answer(422, { message: '“x” is not allowed' }))).toBe(
		'The service rejected the request (422). The service said: ““x” is not allowed”. Check the values entered in this node, also against existing data',
	);
});

it.each<[given: Answer, text: RegExp]>([
	[answer(404, 'Not found'), /could not find it \(404\).* IDs and names .* Base URL/],
	[answer(403, '<title>Blocked</title>'), /denied access \(403\).*“Blocked”.* permissions/],
	[
		{ end: 'unsent', detail: 'CERT_HAS_EXPIRED' },
		/reached \(CERT.* Base URL.* proxy.* certificates/,
	],
	[answer(204), /could not be read: it has no content \(204\)\. Check the Base URL/],
	[
		answer(302, '', { location: 'https://user:word@example.com/in?code=1#top' }),
		/ to https:\/\/example.com\/in \(/,
	],
	[answer(302), /redirected the request to an unknown address \(302\)/],
])('%j leads to the cause', (given, text) => {
	expect(readText(given)).toMatch(text);
});

it.each([401, 403])('a %i for the key names the key, for a pasted or a fetched token', (status) => {
	for (const over of [{}, endpoint])
		expect(readText(answer(status, KEY_REJECTED), over)).toMatch(
			/rejected the subscription key .*Enter the Subscription Key/,
		);
});

it('a 401 is about a pasted token, and about permissions if the token is new', () => {
	expect(readText(answer(401))).toMatch(
		/wrong or has expired \(401\)\. Enter a new Access Token.* set Authentication/,
	);
	expect(readText(answer(401), endpoint)).toMatch(
		/rejected the new token as well \(401\)\. Check which permissions .*, and the Client ID/,
	);
});

it('if the service asks for too long a wait, the message says until when', () => {
	const later = answer(429, '', { 'retry-after': '600' });
	const noToken = { tokenFailure: classifyTokenRequest(later) };
	const until = / accepts no requests until 1970-01-01T00:00:00.001Z \(status 429\)/;
	expect(readText(later, {}, { until: 1 })).toMatch(until);
	expect(readText(noToken, endpoint, { until: 1 })).toMatch(until);
});

it.each<[Answer, RegExp]>([
	[{ end: 'unsent', detail: 'ENOTFOUND' }, /reached, .* 6 attempts \(ENOTFOUND\)\. .*Token URL/],
	[{ end: 'unreadable', detail: 'it is empty' }, /be read: it is empty\. .*Token URL/],
	[answer(429, { message: 'Slow' }), /429\), .* 6 attempts\. It said: “Slow”\. Try .*Token URL/],
	[answer(401, KEY_REJECTED), /key \(401\)\. It said: “Access.*”\. Enter the Subscription Key/],
	[answer(400), /\(400\)\. Check the Subscription Key.*Token Request Fields/],
	[answer(401), /rejected the request \(401\)\. Check the Subscription Key.*Token Request Fields/],
	[answer(404), /\(404\)\. Check the Base URL.*Token URL/],
	[answer(405), /\(405\)\. Check the Base URL.*Token URL/],
	[answer(302), /\(302\)\. Check the Base URL.*Token URL/],
])('the token endpoint is named after %j', (tokenAnswer, text) => {
	const tokenFailure = classifyTokenRequest(tokenAnswer);
	const shown = readText({ tokenFailure }, endpoint, { attempts: 6 });
	expect(shown).toMatch(/the token endpoint/i);
	expect(shown).toMatch(text);
});
