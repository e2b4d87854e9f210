import type { IDataObject } from 'n8n-workflow';

import type { Fault } from '../../support/service/faults.mts';
import { startService, type SimulatedService } from '../../support/service/http.mts';
import { credentialOf } from '../../support/credentials.mts';
import { errorText, linesOf, outputOf, run } from '../../support/runs.mts';
import { smallWorld } from '../../support/smallWorld.mts';

let service: SimulatedService;

beforeAll(async () => {
	({ service } = await smallWorld());
});

beforeEach(() => {
	service.clearFaults();
	service.settings.errorForm = 'gateway';
});

afterAll(async () => await service.close());

const get = { resource: 'company', operation: 'get', engagementId: 1001 };
const post = {
	resource: 'dataRefresh',
	operation: 'run',
	engagementId: 1001,
	connectorName: 'cloudbooks',
};

/** The error of a run that sent exactly one request. */
async function onlyError(parameters: IDataObject, fault: Fault, credential?: IDataObject) {
	service.fail({}, fault, { times: Infinity });
	const result = await run(service, parameters, [{}], { credential });
	expect(service.requests).toHaveLength(1);
	expect(result.items).toEqual([]);
	return errorText(result);
}

const message = 'The value “x” is <not> allowed';
const statuses: Array<[number, string]> = [
	[400, 'rejected the request as invalid (400)'],
	[403, 'denied access (403)'],
	[404, 'could not find it (404)'],
	[409, 'conflicts with existing data (409)'],
	[422, 'rejected the values (422)'],
	[418, 'rejected the request (418)'],
];

describe.each(statuses)('%i', (status, words) => {
	it('says what happened and what the service said', async () => {
		const body = { message, errors: [{ message: 'And more' }] };
		const text = await onlyError(get, { kind: 'status', status, body });
		expect(text).toMatch(
			/^Could not get the company details of engagement 1001: the (service|request)/,
		);
		expect(text).toContain(words);
		expect(text).toContain(`The service said: “${message}; And more”`);
	});

	it.each([
		['nothing', ''],
		['an empty object', {}],
	])('with %s as its body', async (_what, body) => {
		const text = await onlyError(post, { kind: 'status', status, body });
		expect(text).toContain(words);
		expect(text).not.toContain('The service said');
		expect(text).not.toContain('unknown');
	});
});

it('407 is named as the proxy, on a write too, which never left', async () => {
	for (const parameters of [get, post]) {
		service.clearFaults();
		const text = await onlyError(parameters, { kind: 'status', status: 407 });
		expect(text).toContain('the proxy between n8n and the service requires a login (407)');
		expect(text).toContain('proxy settings of n8n (HTTPS_PROXY)');
		expect(text).not.toContain('unknown');
	}
});

it('truncates long messages of the service', async () => {
	const body = { message: 'x'.repeat(100_000) };
	const text = await onlyError(get, { kind: 'status', status: 400, body });
	expect(text.length).toBeLessThan(4500);
	expect(text).toContain('… (96000 more characters)');
});

describe('a success that cannot be parsed', () => {
	const json = (body: string): Fault => ({ kind: 'raw', body, contentType: 'application/json' });
	const answers: Array<[string, Fault, RegExp]> = [
		['HTML', { kind: 'html' }, /it is a web page instead of data.*“Sign in”/],
		['an empty response', { kind: 'empty' }, /it is empty/],
		['no content', { kind: 'noContent' }, /it is empty/],
		['cut JSON', { kind: 'truncated', how: 'json' }, /it is not JSON or was cut off/],
		['text', json('hello'), /it is not JSON/],
		['a JSON string', json('"hello"'), /it is not a (record|list)/],
		['null', json('null'), /it is not a (record|list)/],
		['a number', json('7'), /it is not a (record|list)/],
		[
			'an error',
			json('{"error":"down","error_description":"Later"}'),
			/it is an error.*“Later; down”/,
		],
		['an error list', json('{"errors":[{"message":"Broken"}]}'), /it is an error.*“Broken”/],
		['a status', json('{"statusCode":500,"message":"Broken"}'), /it is an error.*“Broken”/],
		[
			'something else',
			json('{"weather":{"wind":"west"}}'),
			/it (is not the requested record|contains no list)/,
		],
	];

	it.each(answers)('%s on a GET of a record', async (_what, fault, message) => {
		expect(await onlyError(get, fault)).toMatch(message);
	});

	it.each(answers)('%s on a POST', async (_what, fault, message) => {
		const text = await onlyError(post, fault);
		expect(text).toMatch(message);
		expect(text).toMatch(/the outcome is unknown.*The request was not retried/s);
	});

	it.each([
		['{}', 'it is empty'],
		['[{"name":"A"},{"name":"B"}]', 'it is a list'],
	])('%s is not a record', async (body, message) => {
		expect(await onlyError(get, json(body))).toContain(message);
	});
});

