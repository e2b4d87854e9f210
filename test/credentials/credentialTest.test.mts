/** The test of a credential, which the editor runs when it is saved. */
import type { ICredentialDataDecryptedObject as Entered, IDataObject } from 'n8n-workflow';

import { CredentialStore } from '../support/engine/credentials.mts';
import { testCredential } from '../support/engine/lookups.mts';
import type { Fault } from '../support/service/faults.mts';
import { startService } from '../support/service/http.mts';
import { makeCredential, makeEndpointCredential } from '../support/world/credentials.mts';
import { anyTarget } from '../support/world/examples.mts';
import { requestLines, service, useService } from '../support/engine/runs.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';

useVirtualTime();

useService(beforeAll, async () => await startService({ sample: true }));

beforeEach(() => service.clearRequests());

const test = async (credential: IDataObject | CredentialStore) => await testCredential(credential);

it('requests the connectors, with a pasted token or one that it fetches', async () => {
	const list = `GET /v1/clients/${service.clientId}/connectors`;
	expect(await test(makeCredential(service))).toMatchObject({ status: 'OK' });
	expect(await test(makeEndpointCredential(service))).toMatchObject({ status: 'OK' });
	expect(requestLines(service)).toEqual([list, 'POST /v1/oauth/token', list]);
});

const status = (code: number, more = {}): Fault => ({ kind: 'status', status: code, ...more });
const ok = (body: unknown) => status(200, { body });
const endpoint = { authentication: 'tokenEndpoint' };
const NOBODY = 'http://127.0.0.1:1';
const WRONG = 'wrong-0123456789';
const wrongFields = { ...endpoint, tokenRequestFields: { grant_type: 'api_key', key: WRONG } };
const redirect: Fault = { kind: 'redirect', status: 307, location: '/v1/elsewhere' };
const quota = status(403, { headers: { 'retry-after': '600' } });
const unreadable = /could not be read: it is not (JSON|a list of records).*Check the Base URL/;

it.each<[what: string, message: RegExp, over?: Entered, fault?: Fault]>([
	['a wrong key', /key \(401\).*Enter the Subscription Key/, { subscriptionApiKey: WRONG }],
	['a wrong token', /access token .*\(401\).*Enter a new Access Token/, { accessToken: WRONG }],
	['a wrong client ID', /403.* Client ID/, { clientId: anyTarget.clientId }],
	['a wrong host', /127\.0\.0\.1:1 could not be reached \(ECONN.*Base URL/, { baseUrl: NOBODY }],
	['a wrong path', /\(404\).*Check the Base URL and the Client ID/, {}, status(404)],
	['an exceeded quota', /^(?!.*Client ID).*no requests until .*\(status 403\).*later/, {}, quota],
	['a redirect, which it does not follow', /\(307\)/, {}, redirect],
	['a web page', unreadable, {}, { kind: 'html' }],
	['a record', unreadable, {}, ok({ id: 7, name: 'API', version: '2' })],
	['another list', /none of its records has id/, {}, ok([{ name: 'repo' }])],
	['wrong fields', /^(?!.*wrong-).*token endpoint rejected the request \(400\)/, wrongFields],
	['a busy token endpoint', /\(status 429\).*Try again later/, endpoint, status(429)],
])('fails with %s', async (...[, message, over, fault]) => {
	if (fault !== undefined) service.fail({}, fault);
	expect(await test(makeCredential(service, over))).toEqual({
		status: 'Error',
		message: expect.stringMatching(message),
	});
});

it.each<[string, Fault]>([
	['an empty list', ok([])],
	['no content (204), which is an empty list', { kind: 'noContent' }],
])('passes with %s', async (_what, fault) => {
	service.fail({}, fault);
	expect(await test(makeCredential(service))).toMatchObject({ status: 'OK' });
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
