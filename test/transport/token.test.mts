import { createServer, type AddressInfo } from 'node:net';
import { passTimeFaster } from '../support/fastClock.mts';
import { CredentialStore } from '../support/engine/credentials.mts';
import type { SimulatedService } from '../support/service/http.mts';
import { CREDENTIAL, endpointCredentialOf } from '../support/credentials.mts';
import { afterRequest, errorText, jsonOf, run } from '../support/runs.mts';
import { smallWorld } from '../support/smallWorld.mts';

// Most of the time is spent between attempts.
passTimeFaster(5);

const TOKEN_PATH = '/v1/oauth/token';

let service: SimulatedService;

beforeEach(async () => {
	({ service } = await smallWorld());
});

afterEach(async () => await service.close());

const storeOf = (over = {}) =>
	new CredentialStore({ [CREDENTIAL]: endpointCredentialOf(service, over) });
const company = { resource: 'company', operation: 'get', engagementId: 1001 };
const users = { resource: 'user', operation: 'getAll' };
const refresh = {
	resource: 'dataRefresh',
	operation: 'run',
	engagementId: 1001,
	connectorName: 'cloudbooks',
};
const many = (count: number) => Array.from({ length: count }, () => ({}));
const tokenRequests = () => service.requests.filter(({ path }) => path === TOKEN_PATH);
const others = () => service.requests.filter(({ path }) => path !== TOKEN_PATH);

it('fetches a token and the client ID once, and keeps them', async () => {
	const credential = storeOf();
	const first = await run(service, users, [{}], { credential });
	expect(first.error).toBeUndefined();
	expect(service.requests.map(({ path }) => path)).toEqual([
		TOKEN_PATH,
		`/v1/clients/${service.clientId}/users`,
	]);
	expect(credential.stored(CREDENTIAL)).toMatchObject({
		sessionToken: expect.stringMatching(/^eyJ/),
		sessionClientId: service.clientId,
		clientId: '',
	});

	await run(service, users, [{}], { credential });
	expect(tokenRequests()).toEqual([]);
});

it('sends the token request as described in docs/service.md', async () => {
	await run(service, users, [{}], { credential: storeOf() });
	expect(tokenRequests()).toEqual([
		expect.objectContaining({
			method: 'POST',
			url: TOKEN_PATH,
			body: new URLSearchParams(service.tokenRequestFields).toString(),
			headers: expect.objectContaining({
				'content-type': 'application/x-www-form-urlencoded',
				'ocp-apim-subscription-key': service.subscriptionKey,
			}),
		}),
	]);
	expect(tokenRequests()[0]?.headers).not.toHaveProperty('authorization');
});

it.each([
	['a GET', company],
	['a POST', refresh],
])('replaces an expired token, and repeats %s once', async (_what, parameters) => {
	const credential = storeOf();
	await run(service, parameters, [{}], { credential });
	service.expireTokens();
	const { error, items } = await run(service, parameters, [{}], { credential });
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	expect(service.requests.map(({ status }) => status)).toEqual([401, 200, 200]);
});

it('shares one fetch among 200 items that meet the same expired token', async () => {
	const credential = storeOf();
	await run(service, company, [{}], { credential });
	service.expireTokens();
	service.settings.latencyMs = 5;
	const options = { parallelRequests: 64 };
	const { error, items } = await run(service, { ...company, options }, many(200), { credential });
	expect(error).toBeUndefined();
	expect(items).toHaveLength(200);
	expect(tokenRequests()).toHaveLength(1);
});

it('shares one fetch among runs that have no token yet', async () => {
	const credential = storeOf();
	service.settings.latencyMs = 20;
	const results = await Promise.all(
		many(20).map(async () => await run(service, company, many(10), { credential })),
	);
	expect(results.flatMap(({ items }) => items)).toHaveLength(200);
	expect(tokenRequests()).toHaveLength(1);
});

it('shares one fetch among 50 parallel runs with the same expired token', async () => {
	const credential = storeOf();
	await run(service, company, [{}], { credential });
	service.expireTokens();
	service.settings.latencyMs = [0, 30];
	const results = await Promise.all(
		many(50).map(async () => await run(service, company, many(4), { credential })),
	);
	expect(results.flatMap(({ items }) => items)).toHaveLength(200);
	expect(tokenRequests()).toHaveLength(1);
});

