/** How long a client waits, on a clock that only runs while something sleeps. */
import type { IHttpRequestOptions } from 'n8n-workflow';
import { upload } from '../../nodes/EngagementUploads/api/records.ts';
import { authenticate } from '../../nodes/EngagementUploads/transport/auth/authenticate.ts';
import { parseCredential } from '../../nodes/EngagementUploads/transport/auth/credential.ts';
import { ServiceClient } from '../../nodes/EngagementUploads/transport/client.ts';
import type { ApiRequest } from '../../nodes/EngagementUploads/transport/request.ts';
import type { ServiceContext } from '../../nodes/EngagementUploads/transport/http/exchange.ts';
import { TestClock } from './http/clock.mts';

const HOUR = 3_600_000;
const credential = {
	...{ authentication: 'accessToken', accessToken: 'token', subscriptionApiKey: 'key' },
	...{ baseUrl: 'https://service.example', clientId: '1' },
};
const request: ApiRequest = { method: 'GET', path: '/', kind: upload, purpose: 'get it' };

/** A client whose requests are answered with these `Retry-After` headers, then with a record. */
function clientFor(...retryAfter: string[]) {
	const clock = new TestClock();
	const end = new AbortController();
	const times: number[] = [];
	const context = {
		getNode: () => ({ name: 'Engagement Uploads' }),
		getExecutionCancelSignal: () => end.signal,
		helpers: {
			httpRequestWithAuthentication: async (_: string, options: IHttpRequestOptions) => {
				authenticate(parseCredential(credential), options);
				times.push(clock.now());
				const seconds = retryAfter.shift();
				return await Promise.resolve({
					statusCode: seconds === undefined ? 200 : 429,
					headers: { 'retry-after': seconds },
					body: '{"uploadId":"u1"}',
				});
			},
		},
	} as unknown as ServiceContext;
	const options = { parallel: 8, timeout: 60_000 };
	return { client: new ServiceClient(context, credential, options, clock), clock, end, times };
}

it('it waits as long as the service asks, the longest wait of several', async () => {
	const { client, clock, times } = clientFor('3', '60', '1');
	const start = clock.now();
	await Promise.all([1, 2].map(async () => await client.record(request)));
	expect(times.every((time) => time === start || time >= start + 60_000)).toBe(true);
});

it.each([
	['a wait', async (client: ServiceClient) => await client.wait(HOUR)],
	[
		'a pause that the service asked for',
		async (client: ServiceClient) => await client.record(request),
	],
])('%s ends within a second when the execution is cancelled', async (_what, work) => {
	const { client, clock, end } = clientFor('100');
	clock.after(5000, () => end.abort());
	const start = clock.now();
	await expect(work(client)).rejects.toThrow('The execution was stopped');
	expect(clock.now() - start).toBeLessThan(6000);
});

it('a wait ends within a second when its request is no longer wanted', async () => {
	const { client, clock } = clientFor();
	let isWanted = true;
	clock.after(5000, () => (isWanted = false));
	const start = clock.now();
	const waiting = client.wait(HOUR, { ...request, isWanted: () => isWanted });
	await expect(waiting).rejects.toThrow('The execution was stopped');
	expect(clock.now() - start).toBeLessThan(6000);
});

it('a wait lasts as long as requested', async () => {
	const { client, clock } = clientFor();
	const start = clock.now();
	await client.wait(1234);
	await client.wait(0);
	expect(clock.now() - start).toBe(1234);
});
