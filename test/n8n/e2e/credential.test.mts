import { startService } from '../../support/service/http.mts';
import type { CredentialInput } from '../rest.mts';
import { credentialFor, Sandbox } from '../sandbox.mts';
import { actionNode, chain, MANUAL, manualTrigger } from '../workflows.mts';
import { recordsOf, template } from './setup.mts';

const TOKEN_REQUEST = '/v1/oauth/token';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await Sandbox.open(template());
});

afterAll(async () => await sandbox?.close());

beforeEach(() => sandbox.service.clearRequests());

/** The paths and statuses of the requests since `clearRequests`. */
function requests(): Array<[path: string, status: number | undefined]> {
	return sandbox.service.requests.map(({ path, status }) => [path, status]);
}

async function save(input: CredentialInput): Promise<CredentialInput & { id: string }> {
	return { ...input, id: await sandbox.rest.createCredential(input) };
}

describe('the credential test', () => {
	test.each(['accessToken', 'tokenEndpoint'] as const)(
		'accepts a valid credential: %s',
		async (way) => {
			const credential = await save(credentialFor(sandbox.service, way));
			expect(await sandbox.rest.testCredential(credential)).toMatchObject({ status: 'OK' });
			const { clientId } = sandbox.service;
			expect(requests()).toContainEqual([`/v1/clients/${clientId}/connectors`, 200]);
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

	test('rejects token request fields that the token endpoint rejects', async () => {
		const tokenRequestFields = JSON.stringify({ grant_type: 'api_key', key: 'not-the-key' });
		const credential = credentialFor(sandbox.service, 'tokenEndpoint', { tokenRequestFields });
		const { status, message } = await sandbox.rest.testCredential(await save(credential));
		expect(status).toBe('Error');
		expect(message).not.toContain('not-the-key');
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
	const { id } = await save(credentialFor(service, 'tokenEndpoint', { requestFormat: 'json' }));
	const node = actionNode('Users', { resource: 'user', operation: 'getAll' }, id);
	const workflow = await rest.createWorkflow(chain('Users', [manualTrigger(), node]));
	const users = `/v1/clients/${service.clientId}/users`;
	/** The requests of an execution. */
	const requestsOf = async (execute: () => Promise<unknown>) => {
		service.clearRequests();
		await execute();
		return requests();
	};
	const run = async () => {
		const execution = await rest.run(workflow.id, MANUAL);
		expect(recordsOf(execution, 'Users')).toHaveLength(service.model.users.length);
	};

	expect(await requestsOf(run)).toEqual([
		[TOKEN_REQUEST, 200],
		[users, 200],
	]);
	expect(await requestsOf(run)).toEqual([[users, 200]]);
	const inAnotherProcess = async () => await sandbox.n8n.command('execute', `--id=${workflow.id}`);
	expect(await requestsOf(inAnotherProcess)).toEqual([[users, 200]]);
	service.expireTokens();
	expect(await requestsOf(run)).toEqual([
		[users, 401],
		[TOKEN_REQUEST, 200],
		[users, 200],
	]);
	expect(await requestsOf(run)).toEqual([[users, 200]]);
});

test('an edited credential uses neither the token nor the host from before', async () => {
	const { service, rest } = sandbox;
	const other = await startService();
	try {
		// No other credential shares its tokens.
		const tokenUrl = `${TOKEN_REQUEST}?edited`;
		const { id } = await save(credentialFor(service, 'tokenEndpoint', { tokenUrl }));
		const create = { resource: 'engagement', operation: 'create', name: 'Nordlicht' };
		const nodes = [manualTrigger(), actionNode('Create', create, id)];
		const workflow = await rest.createWorkflow(chain('Create', nodes));
		const engagements = `/v1/clients/${service.clientId}/engagements`;
		/** Where a run creates an engagement, and with which tokens. */
		const run = async () => {
			service.clearRequests();
			other.clearRequests();
			expect(recordsOf(await rest.run(workflow.id, MANUAL), 'Create')).toHaveLength(1);
			const [{ requests: before }, { requests: after }] = [service, other];
			return [...before, ...after].map(({ path, headers }) => [path, headers.authorization]);
		};
		await run();
		const [[, old] = []] = await run();
		expect(old).toMatch(/^Bearer /);
		for (const edits of [
			{ requestFormat: 'json' },
			{ tokenRequestFields: '' },
			{ baseUrl: other.url },
		]) {
			await rest.editCredential(id, edits);
			const requests = await run();
			expect(requests).toEqual([
				[TOKEN_REQUEST, undefined],
				[engagements, expect.stringMatching(/^Bearer /)],
			]);
			expect(requests.flat()).not.toContain(old);
		}
		expect(service.requests).toEqual([]);
	} finally {
		await other.close();
	}
});
