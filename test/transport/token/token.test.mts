import type { ICredentialDataDecryptedObject, IHttpRequestHelper } from 'n8n-workflow';

import {
	renewToken,
	pauseBeforeRenewal,
	tokenFailureSince,
} from '../../../nodes/EngagementUploads/transport/token.ts';
import { systemClock } from '../../../nodes/EngagementUploads/values/clock.ts';
import {
	parseCredential,
	sessionOf,
} from '../../../nodes/EngagementUploads/transport/credential.ts';
import { settled } from '../../support/anyOrder.mts';

/** A token endpoint whose responses are controlled by the test. */
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
	async grant(token?: string): Promise<void> {
		const body = JSON.stringify({ access_token: token });
		this.waiting.shift()?.({ statusCode: 200, headers: {}, body });
		await settled();
	}
}

let credentials = 0;
/** A credential for which no other test has fetched a token. */
const credential = (token?: string) => {
	const entered = {
		authentication: 'tokenEndpoint',
		baseUrl: 'https://api.example.com',
		tokenUrl: `/token/${(credentials += 1)}`,
		subscriptionApiKey: 'key',
		requestFormat: 'json',
		tokenRequestFields: '{"grant_type":"api_key","key":"k"}',
		sessionToken: '',
	};
	return token === undefined ? entered : withToken(entered, token);
};

/** The same credential, after n8n has stored a token. */
function withToken<T extends ICredentialDataDecryptedObject>(own: T, token: string): T {
	return { ...own, ...sessionOf(parseCredential(own), { token }) };
}

/** The token that a call returns. */
function renewing(endpoint: Endpoint, of: ReturnType<typeof credential>) {
	return renewToken(endpoint.helpers, parseCredential(of)).then(({ token }) => token);
}

let now: number;
beforeEach(() => {
	now = 1_000_000;
	jest.spyOn(systemClock, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

it.each([['an expired token', 'T0'] as const, ['no token', undefined] as const])(
	'requests with %s share one fetch, also those of the next minute',
	async (_what, old) => {
		const [endpoint, own] = [new Endpoint(), credential(old)];
		const both = [renewing(endpoint, own), renewing(endpoint, own)];
		await endpoint.grant('T1');
		expect(await Promise.all(both)).toEqual(['T1', 'T1']);
		now = 1_059_999;
		expect(await renewing(endpoint, own)).toBe('T1');
		expect(endpoint.requests).toBe(1);
		now = 1_060_000;
		const later = renewing(endpoint, own);
		await endpoint.grant('T2');
		expect(await later).toBe('T2');
	},
);

it('the tokens of the 50 credentials used last are shared', async () => {
	const endpoint = new Endpoint();
	const all = Array.from({ length: 51 }, () => credential());
	const renew = async (own: ReturnType<typeof credential> | undefined, granted: string) => {
		const token = renewing(endpoint, own ?? credential());
		await endpoint.grant(granted);
		return await token;
	};
	for (const [number, own] of all.slice(0, 50).entries()) await renew(own, `T${number}`);
	expect(await renew(all[0], 'none')).toBe('T0');
	await renew(withToken(all[0] ?? credential(), 'T0'), 'T0b');
	await renew(all[50], 'T50');
	expect(await renew(withToken(all[0] ?? credential(), 'T0'), 'none')).toBe('T0b');
	expect(await renew(all[2], 'none')).toBe('T2');
	expect(await renew(all[1], 'T1b')).toBe('T1b');
});

it('a rejected token that another n8n process fetched is replaced by a new one', async () => {
	const [endpoint, own] = [new Endpoint(), credential('T0')];
	const first = renewing(endpoint, own);
	await endpoint.grant('T1');
	await first;
	const rejected = renewing(endpoint, withToken(own, 'of another process'));
	await endpoint.grant('T2');
	expect(await rejected).toBe('T2');
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

it('tells requests in flight why no token could be fetched', async () => {
	const [endpoint, own] = [new Endpoint(), credential()];
	expect(tokenFailureSince(parseCredential(own), 0)).toBeUndefined();
	const failing = Promise.allSettled([renewing(endpoint, own)]);
	expect(tokenFailureSince(parseCredential(own), 0)).toBeUndefined();
	await endpoint.grant();
	await failing;
	expect(tokenFailureSince(parseCredential(own), 1_000_000)).toMatchObject({ status: 200 });
	expect(tokenFailureSince(parseCredential(own), 1_000_001)).toBeUndefined();
});

it('a token that is rejected soon after it was fetched is replaced after a pause', async () => {
	const [endpoint, own] = [new Endpoint(), parseCredential(credential())];
	const first = renewing(endpoint, credential());
	await endpoint.grant('T0');
	await first;
	expect(pauseBeforeRenewal(own, 'T0')).toBe(0);
	const fetched = renewToken(endpoint.helpers, own);
	await endpoint.grant('T1');
	await fetched;
	expect(pauseBeforeRenewal(own, 'T0')).toBe(0);
	expect(pauseBeforeRenewal(own, 'T1')).toBeGreaterThanOrEqual(500);
	expect(pauseBeforeRenewal(own, 'T1')).toBeLessThan(1500);
	now += 15_000;
	expect(pauseBeforeRenewal(own, 'T1')).toBe(0);
});
