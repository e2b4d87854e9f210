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

const redirect: Fault = { kind: 'redirect', status: 307, location: '/v1/elsewhere' };
const otherList: Fault = { kind: 'status', status: 200, body: [{ name: 'repo' }] };
const endpoint = { authentication: 'tokenEndpoint' };
const NOBODY = 'http://127.0.0.1:1';
const WRONG = 'wrong-0123456789';
const wrongFields = { ...endpoint, tokenRequestFields: { grant_type: 'api_key', key: WRONG } };

it.each<[what: string, message: RegExp, over?: Entered, fault?: Fault]>([
	['a wrong key', /key \(401\).*Enter the Subscription Key/, { subscriptionApiKey: WRONG }],
	['a wrong token', /access token .*\(401\).*Enter a new Access Token/, { accessToken: WRONG }],
	['a wrong client ID', /403.* Client ID/, { clientId: anyTarget.clientId }],
	['a wrong host', /127\.0\.0\.1:1 could not be reached \(ECONN.*Base URL/, { baseUrl: NOBODY }],
	['a redirect, which it does not follow', /\(307\)/, {}, redirect],
	['a web page', /could not be read: it is not JSON.*Check the Base URL/, {}, { kind: 'html' }],
	['another list', /none of its records has id/, {}, otherList],
	['wrong fields', /^(?!.*wrong-).*token endpoint rejected the request \(400\)/, wrongFields],
])('fails with %s', async (...[, message, over, fault]) => {
	if (fault !== undefined) service.fail({}, fault);
	expect(await test(makeCredential(service, over))).toEqual({
		status: 'Error',
		message: expect.stringMatching(message),
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
