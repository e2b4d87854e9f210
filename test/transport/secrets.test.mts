/** A service that echoes what it should not: each response contains the request's own secrets. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import type { IDataObject } from 'n8n-workflow';

import { CredentialStore } from '../support/engine/credentials.mts';
import { searchList, testCredential } from '../support/engine/lookups.mts';
import { runNode, type NodeResult } from '../support/engine/run.mts';
import { secretsIn } from '../support/engine/secrets.mts';
import { CREDENTIAL } from '../support/credentials.mts';
import { useVirtualTime } from '../support/virtualTime.mts';

useVirtualTime();

const KEY = 'gw&5d0b=7a1e93c84f26+b7';
const TOKEN = 'pasted.token/with+signs="quoted"-a1b2c3d4e5f6';
const FIELD = 'api key+with/signs!9f8e7d6c5b4a';
const NESTED = 'deeper-secret-13579bdf2468';
/** Opaque, so that only its value identifies it as a token. */
const SESSION = 'fetched.token/with+signs=0f9e8d7c6b5a';

/** What the service responds, given the secrets that it was sent; and so the token endpoint. */
type Echo = (secrets: string[]) => { status: number; text: string };
const granted: Echo = () => {
	const token = { access_token: SESSION, clientId: 'a-client' };
	return { status: 200, text: JSON.stringify(token) };
};
let echo: Echo;
let tokenEcho: Echo;
beforeEach(() => (tokenEcho = granted));

function answerTo(request: IncomingMessage) {
	const { authorization = '', 'ocp-apim-subscription-key': key } = request.headers;
	const secrets = [authorization.replace('Bearer ', ''), String(key)];
	return request.url === '/v1/oauth/token'
		? tokenEcho([String(key), FIELD, NESTED])
		: echo(secrets);
}

const server = createServer((request, response) => {
	const { status, text } = answerTo(request);
	request.resume().once('end', () => {
		response.writeHead(status, { 'content-type': 'application/json' }).end(text);
	});
});
beforeAll(async () => {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
});

const pasted = (): IDataObject => ({
	baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
	clientId: 'a-client',
	subscriptionApiKey: KEY,
	authentication: 'accessToken',
	accessToken: TOKEN,
});
let credentialsMade = 0;
/** A new one each time, since a process remembers the tokens of a credential. */
const fetched = (): IDataObject => ({
	...pasted(),
	authentication: 'tokenEndpoint',
	tokenUrl: '/v1/oauth/token',
	tokenRequestFields: JSON.stringify({
		...{ grant_type: 'granted', key: FIELD, more: { in: NESTED }, nr: credentialsMade++ },
	}),
});
const credentials: Array<[string, () => IDataObject]> = [
	['a pasted token', pasted],
	['a token endpoint', fetched],
];

/** The ways in which a service may echo a secret. */
const forms: Array<(secret: string) => string> = [
	(secret) => secret,
	(secret) => new URLSearchParams({ x: secret }).toString(),
	(secret) => JSON.stringify(secret),
	(secret) => Buffer.from(secret).toString('base64'),
	(secret) => Buffer.from(secret).toString('base64url'),
];
const inAllForms = (secrets: string[]) =>
	secrets.flatMap((secret) => forms.map((encode) => encode(secret))).join(' nor ');

/** Fails if anything that the user, a workflow or a log can see reveals a secret. */
function expectNoSecret(shown: unknown): void {
	const all = inspect(shown, { depth: 20, maxStringLength: null, showHidden: true });
	const text = all.replace(/\\n|\s/g, '');
	expect(secretsIn(text, [KEY, TOKEN, FIELD, NESTED, SESSION])).toEqual([]);
}

const shownOf = ({ error, items, errorItems, run }: NodeResult) => {
	return { ...error, ...{ stack: error?.stack, items, errorItems, run: run.data.resultData } };
};

const company = { resource: 'company', operation: 'get', engagementId: 1 };
const users = { resource: 'user', operation: 'getAll' };
const refresh = { ...company, resource: 'dataRefresh', operation: 'run', connectorName: 'books' };
const inJson = (name: string) => (text: string) => JSON.stringify({ [name]: `Not ${text}` });

describe.each(credentials)('with %s', (_what, credential) => {
	it.each<[number, string, IDataObject, (text: string) => string]>([
		[401, 'message', users, inJson('message')],
		[400, 'detail', refresh, inJson('detail')],
		[200, 'text', company, (text) => text],
	])('echoed with status %i in its %s', async (status, _where, parameters, wrap) => {
		echo = (secrets) => ({ status, text: wrap(inAllForms(secrets)) });
		for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
			const store = new CredentialStore({ [CREDENTIAL]: credential() });
			const given = { parameters: parameters as never, credentials: store, onError };
			const result = await runNode(given);
			expect(result.error?.message ?? result.items[0]?.json.error).toContain('***');
			expectNoSecret(shownOf(result));
		}
	});

	it('echoed in a list for the editor', async () => {
		echo = (secrets) => ({ status: 400, text: inJson('message')(inAllForms(secrets)) });
		const store = new CredentialStore({ [CREDENTIAL]: credential() });
		const search = searchList({ credentials: store, method: 'searchConnectors' });
		const error = await search.then(String, (thrown: Error) => thrown);
		expect(error).toBeInstanceOf(Error);
		expectNoSecret([error, (error as Error).stack]);
	});
});

it('that was entered while the node runs', async () => {
	const store = new CredentialStore({ [CREDENTIAL]: pasted() });
	const edited = 'another-key-77aa88bb99cc';
	echo = ([, key = '']) => {
		store.save(CREDENTIAL, { ...pasted(), subscriptionApiKey: edited });
		if (key !== edited) return { status: 200, text: '{"registrationNumber":"1"}' };
		return { status: 400, text: inJson('message')(key) };
	};
	const one = { ...company, options: { parallelRequests: 1 } } as never;
	const result = await runNode({ parameters: one, credentials: store, items: [{}, {}] });
	expect(result.error?.message).toMatch(/\(400\).*“Not \*\*\*”/);
	expect(secretsIn(inspect(shownOf(result), { depth: 20 }), [edited])).toEqual([]);
});

it.each([400, 200])('echoed by the token endpoint with status %i', async (status) => {
	tokenEcho = (secrets) => ({ status, text: inJson('error')(inAllForms(secrets)) });
	const result = await runNode({ parameters: company, credentials: { [CREDENTIAL]: fetched() } });
	expect(result.error?.message).toContain('token endpoint');
	expectNoSecret(shownOf(result));
	const tested = await testCredential(CREDENTIAL, fetched());
	expect(tested.status).toBe('Error');
	expectNoSecret(tested);
});

it.each([
	['a token with an invalid character', { accessToken: `${TOKEN}\u0007` }],
	['a key with invisible characters', { subscriptionApiKey: ` ${KEY}\u200b\n` }],
])('does not show %s', async (_what, over) => {
	echo = (secrets) => ({ status: 400, text: inJson('message')(secrets.join(' ')) });
	const credential = { [CREDENTIAL]: { ...pasted(), ...over } };
	const result = await runNode({ parameters: company, credentials: credential });
	expect(result.error).toBeDefined();
	expectNoSecret(shownOf(result));
});
