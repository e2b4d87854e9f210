/** The credential in this package's nodes, and in n8n's own HTTP Request node; browser.test.mts edits it. */
import { CLIENT_ID } from '../../../nodes/EngagementUploads/transport/address.ts';
import { CREDENTIAL } from '../../support/credentials.mts';
import { startService, type SimulatedService } from '../../support/service/http.mts';
import type { CredentialInput, Execution } from '../rest.mts';
import { credentialFor, type Sandbox } from '../sandbox.mts';
import { waitUntil } from '../waitFor.mts';
import {
	actionNode,
	chain,
	makeNode,
	MANUAL,
	manualTrigger,
	withCredential,
} from '../workflows.mts';
import { listRecords, useOpened, useSandbox } from './setup.mts';

const TOKEN_REQUEST = '/v1/oauth/token';
/** A younger token that is rejected is tried again, since the clock of a gateway may be behind (ms). */
const TOKEN_IS_NEW_FOR = 10_000;

let sandbox: Sandbox;
let other: SimulatedService;

useSandbox(async (opened) => {
	sandbox = opened;
});
useOpened(async () => (other = await startService()));

beforeEach(() => sandbox.service.clearRequests());

/** The paths and statuses of the requests of an execution. */
async function listRequests(
	execute: () => Promise<unknown>,
): Promise<Array<[path: string, status: number | undefined]>> {
	sandbox.service.clearRequests();
	await execute();
	return sandbox.service.requests.map(({ path, status }) => [path, status]);
}

/** Expires the tokens, the last of which was fetched before this time, once they are no longer new. */
async function expireTokens(fetchedBefore: number): Promise<void> {
	const isOld = () => Date.now() - fetchedBefore > TOKEN_IS_NEW_FOR;
	await waitUntil(isOld, { what: 'the token not to be new' });
	sandbox.service.expireTokens();
}

async function save(input: CredentialInput): Promise<CredentialInput & { id: string }> {
	return { ...input, id: await sandbox.rest.createCredential(input) };
}

describe('the credential test', () => {
	test.each(['accessToken', 'tokenEndpoint'] as const)(
		'accepts a valid credential: %s',
		async (way) => {
			const { rest, service } = sandbox;
			const credential = await save(credentialFor(service, way));
			const requests = await listRequests(async () => {
				expect(await rest.testCredential(credential)).toMatchObject({ status: 'OK' });
			});
			expect(requests).toContainEqual([`/v1/clients/${service.clientId}/connectors`, 200]);
		},
	);

	test('rejects a wrong key and says what to do, without the key', async () => {
		const subscriptionApiKey = 'not-a-key-that-is-known';
		const credential = credentialFor(sandbox.service, 'accessToken', { subscriptionApiKey });
		const { status, message } = await sandbox.rest.testCredential(await save(credential));
		expect(status).toBe('Error');
		expect(message).toMatch(/subscription key \(401\)/i);
		expect(message).not.toContain(subscriptionApiKey);
	});
});

test('n8n does not show the token or key of a saved credential', async () => {
	const { id, data } = await save(credentialFor(sandbox.service, 'accessToken'));
	const shown = JSON.stringify(await sandbox.rest.credential(id));
	expect(shown).toContain(String(data.baseUrl));
	expect(shown).not.toContain(sandbox.service.accessToken);
	expect(shown).not.toContain(sandbox.service.subscriptionKey);
});

test('a token is fetched, kept for other processes, and renewed when it has expired', async () => {
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
	const inAnotherProcess = async () => await sandbox.n8n.command('execute', `--id=${workflow.id}`);
	expect(await listRequests(inAnotherProcess)).toEqual([[users, 200]]);
	await expireTokens(fetchedBefore);
	expect(await listRequests(run)).toEqual([
		[users, 401],
		[TOKEN_REQUEST, 200],
		[users, 200],
	]);
	expect(await listRequests(run)).toEqual([[users, 200]]);
});

describe('HTTP Request', () => {
	let credential: string;

	beforeAll(async () => {
		credential = await sandbox.credential({ tokenUrl: `${TOKEN_REQUEST}?HTTP-Request` });
	});

	async function send(url: string, method = 'GET'): Promise<Execution> {
		const parameters = {
			method,
			url,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: CREDENTIAL,
			options: {},
		};
		const more = { typeVersion: 4.2 };
		const node = makeNode('HTTP Request', 'n8n-nodes-base.httpRequest', parameters, more);
		return await sandbox.run(withCredential(node, credential));
	}

	test('fetches a token, fills in the client ID, and renews a token that has expired', async () => {
		const { service } = sandbox;
		const users = `/v1/clients/${service.clientId}/users`;
		const run = async () => {
			const execution = await send(`${service.url}/v1/clients/${CLIENT_ID}/users`);
			expect(listRecords(execution, 'HTTP Request')).not.toEqual([]);
		};
		expect(await listRequests(run)).toEqual([
			[TOKEN_REQUEST, 200],
			[users, 200],
		]);
		await expireTokens(Date.now());
		expect(await listRequests(run)).toEqual([
			[users, 401],
			[TOKEN_REQUEST, 200],
			[users, 200],
		]);
	});

	test('sends nothing to another host, and follows no redirect to it', async () => {
		const { service } = sandbox;
		const requests = await listRequests(async () => {
			const { status, error } = await send(`${other.url}/v1/users`);
			expect(status).toBe('error');
			expect(error?.message).toMatch(/a different host from the Base URL/);
		});
		expect(requests.filter(([path]) => path !== TOKEN_REQUEST)).toEqual([]);

		for (const [method, status] of [
			['GET', 302],
			['POST', 308],
		] as const) {
			const redirect = { kind: 'redirect', status, location: `${other.url}/v1/stolen` } as const;
			service.fail({ path: /companyDetails$/ }, redirect, { times: Infinity });
			const execution = await send(`${service.url}/v1/engagements/1/companyDetails`, method);
			expect(execution.status).toBe('error');
			service.clearFaults();
		}
		expect(other.requests).toEqual([]);
	});
});
