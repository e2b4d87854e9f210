import type { CredentialInput, Execution } from '../rest.mts';
import { credentialFor, Stage } from '../stage.mts';
import { actionNode, chain, MANUAL, manualTrigger } from '../workflows.mts';
import { recordsOf, template } from './setup.mts';

const TOKEN_REQUEST = '/v1/oauth/token';

let stage: Stage;

beforeAll(async () => {
	stage = await Stage.open(template());
});

afterAll(async () => await stage?.closeAndSearch());

beforeEach(() => stage.service.clearRequests());

/** Paths and states of the requests since the last look. */
function asked(): Array<[path: string, status: number | undefined]> {
	return stage.service.requests.map(({ path, status }) => [path, status]);
}

async function saved(input: CredentialInput): Promise<CredentialInput & { id: string }> {
	return { ...input, id: await stage.rest.createCredential(input) };
}

async function workflowWith(credentialId: string): Promise<{ id: string; name: string }> {
	const node = actionNode('Users', { resource: 'user', operation: 'getAll' }, credentialId);
	return await stage.rest.createWorkflow(chain('Users', [manualTrigger(), node]));
}

async function runOf(workflow: { id: string }): Promise<Execution> {
	return await stage.rest.run(workflow.id, MANUAL);
}

describe('the credential test', () => {
	test.each(['accessToken', 'tokenEndpoint'] as const)('accepts a good one: %s', async (way) => {
		const credential = await saved(credentialFor(stage.service, way));
		expect(await stage.rest.testCredential(credential)).toMatchObject({ status: 'OK' });
		const { clientId } = stage.service;
		expect(asked()).toContainEqual([`/v1/clients/${clientId}/connectors`, 200]);
	});

	const wrong: Array<[name: string, value: string, told: RegExp]> = [
		['accessToken', 'not-a-token-that-is-known', /access token .*\(401\)/],
		['subscriptionApiKey', 'not-a-key-that-is-known', /Subscription Key \(401\)/],
		['clientId', '00000000-0000-4000-8000-000000000000', /Client ID/],
	];
	test.each(wrong)(
		'refuses a wrong %s, and tells what to do, but not the value',
		async (name, value, told) => {
			const credential = await saved(
				credentialFor(stage.service, 'accessToken', { [name]: value }),
			);
			const { status, message } = await stage.rest.testCredential(credential);
			expect(status).toBe('Error');
			expect(message).toMatch(told);
			if (name !== 'clientId') expect(message).not.toContain(value);
			expect(asked().some(([, answered]) => answered === 200)).toBe(false);
		},
	);

	test('refuses token request fields that the token endpoint refuses', async () => {
		const tokenRequestFields = JSON.stringify({ grant_type: 'api_key', key: 'not-the-key' });
		const credential = credentialFor(stage.service, 'tokenEndpoint', { tokenRequestFields });
		const { status, message } = await stage.rest.testCredential(await saved(credential));
		expect(status).toBe('Error');
		expect(message).not.toContain('not-the-key');
	});

	test('refuses an address without encryption, and sends nothing there', async () => {
		const baseUrl = 'http://service.example';
		const credential = credentialFor(stage.service, 'accessToken', { baseUrl });
		const { status, message } = await stage.rest.testCredential(await saved(credential));
		expect(status).toBe('Error');
		expect(message).toMatch(/https/);
	});
});

test('n8n shows neither token nor key of a saved credential', async () => {
	const { id, data } = await saved(credentialFor(stage.service, 'accessToken'));
	const shown = JSON.stringify(await stage.rest.credential(id));
	expect(shown).toContain(String(data.baseUrl));
	expect(shown).not.toContain(stage.service.accessToken);
	expect(shown).not.toContain(stage.service.subscriptionKey);
});

test('a token is fetched, kept for other processes, and fetched anew when it has expired', async () => {
	const { service } = stage;
	// In this form nobody has asked for a token before.
	const credential = credentialFor(service, 'tokenEndpoint', { requestFormat: 'json' });
	const { id } = await saved(credential);
	const workflow = await workflowWith(id);
	const users = `/v1/clients/${service.clientId}/users`;

	const first = await runOf(workflow);
	expect(recordsOf(first, 'Users')).toHaveLength(service.model.users.length);
	expect(asked()).toEqual([
		[TOKEN_REQUEST, 200],
		[users, 200],
	]);

	service.clearRequests();
	await runOf(workflow);
	expect(asked()).toEqual([[users, 200]]);

	service.clearRequests();
	const command = await stage.n8n.command('execute', `--id=${workflow.id}`);
	expect(command.code).toBe(0);
	expect(asked()).toEqual([[users, 200]]);

	service.expireTokens();
	service.clearRequests();
	const renewed = await runOf(workflow);
	expect(recordsOf(renewed, 'Users')).toHaveLength(service.model.users.length);
	expect(asked()).toEqual([
		[users, 401],
		[TOKEN_REQUEST, 200],
		[users, 200],
	]);

	service.clearRequests();
	await runOf(workflow);
	expect(asked()).toEqual([[users, 200]]);
});

test('a wrong key fails the run with a message that does not tell it', async () => {
	const subscriptionApiKey = 'not-a-key-that-is-known';
	const credential = credentialFor(stage.service, 'accessToken', { subscriptionApiKey });
	const { id } = await saved(credential);
	const execution = await runOf(await workflowWith(id));
	expect(execution.status).toBe('error');
	expect(execution.error?.message).toMatch(/key/i);
	expect(JSON.stringify(execution)).not.toContain(subscriptionApiKey);
	expect(stage.n8n.log).not.toContain(subscriptionApiKey);
});
