import { request } from 'undici';
import { startService, type SimulatedService } from './http.mts';
import type { Fault } from './faults.mts';

let service: SimulatedService;

beforeEach(async () => {
	service = await startService();
	service.model.addConnector({ name: 'online' });
	service.model.addEngagement();
});

afterEach(async () => {
	await service.close();
});

async function send(path: string, method: 'GET' | 'POST' = 'GET', signal?: AbortSignal) {
	const { statusCode, headers, body } = await request(service.url + path, {
		method,
		signal,
		headers: {
			authorization: `Bearer ${service.accessToken}`,
			'ocp-apim-subscription-key': service.subscriptionKey,
		},
	});
	return { status: statusCode, headers, text: await body.text() };
}

const connectors = () => `/v1/clients/${service.clientId}/connectors`;
const users = () => `/v1/clients/${service.clientId}/users`;
const refresh = '/v1/engagements/1/connectors/online/refresh';

describe('over HTTP', () => {
	it('answers JSON with the service’s own date', async () => {
		service.model.setClock(Date.UTC(2026, 2, 1));
		const { status, headers, text } = await send(connectors());
		expect(status).toBe(200);
		expect(headers['content-type']).toMatch(/^application\/json/);
		expect(headers.date).toBe('Sun, 01 Mar 2026 00:00:00 GMT');
		expect(JSON.parse(text)).toMatchObject({ content: [{ name: 'online' }] });
		service.settings.dateHeader = false;
		expect((await send(connectors())).headers).not.toHaveProperty('date');
	});

	it('accepts JSON and form bodies, and rejects a body with a GET', async () => {
		const headers = { 'ocp-apim-subscription-key': service.subscriptionKey };
		const tokenUrl = service.url + service.settings.tokenPath;
		const body = new URLSearchParams(service.tokenRequestFields).toString();
		const type = 'application/x-www-form-urlencoded';
		const asForm = { ...headers, 'content-type': type };
		const granted = await request(tokenUrl, { method: 'POST', body, headers: asForm });
		const { access_token: token } = Object(await granted.body.json());
		const signed = {
			...headers,
			authorization: `Bearer ${token}`,
			'content-type': 'application/json',
		};
		const get = { method: 'GET', headers: signed, body: '{}' } as const;
		const refused = await request(service.url + connectors(), get);
		expect([granted.statusCode, refused.statusCode]).toEqual([200, 400]);
		expect(await refused.body.text()).toContain('GET request has no body');
	});

	it('rejects invalid URLs, and URLs that are too long', async () => {
		expect(await send('/v1/%zz')).toMatchObject({ status: 400 });
		expect(await send(`${users()}?x=${'1'.repeat(2000)}`)).toMatchObject({ status: 414 });
	});

	it('records requests until they are cleared', async () => {
		await send(`${users()}?page=1`);
		const [recorded] = service.requests;
		expect(recorded).toMatchObject({
			method: 'GET',
			path: users(),
			query: { page: '1' },
			headers: { 'ocp-apim-subscription-key': service.subscriptionKey },
			status: 400,
		});
		expect(recorded?.doneAt).toBeGreaterThanOrEqual(recorded?.at ?? Infinity);
		service.clearRequests();
		expect(service.requests).toEqual([]);
	});

	it('counts how many requests were in flight at once', async () => {
		// Long enough for all four to connect, however busy the machine is.
		service.settings.latencyMs = [1500, 1600];
		await Promise.all([1, 2, 3, 4].map(async () => await send(connectors())));
		expect(service.mostAtOnce).toBe(4);
		service.clearRequests();
		await send(connectors());
		expect(service.mostAtOnce).toBe(1);
	});

	it('records nothing if recording is off', async () => {
		const quiet = await startService({ record: false, sample: true });
		await request(quiet.url);
		expect(quiet.requests).toEqual([]);
		expect(quiet.mostAtOnce).toBe(1);
		expect(quiet.model.uploads.all.length).toBeGreaterThan(2000);
		await quiet.close();
	});

	it('limits the rate, and says when to retry', async () => {
		service.settings.rateLimit = { requests: 2, perMs: 60_000 };
		const statuses = [];
		for (let count = 0; count < 3; count += 1) statuses.push((await send(connectors())).status);
		expect(statuses).toEqual([200, 200, 429]);
		const { headers } = await send(connectors());
		expect(Number(headers['retry-after'])).toBeGreaterThan(50);
	});
});

