import type { ICredentialDataDecryptedObject as Entered, IDataObject } from 'n8n-workflow';

import { CredentialStore } from '../support/engine/credentials.mts';
import { testCredential } from '../support/engine/lookups.mts';
import type { Fault } from '../support/service/faults.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import { CREDENTIAL, makeCredential, makeEndpointCredential } from '../support/credentials.mts';
import { anyTarget } from '../support/examples.mts';
import { errorText, requestLines, run, useService } from '../support/runs.mts';
import { useVirtualTime } from '../support/virtualTime.mts';

useVirtualTime();

let service: SimulatedService;

useService(beforeAll, async () => (service = await startService({ sample: true })));

beforeEach(() => service.clearRequests());

const test = async (credential: IDataObject | CredentialStore) =>
	await testCredential(CREDENTIAL, credential);
const users = { resource: 'user', operation: 'getAll' };

describe('the credential test', () => {
	it('requests the connectors, with a pasted token or one that it fetches', async () => {
		const list = `GET /v1/clients/${service.clientId}/connectors`;
		expect(await test(makeCredential(service))).toMatchObject({ status: 'OK' });
		expect(await test(makeEndpointCredential(service))).toMatchObject({ status: 'OK' });
		expect(requestLines(service)).toEqual([list, 'POST /v1/oauth/token', list]);
	});

	const unavailable = (status: number, more = {}): Fault => ({ kind: 'status', status, ...more });

	it.each<[what: string, over: () => Entered, message: RegExp, fault?: Fault]>([
		[
			'a wrong key',
			() => ({ subscriptionApiKey: 'wrong-0123456789' }),
			/subscription key \(401\).*Enter the Subscription Key/,
		],
		[
			'a wrong token',
			() => ({ accessToken: 'wrong-0123456789' }),
			/access token .*\(401\).*Enter a new Access Token/,
		],
		['a wrong client ID', () => ({ clientId: anyTarget.clientId }), /403.* Client ID/],
		[
			'a wrong host',
			() => ({ baseUrl: 'http://127.0.0.1:1' }),
			/127\.0\.0\.1:1 could not be reached \(ECONNREFUSED\).*Base URL/,
		],
		[
			'a wrong path',
			() => ({}),
			/\(404\).*Check the Base URL of the credential: it must/,
			unavailable(404),
		],
		[
			'an exceeded quota, whatever the Client ID',
			() => ({}),
			/^(?!.*Client ID).*no requests until .*\(status 403\).*later/,
			unavailable(403, { headers: { 'retry-after': '600' } }),
		],
	])('fails with %s', async (...[, over, message, fault]) => {
		if (fault !== undefined) service.fail({}, fault);
		expect(await test(makeCredential(service, over()))).toEqual({
			status: 'Error',
			message: expect.stringMatching(message),
		});
	});

	it.each<[what: string, over: Entered, message: RegExp, fault?: Fault]>([
		[
			'a wrong key',
			{ tokenRequestFields: '{"grant_type": "api_key", "key": "wrong-0123456789"}' },
			/^(?!.*wrong-0123).*token endpoint did not return a token \(status 400\)/,
		],
		['the status 429', {}, /\(status 429\).*Try again later/, unavailable(429)],
	])('fails if the token endpoint has %s', async (...[, over, message, fault]) => {
		if (fault !== undefined) service.fail({ path: /token$/ }, fault);
		expect(await test(makeEndpointCredential(service, over))).toEqual({
			status: 'Error',
			message: expect.stringMatching(message),
		});
	});

	it('does not follow a redirect', async () => {
		const other = await startService();
		service.fail({}, { kind: 'redirect', status: 307, location: `${other.url}/v1` });
		const result = await test(makeCredential(service));
		await other.close();
		expect(result).toMatchObject({ status: 'Error', message: expect.stringContaining('(307)') });
		expect(other.requests).toEqual([]);
	});

	it.each<[string, Fault]>([
		['an empty list', { kind: 'status', status: 200, body: [] }],
		['no content (204), which is an empty list', { kind: 'noContent' }],
		[
			'one connector',
			{ kind: 'status', status: 200, body: { id: '7', name: 'a', isRefreshable: true } },
		],
	])('passes with %s', async (_what, fault) => {
		service.fail({}, fault);
		expect(await test(makeCredential(service))).toMatchObject({ status: 'OK' });
	});

	it.each<[string, Fault]>([
		['a web page', { kind: 'html' }],
		['a record', { kind: 'status', status: 200, body: { id: 7, name: 'API', version: '2' } }],
		['a list of named things', { kind: 'status', status: 200, body: [{ id: 1, name: 'repo' }] }],
	])('fails with %s: the Base URL is at fault', async (_what, fault) => {
		service.fail({}, fault);
		expect(await test(makeCredential(service))).toEqual({
			status: 'Error',
			message: expect.stringMatching(/could not be read: it .*Check the Base URL/),
		});
	});

	it.each<[RegExp, Fault]>([
		[/connectors$/, { kind: 'hang' }],
		[/token$/, { kind: 'drip', intervalMs: 50 }],
	])('ends even if the answer to %s does not: %j', async (path, fault) => {
		service.fail({ path }, fault);
		expect(await test(makeEndpointCredential(service))).toEqual({
			status: 'Error',
			message: expect.stringContaining('did not respond within 10 seconds'),
		});
	});
});

it.each([
	['a pasted token', makeCredential],
	['a token endpoint', makeEndpointCredential],
])('plain http to another host is rejected by the test and the node, with %s', async (...given) => {
	const [, credentialWith] = given;
	const credential = credentialWith(service, { baseUrl: 'http://api.example.com' });
	const { status, message } = await test(credential);
	const result = await run(service, users, [{}], { credential });
	expect(status).toBe('Error');
	for (const text of [message, errorText(result)])
		expect(text).toContain('must start with https://');
	expect(service.requests).toEqual([]);
});
