/** What n8n stores of the credential, and its own HTTP Request node; browser.test.mts creates and edits it. */
import { CLIENT_ID } from '../../../nodes/EngagementUploads/transport/address.ts';
import { CREDENTIAL } from '../../support/world/credentials.mts';
import type { Execution } from '../workflows/rest.mts';
import { Sandbox } from '../process/sandbox.mts';
import { waitUntil } from '../process/waitFor.mts';
import {
	actionNode,
	chain,
	makeNode,
	MANUAL,
	manualTrigger,
	withCredential,
} from '../workflows/nodes.mts';
import { listRecords, template, useOpened } from './setup.mts';

const TOKEN_REQUEST = '/v1/oauth/token';
/** A younger token that is rejected is tried again, since the clock of a gateway may be behind (ms). */
const TOKEN_IS_NEW_FOR = 10_000;

let sandbox: Sandbox;

useOpened(async () => (sandbox = await Sandbox.open(template())));

/** The paths and statuses of the requests of an execution. */
async function listRequests(
	execute: () => Promise<unknown>,
): Promise<Array<[path: string, status: number | undefined]>> {
	sandbox.service.clearRequests();
	await execute();
	return sandbox.service.requests.map(({ path, status }) => [path, status]);
}

test('a token is fetched, kept, and renewed when it has expired', async () => {
	const { service, rest } = sandbox;
	// The first request for a token in this format.
	const id = await sandbox.credential({ requestFormat: 'json' });
	const node = actionNode('Users', { resource: 'user', operation: 'getAll' }, id);
	const workflow = await rest.createWorkflow(chain('Users', [manualTrigger(), node]));
	const users = `/v1/clients/${service.clientId}/users`;
	const run = async () => {
		const execution = await rest.run(workflow.id, MANUAL);
		expect(listRecords(execution, 'Users')).toHaveLength(service.model.users.length);
	};

	expect(await listRequests(run)).toEqual([
		[TOKEN_REQUEST, 200],
		[users, 200],
	]);
	const fetchedBefore = Date.now();
	expect(await listRequests(run)).toEqual([[users, 200]]);
	const isOld = () => Date.now() - fetchedBefore > TOKEN_IS_NEW_FOR;
	await waitUntil(isOld, 'the token not to be new');
	service.expireTokens();
	expect(await listRequests(run)).toEqual([
		[users, 401],
		[TOKEN_REQUEST, 200],
		[users, 200],
	]);
	expect(await listRequests(run)).toEqual([[users, 200]]);
});

test('HTTP Request takes token and client ID from it, for the host of the Base URL only', async () => {
	const { service } = sandbox;
	const credential = await sandbox.credential({ tokenUrl: `${TOKEN_REQUEST}?HTTP-Request` });
	const send = async (url: string): Promise<Execution> => {
		const authentication = 'predefinedCredentialType';
		const parameters = { url, authentication, nodeCredentialType: CREDENTIAL, options: {} };
		const more = { typeVersion: 4.2 };
		const node = makeNode('HTTP Request', 'n8n-nodes-base.httpRequest', parameters, more);
		return await sandbox.run(withCredential(node, credential));
	};
	const requests = await listRequests(async () => {
		const execution = await send(`${service.url}/v1/clients/${CLIENT_ID}/users`);
		expect(listRecords(execution, 'HTTP Request')).not.toEqual([]);
	});
	expect(requests).toEqual([
		[TOKEN_REQUEST, 200],
		[`/v1/clients/${service.clientId}/users`, 200],
	]);
	const { error } = await send('https://elsewhere.example/v1/users');
	expect(error?.message).toMatch(/a different host from the Base URL/);
});
