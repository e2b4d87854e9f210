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
	const grant = async (token: string) => await answer({ access_token: token });
	const answer = async (fields: object, headers = {}) => {
		waiting.shift()?.({ statusCode: 200, headers, body: Buffer.from(JSON.stringify(fields)) });
		await settled();
	};
	return { httpRequest, grant, answer };
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

const fetching = async ({ httpRequest }: Endpoint, own: ICredentialDataDecryptedObject) => {
	const helpers = { httpRequest } as unknown as IHttpRequestHelper['helpers'];
	return await renewToken(helpers, parseCredential(own));
};
const renewing = async (...given: Parameters<typeof fetching>) => (await fetching(...given))?.token;

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

const jwt = (claims: object) =>
	`e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`;
const date = 'Sun, 01 Mar 2026 10:00:00 GMT';
const AT = Date.parse(date) / 1000;

it.each<[what: string, fields: object, date: string | undefined, seconds: number | undefined]>([
	['exp minus iat', { access_token: jwt({ iat: AT, exp: AT + 1800 }), expires_in: 60 }, date, 1800],
	['the same by a clock of 1971', { token: jwt({ iat: 4e7, exp: 4e7 + 900.5 }) }, date, 900.5],
	['expires_in', { accessToken: jwt({ exp: AT + 1800 }), expires_in: '600' }, date, 600],
	[
		'expires_in, without iat before exp',
		{ token: jwt({ iat: 9, exp: 9 }), expires_in: 5 },
		date,
		5,
	],
	['exp minus the Date of the answer', { token: `Bearer ${jwt({ exp: AT + 300 })}` }, date, 300],
	['nothing, without that', { token: jwt({ exp: AT + 300 }) }, undefined, undefined],
	['nothing, if that is later', { token: jwt({ exp: AT - 1 }), expires_in: 0 }, date, undefined],
	['nothing, for an opaque token', { token: 'opaque', expires_in: null }, date, undefined],
])('the life of a token is %s', async (_what, fields, at, seconds) => {
	const endpoint = makeEndpoint();
	const renewal = fetching(endpoint, credential());
	await endpoint.answer(fields, { date: at });
	const { token, life } = (await renewal) ?? {};
	expect(token).not.toContain('Bearer');
	expect(life).toBe(seconds && seconds * 1000);
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
