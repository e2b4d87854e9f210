/** When a token is fetched, shared, and tried again. */
import type { ICredentialDataDecryptedObject, IHttpRequestHelper } from 'n8n-workflow';
import { parseCredential, toSession } from '../../nodes/EngagementUploads/transport/credential.ts';
import { renewToken } from '../../nodes/EngagementUploads/transport/token.ts';
import { systemClock } from '../../nodes/EngagementUploads/values/clock.ts';
import { settled } from '../support/time/anyOrder.mts';
import { TestClock } from '../support/time/testClock.mts';

/** A token endpoint that answers when the test says so. */
function makeEndpoint() {
	const waiting: Array<(answer: object) => void> = [];
	const httpRequest = jest.fn(async () => await new Promise((answer) => waiting.push(answer)));
	/** Without a token, the request fails. */
	const grant = async (token?: string, name = 'access_token') => {
		const body = Buffer.from(JSON.stringify({ [name]: token }));
		waiting.shift()?.({ statusCode: 200, headers: {}, body });
		await settled();
	};
	return { httpRequest, grant };
}
type Endpoint = ReturnType<typeof makeEndpoint>;

let credentials = 0;
/** A credential that no other test uses; with a token, as n8n has stored it. */
function credential(): ICredentialDataDecryptedObject {
	const tokenUrl = `/token/${(credentials += 1)}`;
	return { baseUrl: 'https://api.example.com', subscriptionApiKey: 'key', tokenUrl };
}
function withToken(own: ICredentialDataDecryptedObject, token: string) {
	return { ...own, ...toSession(parseCredential(own), { token }) };
}

const renewing = async ({ httpRequest }: Endpoint, own: ICredentialDataDecryptedObject) => {
	const helpers = { httpRequest } as unknown as IHttpRequestHelper['helpers'];
	return (await renewToken(helpers, parseCredential(own)))?.token;
};

const clock = new TestClock();
const sleep = async (milliseconds: number) => await clock.sleep(milliseconds);
Object.assign(systemClock, { now: () => clock.now(), sleep });

/** A credential whose first token has just been fetched. */
async function fetched(endpoint: Endpoint) {
	const own = credential();
	const renewal = renewing(endpoint, own);
	await endpoint.grant('T1');
	await renewal;
	return own;
}

it.each(['access_token', 'accessToken', 'token'])('a token may be named %s', async (name) => {
	const endpoint = makeEndpoint();
	const renewal = renewing(endpoint, credential());
	await endpoint.grant('Bearer T1', name);
	expect(await renewal).toBe('T1');
});

it('requests that have no token, or an expired one, share one fetch, also for ten seconds after it', async () => {
	const [endpoint, own] = [makeEndpoint(), credential()];
	const held = [own, own, withToken(own, 'T0')];
	const renewals = held.map(async (each) => await renewing(endpoint, each));
	await endpoint.grant('T1');
	expect(await Promise.all(renewals)).toEqual(['T1', 'T1', 'T1']);
	await clock.sleep(9999);
	expect(await renewing(endpoint, withToken(own, 'T0'))).toBe('T1');
	expect(endpoint.httpRequest).toHaveBeenCalledTimes(1);
	await clock.sleep(1);
	const later = renewing(endpoint, withToken(own, 'T1'));
	await endpoint.grant('T2');
	expect(await later).toBe('T2');
});

it('a new token that is rejected is tried again after 1, 2 and 4 s, and replaced after ten', async () => {
	const endpoint = makeEndpoint();
	const own = withToken(await fetched(endpoint), 'T1');
	const start = clock.now();
	const tries = [];
	for (let rejection = 0; rejection < 3; rejection++) {
		expect(await renewing(endpoint, own)).toBeUndefined();
		tries.push(clock.now() - start);
	}
	expect(tries).toEqual([1000, 3000, 7000]);
	expect(endpoint.httpRequest).toHaveBeenCalledTimes(1);
	const replaced = renewing(endpoint, own);
	await settled();
	await endpoint.grant('T2');
	expect(await replaced).toBe('T2');
	expect(clock.now() - start).toBeGreaterThanOrEqual(10_000);
});

it('a new token that was rejected replaces no other, which may be a newer one', async () => {
	const endpoint = makeEndpoint();
	const own = await fetched(endpoint);
	expect(await renewing(endpoint, withToken(own, 'T1'))).toBeUndefined();
	expect(await renewing(endpoint, withToken(own, 'of another process'))).toBeUndefined();
	expect(await renewing(endpoint, own)).toBe('T1');
	expect(endpoint.httpRequest).toHaveBeenCalledTimes(1);
});

it('a fetch that fails fails for all who share it, and the next request tries again', async () => {
	const [endpoint, own] = [makeEndpoint(), credential()];
	const failing = Promise.allSettled([renewing(endpoint, own), renewing(endpoint, own)]);
	await endpoint.grant();
	for (const { status } of await failing) expect(status).toBe('rejected');
	expect(endpoint.httpRequest).toHaveBeenCalledTimes(1);
	const next = renewing(endpoint, own);
	await endpoint.grant('T1');
	expect(await next).toBe('T1');
});
