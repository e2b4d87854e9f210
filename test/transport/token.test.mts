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

/** A JSON Web Token that lives for half an hour. */
const jwt = `x.${Buffer.from('{"iat":1000,"exp":2800}').toString('base64url')}.x`;

it.each([
	[1800, 'T', 1620],
	['600', jwt, 540],
	[0, 'T', undefined],
	[null, jwt, 1620],
	[undefined, 'T', undefined],
])('with an `expires_in` of %j, the token %s is used for %j s', async (life, given, seconds) => {
	const endpoint = makeEndpoint();
	const renewal = fetching(endpoint, credential());
	await endpoint.answer({ token: `Bearer ${given}`, expires_in: life });
	const { token, until } = (await renewal) ?? {};
	expect(token).toBe(given);
	expect(until && Math.round((until - Date.now()) / 1000)).toBe(seconds);
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

it('a new token that was rejected is not replaced, and replaces no other, which may be a newer one', async () => {
	const endpoint = makeEndpoint();
	const own = await fetched(endpoint);
	expect(await renewing(endpoint, withToken(own, 'T1'))).toBeUndefined();
	expect(await renewing(endpoint, withToken(own, 'of-another-process'))).toBeUndefined();
	expect(await renewing(endpoint, own)).toBe('T1');
	expect(endpoint.httpRequest).toHaveBeenCalledTimes(1);
});
