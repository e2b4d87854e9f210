/** A write that waits for its token was not sent. */
import { useVirtualTime } from '../support/virtualTime.mts';
import { CredentialStore } from '../support/engine/credentials.mts';
import { systemClock } from '../../nodes/EngagementUploads/values/clock.ts';
import { CREDENTIAL, endpointCredentialOf } from '../support/credentials.mts';
import type { SimulatedService } from '../support/service/http.mts';
import { errorText, run, start, until, useService } from '../support/runs.mts';
import { smallWorld } from '../support/smallWorld.mts';

useVirtualTime();

let service: SimulatedService;
useService(beforeEach, async () => ({ service } = await smallWorld()));

const refresh = {
	resource: 'dataRefresh',
	operation: 'run',
	engagementId: 1001,
	connectorName: 'cloudbooks',
};
const users = { resource: 'user', operation: 'getAll' };
const posts = () => service.requests.filter(({ path }) => path.endsWith('/refresh'));
const fetched = () => new CredentialStore({ [CREDENTIAL]: endpointCredentialOf(service) });

describe('while a write waits for its token', () => {
	it('the token endpoint hangs: the write was not sent', async () => {
		service.fail({ path: /token$/ }, { kind: 'hang' }, { times: Infinity });
		// Shorter than the timeout of the token request.
		const parameters = { ...refresh, options: { timeout: 0.5 } };
		const text = errorText(await run(service, parameters, [{}], { credential: fetched() }));
		expect(text).toMatch(/token endpoint .*even after 5 attempts/);
		expect(text).not.toContain('unknown');
		expect(posts()).toEqual([]);
	});

	it('the execution is cancelled: the write is not sent when the token comes', async () => {
		service.settings.latencyMs = 1000;
		const running = start(service, refresh, [{}], { credential: fetched() });
		await until(() => service.requests.length > 0, 'a token request');
		running.cancel();
		await running.done;
		await systemClock.sleep(5000);
		expect(posts()).toEqual([]);
	});

	it('an expired token cannot be replaced in time: the write was not done', async () => {
		const credential = fetched();
		expect((await run(service, users, [{}], { credential })).error).toBeUndefined();
		await systemClock.sleep(10_000);
		service.expireTokens();
		service.fail({ path: /token$/ }, { kind: 'hang' }, { times: Infinity });
		const parameters = { ...refresh, options: { timeout: 2 } };
		const text = errorText(await run(service, parameters, [{}], { credential }));
		expect(text).toMatch(/token endpoint did not respond within 30 seconds/);
		expect(text).not.toContain('unknown');
		expect(posts().every(({ status }) => status === 401)).toBe(true);
	});

	it('the token endpoint recovers: the write is sent once', async () => {
		service.fail({ path: /token$/ }, { kind: 'status', status: 503 }, { times: 2 });
		const { error } = await run(service, refresh, [{}], { credential: fetched() });
		expect(error).toBeUndefined();
		expect(posts()).toHaveLength(1);
	});
});
