import type { CredentialInput, Execution } from '../rest.mts';
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

async function workflowWith(credentialId: string): Promise<{ id: string; name: string }> {
	const node = actionNode('Users', { resource: 'user', operation: 'getAll' }, credentialId);
	return await sandbox.rest.createWorkflow(chain('Users', [manualTrigger(), node]));
}

async function run(workflow: { id: string }): Promise<Execution> {
	return await sandbox.rest.run(workflow.id, MANUAL);
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

	const wrong: Array<[name: string, value: string, expected: RegExp]> = [
		['accessToken', 'not-a-token-that-is-known', /access token .*\(401\)/],
		['subscriptionApiKey', 'not-a-key-that-is-known', /subscription key \(401\)/i],
		['clientId', '00000000-0000-4000-8000-000000000000', /Client ID/],
	];
	test.each(wrong)(
		'rejects a wrong %s and says what to do, without the value',
		async (name, value, expected) => {
			const credential = await save(
				credentialFor(sandbox.service, 'accessToken', { [name]: value }),
			);
			const { status, message } = await sandbox.rest.testCredential(credential);
			expect(status).toBe('Error');
			expect(message).toMatch(expected);
			if (name !== 'clientId') expect(message).not.toContain(value);
			expect(requests().some(([, status]) => status === 200)).toBe(false);
		},
	);

	test('rejects token request fields that the token endpoint rejects', async () => {
		const tokenRequestFields = JSON.stringify({ grant_type: 'api_key', key: 'not-the-key' });
		const credential = credentialFor(sandbox.service, 'tokenEndpoint', { tokenRequestFields });
		const { status, message } = await sandbox.rest.testCredential(await save(credential));
		expect(status).toBe('Error');
		expect(message).not.toContain('not-the-key');
	});

	test('rejects an address that answers every request, such as that of n8n', async () => {
		const { url: baseUrl } = sandbox.n8n;
		const credential = credentialFor(sandbox.service, 'accessToken', { baseUrl });
		const { status, message } = await sandbox.rest.testCredential(await save(credential));
		expect(status).toBe('Error');
		expect(message).toContain('Base URL');
	});

	test('rejects an unencrypted address and sends nothing to it', async () => {
		const baseUrl = 'http://service.example';
		const credential = credentialFor(sandbox.service, 'accessToken', { baseUrl });
		const { status, message } = await sandbox.rest.testCredential(await save(credential));
		expect(status).toBe('Error');
		expect(message).toMatch(/https/);
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
	const { service } = sandbox;
	// The first request for a token in this format.
	const credential = credentialFor(service, 'tokenEndpoint', { requestFormat: 'json' });
	const { id } = await save(credential);
	const workflow = await workflowWith(id);
	const users = `/v1/clients/${service.clientId}/users`;

	const first = await run(workflow);
	expect(recordsOf(first, 'Users')).toHaveLength(service.model.users.length);
	expect(requests()).toEqual([
		[TOKEN_REQUEST, 200],
		[users, 200],
	]);

	service.clearRequests();
	await run(workflow);
	expect(requests()).toEqual([[users, 200]]);

	service.clearRequests();
	await sandbox.n8n.command('execute', `--id=${workflow.id}`);
	expect(requests()).toEqual([[users, 200]]);

	service.expireTokens();
	service.clearRequests();
	const renewed = await run(workflow);
	expect(recordsOf(renewed, 'Users')).toHaveLength(service.model.users.length);
	expect(requests()).toEqual([
		[users, 401],
		[TOKEN_REQUEST, 200],
		[users, 200],
	]);

	service.clearRequests();
	await run(workflow);
	expect(requests()).toEqual([[users, 200]]);
});

test('a wrong key fails the execution with a message that does not contain it', async () => {
	const subscriptionApiKey = 'not-a-key-that-is-known';
	const credential = credentialFor(sandbox.service, 'accessToken', { subscriptionApiKey });
	const { id } = await save(credential);
	const execution = await run(await workflowWith(id));
	expect(execution.status).toBe('error');
	expect(execution.error?.message).toMatch(/key/i);
	expect(JSON.stringify(execution)).not.toContain(subscriptionApiKey);
	expect(sandbox.n8n.log).not.toContain(subscriptionApiKey);
});