it('fetches a token if n8n has kept none of the newer ones', async () => {
	const credential = storeOf();
	await run(service, company, [{}], { credential });
	const old = credential.stored(CREDENTIAL);
	service.expireTokens();
	await run(service, company, [{}], { credential });
	service.expireTokens();
	credential.save(CREDENTIAL, old);
	const now = Date.now();
	const later = jest.spyOn(Date, 'now').mockImplementation(() => now + 10 * 60_000);
	const { error } = await run(service, company, [{}], { credential });
	later.mockRestore();
	expect(error).toBeUndefined();
});

it('loses nothing when the token expires in the middle of a list', async () => {
	const credential = storeOf();
	for (let id = 2001; id <= 2300; id += 1) service.model.addEngagement({ id });
	const list = { resource: 'engagement', operation: 'getAll', returnAll: true };
	service.clearRequests();
	afterRequest(service, 3, () => service.expireTokens());
	const { error, items } = await run(service, { ...list, options: { pageSize: 20 } }, [{}], {
		credential,
	});
	expect(error).toBeUndefined();
	const ids = jsonOf(items).map(({ engagementId }) => engagementId);
	expect(ids).toEqual(service.model.engagements.all.map(({ id }) => id));
	expect(tokenRequests()).toHaveLength(2);
});

it('loses nothing when the token expires in the middle of a wait', async () => {
	const credential = storeOf();
	service.settings.uploadDurationMs = Infinity;
	const given = { ...refresh, waitForCompletion: true, options: { waitInterval: 0.02 } };
	afterRequest(service, 5, () => {
		service.expireTokens();
		const { uploadId } = service.model.uploads.all.at(-1) ?? { uploadId: '' };
		service.model.completeUpload(uploadId);
	});
	const { error, items } = await run(service, given, [{}], { credential });
	expect(error).toBeUndefined();
	expect(jsonOf(items)[0]?.upload).toMatchObject({ uploadStatus: 'COMPLETED' });
	expect(
		service.requests.filter(({ method, path }) => method === 'POST' && path !== TOKEN_PATH),
	).toHaveLength(1);
	expect(tokenRequests()).toHaveLength(2);
});

describe('a service that rejects the new token as well', () => {
	beforeEach(() => {
		const fault = { kind: 'status', status: 401, body: { message: 'No' } } as const;
		service.fail({ path: /^(?!.*oauth)/ }, fault, { times: Infinity });
	});

	it('gets one new token and one repeated request', async () => {
		const result = await run(service, company, [{}], { credential: storeOf() });
		expect(errorText(result)).toContain('the service rejected the new token as well (401)');
		expect(others()).toHaveLength(2);
		expect(tokenRequests().length).toBeLessThanOrEqual(2);
	});

	it('is not asked for tokens repeatedly', async () => {
		const { items } = await run(service, company, many(200), {
			credential: storeOf(),
			onError: 'continueRegularOutput',
		});
		expect(jsonOf(items).every((json) => 'error' in json)).toBe(true);
		expect(tokenRequests().length).toBeLessThanOrEqual(4);
	});
});

describe('requests that meet the same failure to fetch a token', () => {
	const failing = { onError: 'continueRegularOutput' } as const;
	const options = { parallelRequests: 64 };

	it('share one fetch, even those whose rejection comes after it has failed', async () => {
		const credential = storeOf();
		await run(service, company, [{}], { credential });
		service.expireTokens();
		service.settings.latencyMs = [0, 200];
		service.fail({ path: TOKEN_PATH }, { kind: 'status', status: 400 }, { times: Infinity });
		const { items } = await run(service, { ...company, options }, many(64), {
			credential,
			...failing,
		});
		expect(jsonOf(items).every((json) => 'error' in json)).toBe(true);
		expect(tokenRequests()).toHaveLength(1);
	});

	it('try again together', async () => {
		service.fail({ path: TOKEN_PATH }, { kind: 'status', status: 503 }, { times: Infinity });
		const { items } = await run(service, { ...company, options }, many(200), {
			credential: storeOf(),
			...failing,
		});
		expect(jsonOf(items).every((json) => 'error' in json)).toBe(true);
		expect(others()).toEqual([]);
		expect(tokenRequests().length).toBeLessThanOrEqual(10);
	});
});

