/** Runs that fetch their token from the service. */
import { CREDENTIAL, endpointCredentialOf } from '../../support/credentials.mts';
import { CredentialStore } from '../../support/engine/credentials.mts';
import { errorText, jsonOf, run, useService, type RunOptions } from '../../support/runs.mts';
import type { Fault } from '../../support/service/faults.mts';
import type { SimulatedService } from '../../support/service/http.mts';
import { smallWorld } from '../../support/smallWorld.mts';
import { useVirtualTime } from '../../support/virtualTime.mts';

// Most of the time is spent between attempts.
useVirtualTime();

const TOKEN_PATH = '/v1/oauth/token';
const company = { resource: 'company', operation: 'get', engagementId: 1001 };
const many = (count: number) => Array.from({ length: count }, () => ({}));

let service: SimulatedService;
useService(beforeEach, async () => ({ service } = await smallWorld()));

const storeOf = (over = {}) =>
	new CredentialStore({ [CREDENTIAL]: endpointCredentialOf(service, over) });
const getCompany = async (count: number, options: RunOptions = {}) =>
	await run(service, company, many(count), { credential: storeOf(), ...options });
const tokenRequests = () => service.requests.filter(({ path }) => path === TOKEN_PATH);
const failToken = (fault: Fault, times = Infinity) =>
	service.fail({ path: TOKEN_PATH }, fault, { times });
const continuing = { onError: 'continueRegularOutput' } as const;

it('fetches a token and the client ID once, and keeps them', async () => {
	const credential = storeOf();
	const users = { resource: 'user', operation: 'getAll' };
	expect((await run(service, users, [{}], { credential })).error).toBeUndefined();
	expect(service.requests.map(({ path }) => path)).toEqual([
		TOKEN_PATH,
		`/v1/clients/${service.clientId}/users`,
	]);
	expect(credential.stored(CREDENTIAL)).toMatchObject({
		sessionToken: expect.stringMatching(/^[0-9a-f]{64} eyJ/),
		sessionClientId: service.clientId,
		clientId: '',
	});
	await run(service, users, [{}], { credential });
	expect(tokenRequests()).toEqual([]);
});

it('shares one fetch among 20 parallel runs with the same expired token', async () => {
	const credential = storeOf();
	await getCompany(1, { credential });
	service.expireTokens();
	service.settings.latencyMs = [0, 30];
	const results = await Promise.all(many(20).map(async () => await getCompany(4, { credential })));
	expect(results.flatMap(({ items }) => items)).toHaveLength(80);
	expect(tokenRequests()).toHaveLength(1);
});

/**
 * n8n's workers each fetch their own token. Runs whose credentials differ in the Token URL share
 * nothing in this process either, and so stand for workers.
 */
it('five workers who revoke the others’ tokens lose no results', async () => {
	Object.assign(service.settings, { revokeEarlierTokens: true, latencyMs: 20 });
	const workers = many(5).map(async (_, worker) => {
		const credential = storeOf({ tokenUrl: `${TOKEN_PATH}?worker=${worker}` });
		return await getCompany(150, { credential, ...continuing });
	});
	const items = (await Promise.all(workers)).flatMap((result) => result.items);
	expect(items).toHaveLength(5 * 150);
	expect(items.filter(({ json }) => 'error' in json)).toEqual([]);
	expect(tokenRequests().length).toBeLessThan(20);
});

it('a service that rejects new tokens as well gets few of them', async () => {
	const fault = { kind: 'status', status: 401, body: { message: 'No' } } as const;
	service.fail({ path: /^(?!.*oauth)/ }, fault, { times: Infinity });
	const { items } = await getCompany(200, continuing);
	expect(jsonOf(items).every((json) => 'error' in json)).toBe(true);
	expect(tokenRequests().length).toBeLessThanOrEqual(4);
});

describe('a token endpoint that fails', () => {
	it.each([
		[400, /did not return a token \(status 400\).*“Go away”.*Token Request Fields/, 3],
		[503, /did not return a token \(status 503\).*“Go away”/, 10],
	])('with %d is not flooded by many items', async (status, message, most) => {
		service.settings.latencyMs = 100;
		failToken({ kind: 'status', status, body: { message: 'Go away' } });
		const { items } = await getCompany(200, continuing);
		expect(items).toHaveLength(200);
		expect(jsonOf(items).every(({ error }) => message.test(String(error)))).toBe(true);
		expect(service.requests).toEqual(tokenRequests());
		expect(tokenRequests().length).toBeLessThanOrEqual(most);
	});

	it('is not flooded when the token has expired either', async () => {
		const credential = storeOf();
		await getCompany(1, { credential });
		service.expireTokens();
		service.settings.latencyMs = [0, 100];
		failToken({ kind: 'status', status: 400, body: { message: 'Go away' } });
		const { items } = await getCompany(200, { credential, ...continuing });
		expect(jsonOf(items).every(({ error }) => /Go away/.test(String(error)))).toBe(true);
		expect(tokenRequests().length).toBeLessThanOrEqual(3);
	});

	it.each([429, 503, 403])('with %d and a long wait reports the time', async (status) => {
		failToken({ kind: 'status', status, headers: { 'retry-after': '600' } }, 1);
		const { items } = await getCompany(3, continuing);
		const text = new RegExp(
			`until \\d{4}-.*the token endpoint did not return a token \\(status ${status}\\).*Try again later`,
		);
		expect(jsonOf(items)).toEqual(items.map(() => ({ error: expect.stringMatching(text) })));
		expect(service.requests).toHaveLength(1);
	});

	const ok = (body: unknown): Fault => ({ kind: 'status', status: 200, body });
	it.each<[string, Fault, RegExp]>([
		['no token', ok({ expires_in: 1800 }), /did not return a token.*Token URL/],
		['an empty token', ok({ access_token: '' }), /did not return a token.*Token URL/],
		['a web page', ok('<html><body>Sign in'), /did not return a token.*Token URL/],
	])('is reported when it returns %s', async (_what, fault, message) => {
		failToken(fault);
		expect(errorText(await getCompany(1))).toMatch(message);
		expect(service.requests).toHaveLength(1);
	});
});
