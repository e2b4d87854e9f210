/** Runs that fetch their token from the service. */
import type { ICredentialDataDecryptedObject as Entered, IDataObject } from 'n8n-workflow';

import { systemClock } from '../../nodes/EngagementUploads/values/clock.ts';
import { makeEndpointCredential } from '../support/world/credentials.mts';
import { CredentialStore } from '../support/engine/credentials.mts';
import { testCredential } from '../support/engine/lookups.mts';
import {
	errorText,
	onErrorContinue,
	readOutput,
	run,
	service,
	start,
	toJson,
	until,
	type RunOptions,
} from '../support/engine/runs.mts';
import type { Fault } from '../support/service/faults.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';

// Most of the time is spent between attempts.
useVirtualTime();

const TOKEN_PATH = '/v1/oauth/token';
const users = { resource: 'user', operation: 'getAll' };
const company = { resource: 'company', operation: 'get', engagementId: 1001 };
const many = (count: number) => Array<IDataObject>(count).fill({});

useSmallWorld(beforeEach);

const makeStore = (over: Entered = {}) =>
	new CredentialStore(makeEndpointCredential(service, over));
const getCompany = async (count: number, options: RunOptions = {}) =>
	await run(service, company, many(count), { credential: makeStore(), ...options });
const tokenRequests = () => service.requests.filter(({ path }) => path === TOKEN_PATH);
const failToken = (fault: Fault) => service.fail({ path: TOKEN_PATH }, fault, { times: Infinity });

it('sends the fields as JSON if the format is JSON', async () => {
	await getCompany(1, { credential: makeStore({ requestFormat: 'json' }) });
	expect(service.requests[0]).toMatchObject({
		method: 'POST',
		body: service.tokenRequestFields,
		headers: { 'content-type': 'application/json' },
	});
});

it('a redirect of the token request is not followed', async () => {
	failToken({ kind: 'redirect', status: 307, location: '/v1/elsewhere' });
	expect(errorText(await getCompany(1))).toMatch(
		/token endpoint redirected the request to .* \(307\)/,
	);
	expect(new Set(service.requests.map(({ path }) => path))).toEqual(new Set([TOKEN_PATH]));
});

it('a new token that is rejected at first is tried again, without another one', async () => {
	const reject = () =>
		service.fail({ path: /^(?!.*oauth)/ }, { kind: 'status', status: 401 }, { times: 3 });
	reject();
	expect((await getCompany(20)).items).toHaveLength(20);
	expect(tokenRequests()).toHaveLength(1);
	service.clearRequests();
	reject();
	const test = await testCredential(makeEndpointCredential(service));
	expect(test).toMatchObject({ status: 'OK' });
	expect(tokenRequests()).toHaveLength(1);
});

describe('a write that waits for its token was not sent', () => {
	const posts = () => service.requests.filter(({ path }) => path.endsWith('/refresh'));
	const refresh = {
		...{ resource: 'dataRefresh', operation: 'run' },
		...{ engagementId: 1001, connectorName: 'cloudbooks' },
	};

	it('if the token endpoint hangs', async () => {
		failToken({ kind: 'hang' });
		const text = errorText(await run(service, refresh, [{}], { credential: makeStore() }));
		expect(text).toMatch(/token endpoint .*even after 6 attempts/);
		expect(text).not.toContain('unknown');
		expect(posts()).toEqual([]);
	});

	it('if the execution is cancelled before the token comes', async () => {
		service.settings.latencyMs = 1000;
		const running = start(service, refresh, [{}], { credential: makeStore() });
		await until(() => service.requests.length > 0, 'a token request');
		running.cancel();
		await running.done;
		await systemClock.sleep(5000);
		expect(posts()).toEqual([]);
	});
});

it('fetches a token and the client ID once, and keeps them', async () => {
	const credential = makeStore({ tokenRequestFields: '' });
	expect(await readOutput(service, users, [{}], { credential })).toHaveLength(1);
	const key = encodeURIComponent(service.subscriptionKey);
	expect(service.requests[0]?.body).toBe(`grant_type=vapi_key&key=${key}`);
	expect(service.requests.map(({ path }) => path)).toEqual([
		TOKEN_PATH,
		`/v1/clients/${service.clientId}/users`,
	]);
	expect(credential.stored()).toMatchObject({
		sessionToken: expect.stringMatching(/^[\w-]{16} eyJ/),
		sessionClientId: service.clientId,
		clientId: '',
	});
	await run(service, users, [{}], { credential });
	expect(tokenRequests()).toEqual([]);
});

describe('a token endpoint that fails', () => {
	it.each([
		[400, /endpoint rejected the request \(400\).*“Go away”.*Token Request Fields/, 3],
		[503, /endpoint failed \(status 503\).*“Go away”/, 12],
	])('with %d is not flooded by many items', async (status, message, most) => {
		service.settings.latencyMs = 100;
		failToken({ kind: 'status', status, body: { message: 'Go away' } });
		const { items } = await getCompany(60, onErrorContinue);
		const error = expect.stringMatching(message) as unknown;
		expect(toJson(items)).toEqual(many(60).map(() => ({ error })));
		expect(tokenRequests().length).toBeLessThanOrEqual(most);
		expect(service.requests).toEqual(tokenRequests());
	});

	it.each<[unknown, string]>([
		[{ access_token: null, message: 'Disabled', jwt: 'opaque' }, '. It said: “Disabled”'],
		['opaque', ''],
	])('is quoted when it returns %j with status 200', async (body, said) => {
		failToken({ kind: 'status', status: 200, body });
		expect(errorText(await getCompany(1))).toContain(
			`none of the fields access_token, accessToken, token${said} | `,
		);
	});
});
