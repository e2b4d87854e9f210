import { createServer, type AddressInfo } from 'node:net';
import { useVirtualTime } from '../../support/virtualTime.mts';
import type { SimulatedService } from '../../support/service/http.mts';
import { errorText, jsonOf, run } from '../../support/runs.mts';
import { smallWorld } from '../../support/smallWorld.mts';
import { company, many, otherRequests, storeOf, TOKEN_PATH, tokenRequests } from './tokens.mts';

// Most of the time is spent between attempts.
useVirtualTime();

let service: SimulatedService;

beforeEach(async () => {
	({ service } = await smallWorld());
});

afterEach(async () => await service.close());

describe('a service that rejects the new token as well', () => {
	beforeEach(() => {
		const fault = { kind: 'status', status: 401, body: { message: 'No' } } as const;
		service.fail({ path: /^(?!.*oauth)/ }, fault, { times: Infinity });
	});

	it('gets a request three more times, each with a new token', async () => {
		const result = await run(service, company, [{}], { credential: storeOf(service) });
		expect(errorText(result)).toContain('the service rejected the new token as well (401)');
		expect(otherRequests(service)).toHaveLength(4);
		expect(tokenRequests(service)).toHaveLength(4);
	});

	it('is not called repeatedly', async () => {
		const { items } = await run(service, company, many(200), {
			credential: storeOf(service),
			onError: 'continueRegularOutput',
		});
		expect(jsonOf(items).every((json) => 'error' in json)).toBe(true);
		expect(tokenRequests(service).length).toBeLessThanOrEqual(4);
	});
});

describe('requests that meet the same failure to fetch a token', () => {
	const failing = { onError: 'continueRegularOutput' } as const;
	const options = { parallelRequests: 64 };

	it('share one fetch, even those rejected after it has failed', async () => {
		const credential = storeOf(service);
		await run(service, company, [{}], { credential });
		service.expireTokens();
		service.settings.latencyMs = [0, 200];
		service.fail({ path: TOKEN_PATH }, { kind: 'status', status: 400 }, { times: Infinity });
		const { items } = await run(service, { ...company, options }, many(64), {
			credential,
			...failing,
		});
		expect(jsonOf(items).every((json) => 'error' in json)).toBe(true);
		expect(tokenRequests(service)).toHaveLength(1);
	});

	it('try again together', async () => {
		service.settings.latencyMs = 100;
		service.fail({ path: TOKEN_PATH }, { kind: 'status', status: 503 }, { times: Infinity });
		const { items } = await run(service, { ...company, options }, many(200), {
			credential: storeOf(service),
			...failing,
		});
		expect(jsonOf(items).every((json) => 'error' in json)).toBe(true);
		expect(otherRequests(service)).toEqual([]);
		expect(tokenRequests(service).length).toBeLessThanOrEqual(10);
	});
});

describe('a token endpoint that fails', () => {
	const REJECTED =
		/the token endpoint did not return a token \(status 400\).*“Go away”.*Token Request Fields/;
	const failWith = (status: number) =>
		service.fail(
			{ path: TOKEN_PATH },
			{ kind: 'status', status, body: { message: 'Go away' } },
			{
				times: Infinity,
			},
		);

	it('is not flooded by many items', async () => {
		failWith(400);
		const { items } = await run(service, company, many(200), {
			credential: storeOf(service),
			onError: 'continueRegularOutput',
		});
		expect(items).toHaveLength(200);
		expect(jsonOf(items).every(({ error }) => REJECTED.test(String(error)))).toBe(true);
		expect(otherRequests(service)).toEqual([]);
		expect(tokenRequests(service).length).toBeLessThanOrEqual(3);
	});

	it('is called again by the next run', async () => {
		service.fail({ path: TOKEN_PATH }, { kind: 'status', status: 400 });
		const credential = storeOf(service);
		expect((await run(service, company, [{}], { credential })).error).toBeDefined();
		expect((await run(service, company, [{}], { credential })).error).toBeUndefined();
	});

	it.each([429, 503, 403])('with %d and a long wait reports the time', async (status) => {
		const headers = { 'retry-after': '600' };
		service.fail({ path: TOKEN_PATH }, { kind: 'status', status, headers });
		const { items } = await run(service, company, many(3), {
			credential: storeOf(service),
			onError: 'continueRegularOutput',
		});
		const text = new RegExp(
			`until \\d{4}-.*the token endpoint did not return a token \\(status ${status}\\).*Try again later`,
		);
		expect(jsonOf(items)).toEqual(items.map(() => ({ error: expect.stringMatching(text) })));
		expect(service.requests).toHaveLength(1);
	});

	it('is not called again if no secure connection is possible', async () => {
		let connections = 0;
		const plain = createServer((socket) => {
			connections += 1;
			socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
		});
		await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
		const baseUrl = `https://127.0.0.1:${(plain.address() as AddressInfo).port}`;
		const result = await run(service, company, [{}], { credential: storeOf(service, { baseUrl }) });
		plain.close();
		expect(errorText(result)).toMatch(/no secure connection to the token endpoint.*Base URL/);
		expect(connections).toBe(1);
	});

	it('is reported when it hangs, and is not flooded', async () => {
		service.fail({ path: TOKEN_PATH }, { kind: 'hang' }, { times: Infinity });
		const result = await run(service, { ...company, options: { timeout: 0.5 } }, many(200), {
			credential: storeOf(service),
		});
		expect(errorText(result)).toMatch(/did not respond within 0.5 seconds, even after 5 attempts/);
		expect(otherRequests(service)).toEqual([]);
		expect(tokenRequests(service).length).toBeLessThanOrEqual(1);
	});

	it.each([
		['no token', { expires_in: 1800 }],
		['an empty token', { access_token: '' }],
		['a web page', '<html><body>Sign in</body></html>'],
	])('is reported when it returns %s', async (_what, body) => {
		service.fail({ path: TOKEN_PATH }, { kind: 'status', status: 200, body });
		const result = await run(service, company, [{}], { credential: storeOf(service) });
		expect(errorText(result)).toMatch(/token endpoint did not return a token.*Token URL/);
		expect(otherRequests(service)).toEqual([]);
	});

	it('is reported when it redirects, and the other host gets nothing', async () => {
		const location = 'http://127.0.0.1:9/token';
		service.fail({ path: TOKEN_PATH }, { kind: 'redirect', status: 307, location });
		const result = await run(service, company, [{}], { credential: storeOf(service) });
		expect(errorText(result)).toMatch(/redirect \(307\), which was not followed/);
		expect(service.requests).toHaveLength(1);
	});
});
