/** What the user reads of a failed request; other tests quote only what tells it from others. */
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

type More = { until?: number; attempts?: number };

/** What the user reads after an answer. */
function readText(given: Ending, over: IDataObject = {}, more: More = {}): string {
	const credential = parseCredential({ ...entered, ...over });
	const fetchesToken = credential.tokenRequest !== undefined;
	return toSentences(report(classify(given, { fetchesToken }), { credential, ...more }));
}

it('what the service said stands between the problem and the advice', () => {
	expect(readText(answer(422, { message: '“x” is not allowed' }))).toBe(
		'The service rejected the request (422). The service said: ““x” is not allowed”. Check the values entered in this node: they may be invalid, or conflict with existing data',
	);
});

const later = answer(429, '', { 'retry-after': '600' });
const noToken = (given: Answer) => ({ tokenFailure: classifyTokenRequest(given) });
const UNTIL = / accepts no requests until 1970-01-01T00:00:00.001Z \(status 429\)/;

it.each<[given: Ending, text: RegExp, over?: IDataObject, more?: More]>([
	[answer(404), /^The service could not find it \(404\)\. .* IDs and names .* Base URL/],
	[answer(403, '<title>Blocked</title>'), /denied access \(403\)\. .*“Blocked”.* permissions/],
	[{ end: 'unsent', detail: 'CERT_HAS_EXPIRED' }, /reached \(CERT.* Base URL.* proxy.* certif/],
	[answer(204), /could not be read: it has no content \(204\)\. Check the Base URL/],
	[
		answer(302, '', { location: 'https://a:b@example.com/in?c=1#d' }),
		/ to https:\/\/example.com\/in \(/,
	],
	[answer(302), /redirected the request to an unknown address \(302\)/],
	[answer(401, KEY_REJECTED), /rejected the subscription key .*Enter the Subscription Key/],
	[
		answer(403, KEY_REJECTED),
		/rejected the subscription key .*Enter the Subscription Key/,
		endpoint,
	],
	[answer(401), /wrong or has expired \(401\)\. Enter a new Access Token.* set Authentication/],
	[answer(401), /rejected the new token as well \(401\)\. .* permissions .* Client ID/, endpoint],
	[later, UNTIL, {}, { until: 1 }],
	[noToken(later), UNTIL, endpoint, { until: 1 }],
	[
		noToken({ end: 'unsent', detail: 'ENOTFOUND' }),
		/token endpoint .*, even after 6 attempts \(ENOTFOUND\)\. .*Token URL/,
		endpoint,
		{ attempts: 6 },
	],
	[
		noToken(answer(400, { message: 'No' })),
		/^The token endpoint rejected .* \(400\)\. It said: “No”\. .*Subscription Key.*Token Request Fields/,
		endpoint,
	],
	[
		noToken(answer(401, KEY_REJECTED)),
		/key \(401\)\. It said: “Access.*”\. Enter the Subscription Key/,
		endpoint,
	],
	[noToken(answer(404)), /\(404\)\. Check the Base URL.*Token URL/, endpoint],
	[noToken(answer(302)), /\(302\)\. Check the Base URL.*Token URL/, endpoint],
])('%j leads to the cause', (given, text, ...more) => {
	expect(readText(given, ...more)).toMatch(text);
});
