/** The credential in n8n's own HTTP Request node, as described in the README. */
import { CLIENT_ID } from '../../../nodes/EngagementUploads/transport/credential/address.ts';
import { CREDENTIAL } from '../../support/credentials.mts';
import { startService, type SimulatedService } from '../../support/service/http.mts';
import type { Execution } from '../rest.mts';
import { credentialFor, Sandbox } from '../sandbox.mts';
import { chain, makeNode, MANUAL, manualTrigger, withCredential } from '../workflows.mts';
import { recordsOf, template } from './setup.mts';

const NODE = 'HTTP Request';
const REFUSED = /a different host from the Base URL/;

let sandbox: Sandbox;
let other: SimulatedService;
let credential: string;

beforeAll(async () => {
	sandbox = await Sandbox.open(template());
	other = await startService();
	credential = await sandbox.rest.createCredential(credentialFor(sandbox.service, 'tokenEndpoint'));
});

afterAll(async () => {
	await other?.close();
	await sandbox?.close();
});

beforeEach(() => sandbox.service.clearRequests());

afterEach(() => {
	sandbox.service.clearFaults();
	expect(other.requests).toEqual([]);
});

async function send(url: string, method = 'GET'): Promise<Execution> {
	const parameters = {
		method,
		url,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: CREDENTIAL,
		options: {},
	};
	const node = makeNode(NODE, 'n8n-nodes-base.httpRequest', parameters, { typeVersion: 4.2 });
	const nodes = [manualTrigger(), withCredential(node, credential)];
	const { id } = await sandbox.rest.createWorkflow(chain('HTTP Request', nodes));
	return await sandbox.rest.run(id, MANUAL);
}

const users = () => `/v1/clients/${sandbox.service.clientId}/users`;
const requests = () => sandbox.service.requests.map(({ path, status }) => [path, status]);

test('it fetches a token, and fills in the client ID', async () => {
	const { service } = sandbox;
	const execution = await send(`${service.url}/v1/clients/${CLIENT_ID}/users`);
	expect(recordsOf(execution, NODE)).not.toEqual([]);
	expect(requests()).toEqual([
		['/v1/oauth/token', 200],
		[users(), 200],
	]);
});

test('it renews a token that has expired', async () => {
	sandbox.service.expireTokens();
	const execution = await send(`${sandbox.service.url}${users()}`);
	expect(recordsOf(execution, NODE)).not.toEqual([]);
	expect(requests()).toEqual([
		[users(), 401],
		['/v1/oauth/token', 200],
		[users(), 200],
	]);
});

test('it sends nothing to another host', async () => {
	const execution = await send(`${other.url}/v1/users`);
	expect(execution.status).toBe('error');
	expect(execution.error?.message).toMatch(REFUSED);
	expect(requests().filter(([path]) => path !== '/v1/oauth/token')).toEqual([]);
});

test.each([
	['GET', 302],
	['POST', 308],
])('it follows no redirect: %s, %d', async (method, status) => {
	const { service } = sandbox;
	service.fail(
		{ path: /companyDetails$/ },
		{ kind: 'redirect', status, location: `${other.url}/v1/stolen` },
		{ times: Infinity },
	);
	const execution = await send(`${service.url}/v1/engagements/1/companyDetails`, method);
	expect(execution.status).toBe('error');
});
