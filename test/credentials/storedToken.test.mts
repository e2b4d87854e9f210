/** The token that n8n has stored, in a node and in n8n's own HTTP Request node, which uses an older HTTP helper. */
import { CLIENT_ID } from '../../nodes/EngagementUploads/transport/address.ts';
import { systemClock } from '../../nodes/EngagementUploads/values/clock.ts';
import { CredentialStore } from '../support/engine/credentials.mts';
import { runNode } from '../support/engine/nodeRun.mts';
import { useService } from '../support/engine/runs.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import { makeCredential, makeEndpointCredential } from '../support/world/credentials.mts';
import { sendFromHttpRequest } from './httpRequestNode.mts';

useVirtualTime();

const MINUTE = 60_000;

let service: SimulatedService;
let other: SimulatedService;

useService(beforeEach, async () => (other = await startService()));
useService(beforeEach, async () => (service = await startService({ sample: true })));

/** Reads the connectors. */
const uses: Record<string, (credential: CredentialStore) => Promise<{ error?: unknown }>> = {
	'a node': async (credential) => {
		return await runNode({
			parameters: { resource: 'connector', operation: 'getAll' },
			credential,
		});
	},
	'HTTP Request': async (credential) => {
		const url = `${credential.stored().baseUrl}/v1/clients/${CLIENT_ID}/connectors`;
		return await sendFromHttpRequest(credential, url);
	},
};

/** The requests since the last call: what for, and the status. */
function takeRequests(): string[] {
	const taken = service.requests.map(({ path, status }) => `${path.split('/').at(-1)} ${status}`);
	service.clearRequests();
	return taken;
}

describe.each(Object.entries(uses))('in %s, a stored token', (_, use) => {
	let credential: CredentialStore;

	beforeEach(async () => {
		credential = new CredentialStore(makeEndpointCredential(service));
		expect((await use(credential)).error).toBeUndefined();
		expect(takeRequests()).toEqual(['token 200', 'connectors 200']);
	});

	it('is renewed once if the service rejects it', async () => {
		await systemClock.sleep(10_000);
		service.expireTokens();
		expect((await use(credential)).error).toBeUndefined();
		expect(takeRequests()).toEqual(['connectors 401', 'token 200', 'connectors 200']);
	});

	it('is replaced after nine tenths of its life, which the service need not answer with a 401', async () => {
		await systemClock.sleep(26 * MINUTE);
		await use(credential);
		expect(takeRequests()).toEqual(['connectors 200']);
		await systemClock.sleep(2 * MINUTE);
		await use(credential);
		expect(takeRequests()).toEqual(['token 200', 'connectors 200']);
	});

	/** test/transport/credential.test.mts has every edit. */
	it('and its client ID are not used after an edit, nor reach the other host', async () => {
		const old = String(credential.stored().sessionToken).split(' ').at(-1);
		const body = { access_token: other.accessToken };
		other.fail({ path: /token$/ }, { kind: 'status', status: 200, body }, { times: Infinity });
		credential.save({ ...credential.stored(), baseUrl: other.url });
		await use(credential);
		await use(credential);
		const seen = other.requests.map(({ path, headers }) => [path, headers.authorization].join());
		expect(seen[0]).toContain('token');
		expect(seen.filter((each) => each.includes(service.clientId))).toEqual([]);
		expect(seen.filter((each) => each.includes(old ?? ''))).toEqual([]);
		expect(takeRequests()).toEqual([]);
	});
});

it.each([
	['GET', 307],
	['POST', 308],
])('HTTP Request does not follow redirects: %s, %d', async (method, status) => {
	service.fail({}, { kind: 'redirect', status, location: `${other.url}/v1/stolen` });
	const url = `${service.url}/v1/engagements/1/connectors/none/refresh`;
	const credential = new CredentialStore(makeCredential(service));
	const { error } = await sendFromHttpRequest(credential, url, method);
	expect(error).toBeDefined();
	expect(other.requests).toEqual([]);
});
