/** When a token is fetched, shared, and tried again. */
import type { ICredentialDataDecryptedObject, IHttpRequestHelper } from 'n8n-workflow';
import { parseCredential, toSession } from '../../nodes/EngagementUploads/transport/credential.ts';
import { renewToken } from '../../nodes/EngagementUploads/transport/token.ts';
import { systemClock } from '../../nodes/EngagementUploads/values/clock.ts';
import { settled } from '../support/anyOrder.mts';
import { TestClock } from '../support/testClock.mts';

/** A token endpoint that answers when the test says so. */
class Endpoint {
	private readonly waiting: Array<(answer: object) => void> = [];
	requests = 0;

	readonly helpers = {
		httpRequest: async () => {
			this.requests += 1;
			return await new Promise((answer) => this.waiting.push(answer));
		},
	} as unknown as IHttpRequestHelper['helpers'];

	/** Without a token, the request fails. */
	async grant(token?: string, name = 'access_token'): Promise<void> {
		const body = Buffer.from(JSON.stringify({ [name]: token }));
		this.waiting.shift()?.({ statusCode: 200, headers: {}, body });
		await settled();
	}
}

let credentials = 0;
/** A credential that no other test uses; with a token, as n8n has stored it. */
function credential(): ICredentialDataDecryptedObject {
	const tokenUrl = `/token/${(credentials += 1)}`;
	return { baseUrl: 'https://api.example.com', subscriptionApiKey: 'key', tokenUrl };
}
function withToken(own: ICredentialDataDecryptedObject, token: string) {
	return { ...own, ...toSession(parseCredential(own), { token }) };
}

const renewing = async (endpoint: Endpoint, own: ICredentialDataDecryptedObject) =>
	(await renewToken(endpoint.helpers, parseCredential(own)))?.token;

let clock: TestClock;
beforeEach(() => {
	clock = new TestClock();
	jest.spyOn(systemClock, 'now').mockImplementation(() => clock.now());
	jest.spyOn(systemClock, 'sleep').mockImplementation(async (time) => await clock.sleep(time));
});
afterEach(() => jest.restoreAllMocks());

/** A credential whose first token has just been fetched. */
async function fetched(endpoint: Endpoint) {
	const own = credential();
	const renewal = renewing(endpoint, own);
	await endpoint.grant('T1');
	await renewal;
	return own;
}

it.each(['access_token', 'accessToken', 'token'])('a token may be named %s', async (name) => {
	const endpoint = new Endpoint();
	const renewal = renewing(endpoint, credential());
	await endpoint.grant('Bearer T1', name);
	expect(await renewal).toBe('T1');
});

it('requests that have no token, or an expired one, share one fetch, also for ten seconds after it', async () => {
	const [endpoint, own] = [new Endpoint(), credential()];
	const held = [own, own, withToken(own, 'T0')];
	const renewals = held.map(async (each) => await renewing(endpoint, each));
	await endpoint.grant('T1');
	expect(await Promise.all(renewals)).toEqual(['T1', 'T1', 'T1']);
	await clock.sleep(9999);
	expect(await renewing(endpoint, withToken(own, 'T0'))).toBe('T1');
	expect(endpoint.requests).toBe(1);
	await clock.sleep(1);
	const later = renewing(endpoint, withToken(own, 'T1'));
	await endpoint.grant('T2');
	expect(await later).toBe('T2');
});

it('a new token that is rejected is tried again after 1, 2 and 4 s, and replaced after ten', async () => {
	const endpoint = new Endpoint();
	const own = withToken(await fetched(endpoint), 'T1');
	const start = clock.now();
	const tries = [];
	for (let rejection = 0; rejection < 3; rejection++) {
		expect(await renewing(endpoint, own)).toBeUndefined();
		tries.push(clock.now() - start);
	}
	expect(tries).toEqual([1000, 3000, 7000]);
	expect(endpoint.requests).toBe(1);
	const replaced = renewing(endpoint, own);
	await settled();
	await endpoint.grant('T2');
	expect(await replaced).toBe('T2');
	expect(clock.now() - start).toBeGreaterThanOrEqual(10_000);
});

it('a new token that was rejected replaces no other, which may be a newer one', async () => {
	const endpoint = new Endpoint();
	const own = await fetched(endpoint);
	expect(await renewing(endpoint, withToken(own, 'T1'))).toBeUndefined();
	expect(await renewing(endpoint, withToken(own, 'of another process'))).toBeUndefined();
	expect(await renewing(endpoint, own)).toBe('T1');
	expect(endpoint.requests).toBe(1);
});

it('a fetch that fails fails for all who share it, and the next request tries again', async () => {
	const [endpoint, own] = [new Endpoint(), credential()];
	const failing = Promise.allSettled([renewing(endpoint, own), renewing(endpoint, own)]);
	await endpoint.grant();
	for (const { status } of await failing) expect(status).toBe('rejected');
	expect(endpoint.requests).toBe(1);
	const next = renewing(endpoint, own);
	await endpoint.grant('T1');
	expect(await next).toBe('T1');
});
