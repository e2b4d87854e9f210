import type { IDataObject } from 'n8n-workflow';

import { CredentialStore } from '../support/engine/credentials.mts';
import { testCredential } from '../support/engine/lookups.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import {
	CREDENTIAL,
	credentialOf,
	endpointCredentialOf,
	errorText,
	run,
	types,
} from '../support/runs.mts';

let service: SimulatedService;

beforeAll(async () => {
	service = await startService({ sample: true });
});

beforeEach(() => service.clearRequests());

afterAll(async () => await service.close());

const test = async (credential: IDataObject | CredentialStore) =>
	await testCredential(CREDENTIAL, credential, types);
const users = { resource: 'user', operation: 'getAll' };

describe('the credential test', () => {
	it('requests the connectors', async () => {
		expect(await test(credentialOf(service))).toMatchObject({ status: 'OK' });
		expect(service.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
			`GET /v1/clients/${service.clientId}/connectors`,
		]);
	});

	it('fetches a token', async () => {
		expect(await test(endpointCredentialOf(service))).toMatchObject({ status: 'OK' });
	});

	it('tolerates the prefix of a pasted header', async () => {
		const accessToken = `bearer  ${service.accessToken}\n`;
		expect(await test(credentialOf(service, { accessToken }))).toMatchObject({ status: 'OK' });
	});

	it.each([
		['token', { accessToken: 'wrong-0123456789' }, /access token .*\(401\)/],
		['key', { subscriptionApiKey: 'wrong-0123456789' }, /Subscription Key \(401\)/],
		['client ID', { clientId: 'a0000000-0000-4000-8000-00000000000a' }, /403.* Client ID/],
		['host', { baseUrl: 'http://127.0.0.1:1' }, /ECONNREFUSED/],
	])('fails with a wrong %s', async (_what, over, message) => {
		expect(await test(credentialOf(service, over))).toEqual({
			status: 'Error',
			message: expect.stringMatching(message),
		});
	});

	it('fails with an unknown time zone, before anything is sent', async () => {
		expect(await test(credentialOf(service, { timeZone: 'Europe/Nowhere' }))).toEqual({
			status: 'Error',
			message: expect.stringContaining('The Time Zone “Europe/Nowhere” of the credential is not'),
		});
		expect(service.requests).toEqual([]);
	});

	it('fails with a wrong key for the token endpoint', async () => {
		const tokenRequestFields = '{"grant_type": "api_key", "key": "wrong-0123456789"}';
		const result = await test(endpointCredentialOf(service, { tokenRequestFields }));
		expect(result).toMatchObject({
			status: 'Error',
			message: expect.stringContaining('token endpoint gave no token (status 400)'),
		});
		expect(result.message).not.toContain('wrong-0123456789');
	});

	it('fails with a redirect', async () => {
		service.fail({}, { kind: 'redirect', location: 'http://127.0.0.1:9/' });
		expect(await test(credentialOf(service))).toMatchObject({ status: 'Error' });
	});
});

describe('the Base URL', () => {
	const port = () => new URL(service.url).port;

	it.each([
		['with a slash', () => `${service.url}/`],
		['with slashes', () => `${service.url}//`],
		['with the version', () => `${service.url}/v1`],
		['with version and slash', () => ` ${service.url}/v1/ `],
		['by name', () => `http://localhost:${port()}`],
	])('%s reaches the service for test, token and node alike', async (_what, baseUrl) => {
		const over = { baseUrl: baseUrl() };
		expect(await test(credentialOf(service, over))).toMatchObject({ status: 'OK' });
		const store = new CredentialStore({ [CREDENTIAL]: endpointCredentialOf(service, over) });
		const { error } = await run(service, users, [{}], { credential: store });
		expect(error).toBeUndefined();
		expect(service.requests.map(({ path }) => path)).toEqual([
			'/v1/oauth/token',
			`/v1/clients/${service.clientId}/users`,
		]);
	});

	it.each([
		['plain http', 'http://api.example.com', 'must start with https://'],
		['plain http to a private host', 'http://192.168.0.1', 'must start with https://'],
		['a loopback look-alike', 'http://127.0.0.1.example.com', 'must start with https://'],
		['a loopback user name', 'http://localhost@example.com', 'not a valid address'],
		['another protocol', 'ftp://api.example.com', 'must start with https://'],
		['a query', 'https://api.example.com?x=1', 'not a valid address'],
		['a password', 'https://user:hush-7f3a9c51@api.example.com', 'not a valid address'],
		['no protocol', 'api.example.com', 'not a valid address'],
		['nothing', ' ', 'has no Base URL'],
	])('that is %s is rejected by test, token and node alike', async (_what, baseUrl, message) => {
		const pasted = credentialOf(service, { baseUrl });
		const fetched = endpointCredentialOf(service, { baseUrl });
		for (const credential of [pasted, fetched]) {
			const tested = await test(credential);
			expect(tested).toMatchObject({
				status: 'Error',
				message: expect.stringContaining(message),
			});
			const result = await run(service, users, [{}], { credential });
			expect(errorText(result)).toContain(message);
			expect(JSON.stringify([tested, result.error])).not.toContain('hush-7f3a9c51');
		}
		expect(service.requests).toEqual([]);
	});
});
