import type { IHttpRequestHelper } from 'n8n-workflow';

import { renewToken, tokenFailureSince } from '../../nodes/EngagementUploads/transport/token.ts';
import { settled } from '../support/anyOrder.mts';

type Helpers = IHttpRequestHelper['helpers'];

/** A token endpoint whose responses are controlled by the test. */
class Endpoint {
	private readonly waiting: Array<{ resolve(body: unknown): void; reject(error: Error): void }> =
		[];
	requests = 0;

	readonly helpers = {
		httpRequest: async () => {
			this.requests += 1;
			return await new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
		},
	} as unknown as Helpers;

	async grant(token: string): Promise<void> {
		const body = Buffer.from(JSON.stringify({ access_token: token }));
		this.waiting.shift()?.resolve({ statusCode: 200, headers: {}, body });
		await settled();
	}

	async fail(): Promise<void> {
		this.waiting.shift()?.reject(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
		await settled();
	}
}

let credentials = 0;
/** A credential for which no other test has fetched a token. */
const credential = (sessionToken = '') => ({
	baseUrl: 'https://api.example.com',
	tokenUrl: `/token/${(credentials += 1)}`,
	subscriptionApiKey: 'key',
	requestFormat: 'json',
	tokenRequestFields: '{"grant_type":"api_key","key":"k"}',
	sessionToken,
});

/** The token that a call returns. */
function renewing(endpoint: Endpoint, of: ReturnType<typeof credential>) {
	return renewToken(endpoint.helpers, of).then(({ sessionToken }) => sessionToken);
}

beforeEach(() => {
	jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'], now: 1_000_000 });
});
afterEach(() => {
	jest.useRealTimers();
});

it('requests that lack a token at the same time share one fetch', async () => {
	const [endpoint, own] = [new Endpoint(), credential()];
	const both = [renewing(endpoint, own), renewing(endpoint, { ...own, sessionToken: 'old' })];
	await endpoint.grant('T1');
	expect(await Promise.all(both)).toEqual(['T1', 'T1']);
	expect(endpoint.requests).toBe(1);
	// The second one's token was replaced by the same fetch.
	expect(await renewing(endpoint, { ...own, sessionToken: 'old' })).toBe('T1');
	expect(endpoint.requests).toBe(1);
});

it('a request without a token gets the new one only while n8n is storing it', async () => {
	const [endpoint, own] = [new Endpoint(), credential()];
	const first = renewing(endpoint, own);
	await endpoint.grant('T1');
	await first;
	jest.setSystemTime(1_001_999);
	expect(await renewing(endpoint, own)).toBe('T1');
	jest.setSystemTime(1_002_000);
	const later = renewing(endpoint, own);
	await endpoint.grant('T2');
	expect(await later).toBe('T2');
	expect(endpoint.requests).toBe(2);
});

it('a replaced token gets its replacement for five minutes; a current one is renewed', async () => {
	const [endpoint, own] = [new Endpoint(), credential('T0')];
	const first = renewing(endpoint, own);
	await endpoint.grant('T1');
	await first;
	jest.setSystemTime(1_000_000 + 299_999);
	expect(await renewing(endpoint, own)).toBe('T1');
	const current = renewing(endpoint, { ...own, sessionToken: 'T1' });
	await endpoint.grant('T2');
	expect(await current).toBe('T2');
	// T0 was replaced by T1, and T1 by T2.
	expect(await renewing(endpoint, own)).toBe('T2');
	expect(endpoint.requests).toBe(2);
	jest.setSystemTime(1_000_000 + 599_999);
	const old = renewing(endpoint, own);
	await endpoint.grant('T3');
	expect(await old).toBe('T3');
});

it('an endpoint that grants the same token again is called again', async () => {
	const [endpoint, own] = [new Endpoint(), credential('T1')];
	const first = renewing(endpoint, own);
	await endpoint.grant('T1');
	expect(await first).toBe('T1');
	const second = renewing(endpoint, own);
	await endpoint.grant('T2');
	expect(await second).toBe('T2');
});

it.each(['baseUrl', 'subscriptionApiKey', 'requestFormat', 'tokenRequestFields', 'tokenUrl'])(
	'a credential with another %s fetches its own token',
	async (field) => {
		const [endpoint, own] = [new Endpoint(), credential()];
		const changed = {
			baseUrl: 'https://other.example.com',
			subscriptionApiKey: 'other',
			requestFormat: 'form',
			tokenRequestFields: '{"key":"other"}',
			tokenUrl: '/other',
		}[field];
		const both = [renewing(endpoint, own), renewing(endpoint, { ...own, [field]: changed })];
		await endpoint.grant('T1');
		await endpoint.grant('T2');
		expect(await Promise.all(both)).toEqual(['T1', 'T2']);
	},
);

it('tells requests in flight why no token could be fetched', async () => {
	const [endpoint, own] = [new Endpoint(), credential()];
	expect(tokenFailureSince(own, 0)).toBeUndefined();
	const failing = Promise.allSettled([renewing(endpoint, own)]);
	expect(tokenFailureSince(own, 0)).toBeUndefined();
	await endpoint.fail();
	await failing;
	expect(tokenFailureSince(own, 1_000_000)).toBeInstanceOf(Error);
	expect(tokenFailureSince(own, 1_000_001)).toBeUndefined();
});

it('remembers the 50 most recently used credentials', async () => {
	const endpoint = new Endpoint();
	const all = Array.from({ length: 51 }, () => credential('T0'));
	const renew = async (own: (typeof all)[number]) => {
		const token = renewing(endpoint, own);
		await endpoint.grant('T1');
		await token;
	};
	for (const own of all.slice(0, 50)) await renew(own);
	const [first, second, last] = [all[0]!, all[1]!, all[50]!];
	expect(await renewing(endpoint, first)).toBe('T1');
	expect(endpoint.requests).toBe(50);
	await renew(last);
	expect(await renewing(endpoint, second)).toBe('T1');
	expect(endpoint.requests).toBe(51);
	const forgotten = renewing(endpoint, first);
	await endpoint.grant('T2');
	expect(await forgotten).toBe('T2');
});