describe('faults in responses', () => {
	const cases: Array<[what: string, fault: Fault, expected: object]> = [
		[
			'a status with its headers',
			{ kind: 'status', status: 429, headers: { 'Retry-After': '1' }, body: { message: 'slow' } },
			{ status: 429, headers: { 'retry-after': '1' }, text: '{"message":"slow"}' },
		],
		['a status alone', { kind: 'status', status: 503 }, { status: 503 }],
		['an empty response', { kind: 'empty' }, { status: 200, text: '' }],
		['no content', { kind: 'noContent' }, { status: 204, text: '' }],
		['a page', { kind: 'html' }, { status: 200, text: expect.stringContaining('<html>') }],
		[
			'anything at all',
			{ kind: 'raw', body: 'ok?', contentType: 'application/x-any' },
			{ status: 200, headers: { 'content-type': 'application/x-any' }, text: 'ok?' },
		],
		[
			'a redirect',
			{ kind: 'redirect', location: 'http://127.0.0.1:9/' },
			{ status: 302, headers: { location: 'http://127.0.0.1:9/' } },
		],
	];

	it.each(cases)('%s, once', async (_what, fault, expected) => {
		service.fail({}, fault);
		expect(await send(connectors())).toMatchObject(expected);
		expect(await send(connectors())).toMatchObject({
			status: 200,
			text: expect.stringMatching(/^{/),
		});
	});
});

describe('faults of the connection', () => {
	it('a reset, before or after the service has acted', async () => {
		service.fail({ method: 'POST' }, { kind: 'reset' });
		await expect(send(refresh, 'POST')).rejects.toMatchObject({ code: 'ECONNRESET' });
		expect(service.model.lastUpload(1)).toBeUndefined();
		service.fail({ method: 'POST' }, { kind: 'reset', afterProcessing: true });
		await expect(send(refresh, 'POST')).rejects.toMatchObject({ code: 'ECONNRESET' });
		expect(service.model.lastUpload(1)).toBeDefined();
	});

	it('no response, until the caller or the service gives up', async () => {
		service.fail({}, { kind: 'hang' }, { times: 2 });
		await expect(send(connectors(), 'GET', AbortSignal.timeout(50))).rejects.toThrow();
		const hanging = expect(send(connectors())).rejects.toThrow();
		while (service.requests.length < 2) await new Promise(setImmediate);
		await service.close();
		await hanging;
	});

	it('one byte at a time', async () => {
		service.fail({}, { kind: 'drip', intervalMs: 1 });
		const { status, text } = await send(connectors());
		expect(status).toBe(200);
		expect(JSON.parse(text)).toMatchObject({ content: [{ name: 'online' }] });
		service.fail({}, { kind: 'drip', intervalMs: 1000 });
		await expect(send(connectors(), 'GET', AbortSignal.timeout(50))).rejects.toThrow();
	});

	it('fewer bytes than announced', async () => {
		service.fail({}, { kind: 'truncated', how: 'length' });
		await expect(send(connectors())).rejects.toThrow();
	});

	it('JSON cut in the middle', async () => {
		service.fail({}, { kind: 'truncated', how: 'json' });
		const { status, text } = await send(connectors());
		expect(status).toBe(200);
		expect(text).toMatch(/^{"content"/);
		expect(() => JSON.parse(text)).toThrow(SyntaxError);
	});

	it('invalid gzip', async () => {
		service.fail({}, { kind: 'badGzip' });
		const { headers, text } = await send(connectors());
		expect(headers['content-encoding']).toBe('gzip');
		expect(text).toMatch(/^{"content"/);
	});

	it('without a socket, throws', () => {
		service.fail({}, { kind: 'reset' });
		expect(() => service.ask('GET', connectors())).toThrow('Simulated reset');
		expect(service.ask('GET', connectors()).status).toBe(200);
	});
});

describe('which requests meet a fault', () => {
	const fault: Fault = { kind: 'status', status: 500 };
	const status = (url: string, method = 'GET') => service.ask(method, url).status;

	it('the given number, after those skipped', () => {
		service.fail({}, fault, { times: 2, skip: 1 });
		expect([1, 2, 3, 4].map(() => status(users()))).toEqual([200, 500, 500, 200]);
	});

	it('those with the given method, path and query', () => {
		service.fail({ path: users() }, fault);
		service.fail({ path: /\/uploads$/, query: { page: '1', size: /^\d$/ } }, fault);
		service.fail({ method: 'POST' }, fault);
		const uploads = `/v1/clients/${service.clientId}/uploads`;
		expect(status(connectors())).toBe(200);
		expect(status(users())).toBe(500);
		expect(status(`${uploads}?page=1`)).toBe(200);
		expect(status(`${uploads}?page=1&size=10`)).toBe(200);
		expect(status(`${uploads}?page=1&size=5`)).toBe(500);
		expect(status(refresh, 'POST')).toBe(500);
	});

	it('none once faults are cleared', () => {
		service.fail({}, fault, { times: Infinity });
		expect([status(users()), status(users())]).toEqual([500, 500]);
		service.clearFaults();
		expect(status(users())).toBe(200);
	});
});
