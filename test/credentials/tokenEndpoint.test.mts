import { inspect } from 'node:util';
import type { ICredentialDataDecryptedObject, IHttpRequestHelper } from 'n8n-workflow';

import { EngagementUploadsApi } from '../../credentials/EngagementUploadsApi.credentials.ts';
import { CredentialStore } from '../support/engine/credentials.mts';
import { testCredential } from '../support/engine/lookups.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import type { Settings } from '../support/service/settings.mts';
import { CREDENTIAL, endpointCredentialOf } from '../support/credentials.mts';
import { afterRequest, errorText, itemsFrom, jsonOf, run, useService } from '../support/runs.mts';
import { smallWorld } from '../support/smallWorld.mts';

let service: SimulatedService;

useService(beforeEach, async () => ({ service } = await smallWorld()));

const users = { resource: 'user', operation: 'getAll' };

async function runWith(over: ICredentialDataDecryptedObject) {
	const credential = new CredentialStore({ [CREDENTIAL]: endpointCredentialOf(service, over) });
	return await run(service, users, [{}], { credential });
}

async function expectSuccess(over: ICredentialDataDecryptedObject): Promise<void> {
	const { error, items } = await runWith(over);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
}

it('sends the fields as JSON if the format is JSON', async () => {
	await expectSuccess({ requestFormat: 'json' });
	expect(service.requests[0]).toMatchObject({
		method: 'POST',
		body: service.tokenRequestFields,
		headers: { 'content-type': 'application/json' },
	});
});

it.each<[what: string, over: () => ICredentialDataDecryptedObject, settings?: Partial<Settings>]>([
	['the fields as an object', () => ({ tokenRequestFields: { ...service.tokenRequestFields } })],
	['the token in accessToken', () => ({}), { tokenField: 'accessToken' }],
	['the token in token', () => ({}), { tokenField: 'token' }],
	['a Token URL without a slash', () => ({ tokenUrl: 'v1/oauth/token' })],
	['no Token URL', () => ({ tokenUrl: '' })],
	['another Token URL', () => ({ tokenUrl: '/identity/token' }), { tokenPath: '/identity/token' }],
	['an absolute Token URL', () => ({ tokenUrl: `${service.url}/v1/oauth/token` })],
])('works with %s', async (_what, over, settings = {}) => {
	Object.assign(service.settings, settings);
	await expectSuccess(over());
});

describe('the client ID', () => {
	it('that was entered takes precedence', async () => {
		await runWith({ clientId: 'a0000000-0000-4000-8000-00000000000a' });
		expect(service.requests[1]?.path).toBe(
			'/v1/clients/a0000000-0000-4000-8000-00000000000a/users',
		);
	});

	it('is requested from the user if the response has none', async () => {
		service.settings.tokenCarriesClientId = false;
		const result = await runWith({});
		expect(errorText(result)).toContain('Enter the Client ID in the credential');
		expect(service.requests).toHaveLength(1);
	});
});

it('a Token URL on another host is rejected, and that host gets nothing', async () => {
	const other = await startService();
	const result = await runWith({ tokenUrl: `${other.url}/v1/oauth/token` });
	await other.close();
	expect(errorText(result)).toContain(
		'The Token URL is on a different host from the Base URL. Enter a path such as /v1/oauth/token',
	);
	expect([...service.requests, ...other.requests]).toEqual([]);
});

it.each([' ', 'Bearer', 'Bearer '])('the token “%s” is none', async (token) => {
	service.fail({ path: /oauth/ }, { kind: 'status', status: 200, body: { access_token: token } });
	expect(errorText(await runWith({}))).toContain('the token endpoint did not return a token');
});

it.each([
	[404, 'Check the Base URL and the Token URL of the credential'],
	[405, 'Check the Base URL and the Token URL of the credential'],
	[407, 'the proxy between n8n and the service requires a login'],
	[403, 'Check the Subscription Key of the credential'],
])('a token request that gets a %d says what to check', async (status, text) => {
	service.fail({ path: /oauth/ }, { kind: 'status', status });
	const credential = endpointCredentialOf(service, { tokenRequestFields: '' });
	expect(errorText(await run(service, users, [{}], { credential }))).toContain(text);
	service.fail({ path: /oauth/ }, { kind: 'status', status });
	expect(await testCredential(CREDENTIAL, credential)).toMatchObject({
		status: 'Error',
		message: expect.stringContaining(text.replace(/^the/, 'The')) as unknown,
	});
});

it('an expired token is renewed, although an engagement had been refused with 401', async () => {
	const match = { path: /engagements\/1001\/company/ };
	service.fail(match, { kind: 'status', status: 401 }, { times: Infinity });
	// Four tokens are rejected for the first engagement; the last one is good for the second.
	afterRequest(service, 9, () => service.expireTokens());
	const options = { parallelRequests: 1 };
	const company = {
		resource: 'company',
		operation: 'get',
		engagementId: '={{ $json.id }}',
		options,
	};
	const { items } = await run(service, company, itemsFrom(1001, 3), {
		credential: endpointCredentialOf(service),
		onError: 'continueRegularOutput',
	});
	expect(jsonOf(items).map(({ error }) => error)).toEqual([
		expect.stringContaining('(401)'),
		undefined,
		undefined,
	]);
});

describe('Token Request Fields', () => {
	const secret = 'hush-7f3a9c51d2';

	it.each([
		['broken JSON', `{"key": "${secret}"`],
		['a list', `["${secret}"]`],
		['a text', `"${secret}"`],
	])('are rejected without being quoted if they are %s', async (_what, tokenRequestFields) => {
		const result = await runWith({ tokenRequestFields });
		expect(errorText(result)).toContain(
			'Token Request Fields of the credential are not valid JSON',
		);
		expect(JSON.stringify(result.error)).not.toContain(secret);
		expect(String(result.error?.stack)).not.toContain(secret);
		expect(service.requests).toEqual([]);
	});

	it('are in no field of the error, even if the response echoes them', async () => {
		const { preAuthentication } = new EngagementUploadsApi();
		const response = { statusCode: 400, headers: {}, body: `No such key: ${secret}` };
		const helpers = {
			httpRequest: async () => response,
		} as unknown as IHttpRequestHelper['helpers'];
		const data = endpointCredentialOf(service, {
			tokenRequestFields: JSON.stringify({ key: secret }),
		});
		const error: unknown = await preAuthentication
			.call({ helpers }, data)
			.catch((thrown: unknown) => thrown);
		expect(String(error)).toContain('No such key: ***');
		expect(inspect(error, { depth: null })).not.toContain(secret);
	});

	it.each([
		['empty', ''],
		['blank', ' \n'],
		['an empty object', '{}'],
		['a template that nobody filled in', '{"grant_type": "", "key": ""}'],
	])('that are %s mean the standard request', async (_what, tokenRequestFields) => {
		await expectSuccess({ tokenRequestFields });
		expect(service.requests[0]?.body).toBe(
			`grant_type=vapi_key&key=${encodeURIComponent(service.subscriptionKey)}`,
		);
	});
});
