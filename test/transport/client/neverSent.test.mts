/** Writes whose token cannot be had, or whose response cannot be read: not sent, or unknown. */
import { useVirtualTime } from '../../support/virtualTime.mts';
import { CredentialStore } from '../../support/engine/credentials.mts';
import { CREDENTIAL, credentialOf, endpointCredentialOf } from '../../support/credentials.mts';
import type { SimulatedService } from '../../support/service/http.mts';
import { errorText, run, useService } from '../../support/runs.mts';
import { smallWorld } from '../../support/smallWorld.mts';

useVirtualTime();

let service: SimulatedService;
useService(beforeEach, async () => ({ service } = await smallWorld()));

const refresh = {
	resource: 'dataRefresh',
	operation: 'run',
	engagementId: 1001,
	connectorName: 'cloudbooks',
};
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

	it('the token endpoint recovers: the write is sent once', async () => {
		service.fail({ path: /token$/ }, { kind: 'status', status: 503 }, { times: 2 });
		const { error } = await run(service, refresh, [{}], { credential: fetched() });
		expect(error).toBeUndefined();
		expect(posts()).toHaveLength(1);
	});
});

it('a credential that n8n can no longer read does not hide the outcome of a write', async () => {
	const credential = new CredentialStore({ [CREDENTIAL]: credentialOf(service) });
	service.fail({ method: 'POST' }, { kind: 'status', status: 502 }, { times: Infinity });
	const { stored } = credential;
	let reads = 0;
	credential.stored = (type) => {
		// The node opens the credential, and so does n8n for the request. Then it fails.
		if (++reads > 2) throw new Error('SQLITE_BUSY: database is locked');
		return stored.call(credential, type);
	};
	const result = await run(service, refresh, [{}], { credential });
	expect(errorText(result)).toMatch(/outcome is unknown/);
	expect(posts()).toHaveLength(1);
});

it('a new run may send what an earlier one could not', async () => {
	const headers = { 'retry-after': '600' };
	service.fail({ method: 'POST' }, { kind: 'status', status: 429, headers });
	expect((await run(service, refresh, [{}], { maxTries: 3 })).error).toBeDefined();
	expect((await run(service, refresh, [{}], { maxTries: 3 })).error).toBeUndefined();
	// Without a body, no header describes one.
	expect(posts()[0]?.headers).not.toHaveProperty('content-type');
});