describe('a redirect', () => {
	let other: SimulatedService;

	beforeAll(async () => {
		other = await startService();
	});

	afterAll(async () => await other.close());

	it.each([301, 302, 303, 307, 308])('%i is not followed to another host', async (status) => {
		const location = `${other.url}/v1/engagements/1001/companyDetails`;
		for (const parameters of [get, post]) {
			service.clearFaults();
			const text = await onlyError(parameters, { kind: 'redirect', status, location });
			expect(text).toContain(`responded with a redirect (${status}), which was not followed`);
			expect(text).toContain('Base URL');
		}
		expect(other.requests).toEqual([]);
	});
});

describe('401 with a pasted token', () => {
	const jwt = (claims: object) =>
		['{"alg":"none"}', JSON.stringify(claims), 'signature']
			.map((part) => Buffer.from(part).toString('base64url'))
			.join('.');
	const errorWith = async (accessToken: string, over: IDataObject = {}) => {
		const credential = credentialOf(service, { accessToken, ...over });
		const result = await run(service, get, [{}], { credential });
		expect(service.requests).toHaveLength(1);
		return errorText(result);
	};

	it('says when the token expired', async () => {
		const token = jwt({ exp: Date.UTC(2025, 4, 6, 7, 8, 9) / 1000 });
		expect(await errorWith(token)).toMatch(
			/the access token expired at 2025-05-06T07:08:09\.000Z \(401\)/,
		);
	});

	it.each([
		['without an expiry', jwt({ sub: 'x' })],
		['with a time that makes no sense', jwt({ exp: 1e300 })],
		['that is not a JWT', 'opaque-0123456789'],
	])('has a message for a token %s', async (_what, token) => {
		const text = await errorWith(token);
		expect(text).toContain('the access token is wrong or has expired (401)');
		expect(text).toContain('Token Endpoint');
	});

	it('has a message for a token that has not expired', async () => {
		const token = jwt({ exp: Math.round(Date.now() / 1000) + 600 });
		expect(await errorWith(token)).toContain('the service rejected the access token (401)');
	});

	it('has a message for a wrong subscription key', async () => {
		const over = { subscriptionApiKey: 'wrong-key-0123456789' };
		const text = await errorWith(service.accessToken, over);
		expect(text).toContain('the service rejected the subscription key (401)');
		expect(text).toContain('Subscription Key');
	});

	it('stops several items after a few requests', async () => {
		const credential = credentialOf(service, { accessToken: 'wrong-0123456789' });
		const items = Array.from({ length: 200 }, () => ({}));
		const { error } = await run(service, get, items, { credential });
		expect(error).toMatchObject({ httpCode: '401' });
		expect(service.requests.length).toBeLessThan(64);
	});
});

it('sends a body only if there is one', async () => {
	await outputOf(service, post);
	expect(service.requests[0]?.headers).not.toHaveProperty('content-type');
	expect(service.requests[0]?.headers['content-length'] ?? '0').toBe('0');
	expect(linesOf(service)).toEqual(['POST /v1/engagements/1001/connectors/cloudbooks/refresh']);
});
