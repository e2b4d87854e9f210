/** The credential in n8n's own HTTP Request node, which uses an older HTTP helper. */
import { systemClock } from '../../nodes/EngagementUploads/values/clock.ts';
import { CredentialStore } from '../support/engine/credentials.mts';
import { makeCredential, makeEndpointCredential } from '../support/world/credentials.mts';
import { useService } from '../support/engine/runs.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import { sendFromHttpRequest } from './httpRequestNode.mts';

useVirtualTime();

let service: SimulatedService;
let other: SimulatedService;

useService(beforeEach, async () => (service = await startService({ sample: true })));
useService(beforeEach, async () => (other = await startService()));

const users = () => `/v1/clients/${service.clientId}/users`;

it.each(['GET', 'POST'])('renews an expired token, for a %s', async (method) => {
	const credentials = new CredentialStore(makeEndpointCredential(service));
	const { items } = await sendFromHttpRequest(credentials, `${service.url}${users()}`);
	expect(items[0]?.json).toEqual({ status: 200 });
	await systemClock.sleep(10_000);
	service.expireTokens();
	service.clearRequests();
	const [engagement] = service.model.engagements.all;
	const refresh = `/v1/engagements/${engagement?.id}/connectors/none/refresh`;
	const path = method === 'GET' ? users() : refresh;
	await sendFromHttpRequest(credentials, `${service.url}${path}`, method);
	const requests = service.requests.map((request) => [request.path, request.status === 401]);
	expect(requests.slice(0, 3)).toEqual([
		[path, true],
		['/v1/oauth/token', false],
		[path, false],
	]);
});

it.each([
	['GET', 307],
	['POST', 308],
])('does not follow redirects: %s, %d', async (method, status) => {
	service.fail({}, { kind: 'redirect', status, location: `${other.url}/v1/stolen` });
	const url = `${service.url}/v1/engagements/1/connectors/none/refresh`;
	const credentials = new CredentialStore(makeCredential(service));
	const { error } = await sendFromHttpRequest(credentials, url, method);
	expect(error).toBeDefined();
	expect(other.requests).toEqual([]);
});