describe('a token endpoint that fails', () => {
	const failWith = (status: number) =>
		service.fail(
			{ path: TOKEN_PATH },
			{ kind: 'status', status, body: { message: 'Go away' } },
			{
				times: Infinity,
			},
		);

	it('is reported clearly', async () => {
		failWith(400);
		const result = await run(service, company, [{}], { credential: storeOf() });
		expect(errorText(result)).toMatch(
			/Could not get the company details.*the token endpoint did not return a token \(status 400\).*“Go away”.*Token Request Fields/,
		);
		expect(service.requests).toHaveLength(1);
	});

	it('is not flooded by many items', async () => {
		failWith(400);
		const { items } = await run(service, company, many(200), {
			credential: storeOf(),
			onError: 'continueRegularOutput',
		});
		expect(items).toHaveLength(200);
		expect(jsonOf(items).every(({ error }) => /did not return a token/.test(String(error)))).toBe(
			true,
		);
		expect(others()).toEqual([]);
		expect(tokenRequests().length).toBeLessThanOrEqual(3);
	});

	it('is asked again by the next run', async () => {
		service.fail({ path: TOKEN_PATH }, { kind: 'status', status: 400 });
		const credential = storeOf();
		expect((await run(service, company, [{}], { credential })).error).toBeDefined();
		expect((await run(service, company, [{}], { credential })).error).toBeUndefined();
	});

	it('is asked again after a temporary failure', async () => {
		service.fail({ path: TOKEN_PATH }, { kind: 'status', status: 503 });
		service.fail({ path: TOKEN_PATH }, { kind: 'reset' });
		const { error } = await run(service, company, [{}], { credential: storeOf() });
		expect(error).toBeUndefined();
		expect(tokenRequests()).toHaveLength(3);
	});

	it.each([429, 503, 403])('with %d and a long wait says until when', async (status) => {
		const headers = { 'retry-after': '600' };
		service.fail({ path: TOKEN_PATH }, { kind: 'status', status, headers });
		const { items } = await run(service, company, many(3), {
			credential: storeOf(),
			onError: 'continueRegularOutput',
		});
		const text = new RegExp(
			`until \\d{4}-.*the token endpoint did not return a token \\(status ${status}\\).*Try again later`,
		);
		expect(jsonOf(items)).toEqual(items.map(() => ({ error: expect.stringMatching(text) })));
		expect(service.requests).toHaveLength(1);
	});

	it('is not asked again if no secure connection is possible', async () => {
		let connections = 0;
		const plain = createServer((socket) => {
			connections += 1;
			socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
		});
		await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
		const baseUrl = `https://127.0.0.1:${(plain.address() as AddressInfo).port}`;
		const result = await run(service, company, [{}], { credential: storeOf({ baseUrl }) });
		plain.close();
		expect(errorText(result)).toMatch(/no secure connection to the token endpoint.*Base URL/);
		expect(connections).toBe(1);
	});

	it('is reported when it hangs, and not flooded', async () => {
		service.fail({ path: TOKEN_PATH }, { kind: 'hang' }, { times: Infinity });
		const result = await run(service, { ...company, options: { timeout: 0.5 } }, many(200), {
			credential: storeOf(),
		});
		expect(errorText(result)).toMatch(/did not respond within 0.5 seconds, even after 5 attempts/);
		expect(others()).toEqual([]);
		expect(tokenRequests().length).toBeLessThanOrEqual(1);
	});

	it.each([
		['no token', { expires_in: 1800 }],
		['an empty token', { access_token: '' }],
		['a web page', '<html><body>Sign in</body></html>'],
	])('is reported when it answers with %s', async (_what, body) => {
		service.fail({ path: TOKEN_PATH }, { kind: 'status', status: 200, body });
		const result = await run(service, company, [{}], { credential: storeOf() });
		expect(errorText(result)).toMatch(/token endpoint did not return a token.*Token URL/);
		expect(others()).toEqual([]);
	});

	it('is reported when it redirects, and the other host gets nothing', async () => {
		const location = 'http://127.0.0.1:9/token';
		service.fail({ path: TOKEN_PATH }, { kind: 'redirect', status: 307, location });
		const result = await run(service, company, [{}], { credential: storeOf() });
		expect(errorText(result)).toMatch(/redirect \(307\), which was not followed/);
		expect(service.requests).toHaveLength(1);
	});
});
