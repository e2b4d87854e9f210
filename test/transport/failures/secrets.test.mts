import { inspect } from 'node:util';
import type { IDataObject } from 'n8n-workflow';

import { CredentialStore } from '../../support/engine/credentials.mts';
import { searchList, testCredential } from '../../support/engine/lookups.mts';
import { runNode, type NodeResult } from '../../support/engine/run.mts';
import { CREDENTIAL } from '../../support/credentials.mts';
import { EchoService, type Heard } from './echo.mts';

const service = new EchoService();

beforeAll(async () => await service.start());

beforeEach(() => {
	service.tokenEcho = undefined;
});

afterAll(async () => await service.close());

const KEY = 'gw&5d0b=7a1e93c84f26+b7';
const TOKEN = 'pasted.token/with+signs="quoted"-a1b2c3d4e5f6';
const FIELD = 'api key+with/signs!9f8e7d6c5b4a';
const NESTED = 'deeper-secret-13579bdf2468';

const pasted = (): IDataObject => ({
	baseUrl: service.url,
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
		grant_type: 'granted',
		key: FIELD,
		more: { in: NESTED },
		nr: credentialsMade++,
	}),
});

const NAMES: Record<string, string> = { '&': '&amp;', '"': '&quot;', '+': '&#x2B;' };
const escaped = (secret: string) => secret.replace(/[&"+]/g, (letter) => NAMES[letter] ?? letter);

/** Ways in which a service may echo a secret. */
const forms: Record<string, (secret: string) => string> = {
	'as it is': (secret) => secret,
	'URL-encoded': (secret) => encodeURIComponent(secret),
	'form-encoded': (secret) => new URLSearchParams({ x: secret }).toString(),
	'as JSON': (secret) => JSON.stringify(secret),
	'in Base64': (secret) => Buffer.from(secret).toString('base64'),
	'with other white space': (secret) => secret.replace(/(.{7})/g, '$1\n'),
	'its first half': (secret) => secret.slice(0, Math.ceil(secret.length / 2)),
	'its end': (secret) => secret.slice(-12),
	'in upper case': (secret) => secret.toUpperCase(),
	'escaped for a web page': (secret) => escaped(secret),
	'in a web page': (secret) => `<html><body><p>${escaped(secret)}</p></body></html>`,
	'between tags': (secret) => `<html><body><p>${secret}</p></body></html>`,
};

const all = ({ authorization, key, body }: Heard) => [
	authorization.replace('Bearer ', ''),
	key,
	body,
];

const PART = 10;

/** All substrings that are long enough to reveal something. */
function partsOf(text: string): string[] {
	const lowered = text.toLowerCase().replace(/\s/g, '');
	const count = Math.max(0, lowered.length - PART + 1);
	return Array.from({ length: count }, (_, at) => lowered.slice(at, at + PART));
}

/** Fails if any revealing part of a secret appears, in any form. */
function expectNoSecret(shown: unknown, secrets: string[]): void {
	const encoders = Object.entries(forms).filter(([, encode]) => !encode('').includes('<'));
	const encoded = secrets.flatMap((secret) => encoders.map(([, encode]) => encode(secret)));
	const revealing = new Set(encoded.flatMap(partsOf));
	const text = inspect(shown, { depth: 20, maxStringLength: null, showHidden: true }).replace(
		/\\n|\s/g,
		'',
	);
	expect(partsOf(text).filter((part) => revealing.has(part))).toEqual([]);
}

/** What the user, a workflow and a log can see of a run. */
const shownOf = ({ error, items, errorItems, run }: NodeResult) => ({
	message: error?.message,
	stack: error?.stack,
	error,
	items,
	errorItems,
	run: run.data.resultData,
});

const company = { resource: 'company', operation: 'get', engagementId: 1 };
const users = { resource: 'user', operation: 'getAll' };
const refresh = {
	resource: 'dataRefresh',
	operation: 'run',
	engagementId: 1,
	connectorName: 'cloudbooks',
};
const answers: Array<[number, string, IDataObject]> = [
	[400, 'message', company],
	[401, 'message', users],
	[403, 'error_description', refresh],
	[404, 'detail', company],
	[200, 'error', refresh],
];
const credentials: Array<[string, () => IDataObject, string[]]> = [
	['a pasted token', pasted, [KEY, TOKEN]],
	['a token endpoint', fetched, [KEY, service.sessionToken, FIELD, NESTED]],
];

describe.each(credentials)('with %s', (_what, credential, secrets) => {
	describe.each(Object.entries(forms))('echoed %s', (_form, encode) => {
		it.each(answers)('with status %i in %s', async (status, name, asked) => {
			service.echo = {
				status,
				text: (heard) => JSON.stringify({ [name]: `Not ${all(heard).map(encode).join(' nor ')}` }),
			};
			for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
				const store = new CredentialStore({ [CREDENTIAL]: credential() });
				const given = { parameters: asked as never, credentials: store, onError };
				const result = await runNode(given);
				expect(result.error ?? result.items[0]?.json.error).toBeDefined();
				expectNoSecret(shownOf(result), secrets);
			}
		});

		it('as text that is not JSON, with status 200', async () => {
			service.echo = { status: 200, text: (heard) => all(heard).map(encode).join('\n') };
			const store = new CredentialStore({ [CREDENTIAL]: credential() });
			const result = await runNode({
				parameters: users,
				credentials: store,
			});
			expect(result.error?.message).toContain('could not be read');
			expectNoSecret(shownOf(result), secrets);
		});
	});

	it('in a list for the editor', async () => {
		service.echo = {
			status: 400,
			text: (heard) => JSON.stringify({ message: all(heard).join(' ') }),
		};
		const store = new CredentialStore({ [CREDENTIAL]: credential() });
		const error: unknown = await searchList({
			credentials: store,
			method: 'searchConnectors',
		}).catch((thrown: unknown) => thrown);
		expect(error).toBeInstanceOf(Error);
		expectNoSecret([error, (error as Error).stack], secrets);
	});
});

describe('echoed by the token endpoint', () => {
	it.each(Object.entries(forms))('%s', async (_form, encode) => {
		for (const status of [400, 401, 200]) {
			const text = ({ key }: Heard) =>
				JSON.stringify({ error: [key, FIELD, NESTED].map(encode).join(' ') });
			service.tokenEcho = { status, text };
			const given = { [CREDENTIAL]: fetched() };
			const result = await runNode({
				parameters: company,
				credentials: given,
			});
			expect(result.error?.message).toContain('token endpoint');
			expectNoSecret(shownOf(result), [KEY, FIELD, NESTED]);
			const tested = await testCredential(CREDENTIAL, fetched());
			expect(tested.status).toBe('Error');
			expectNoSecret(tested, [KEY, FIELD, NESTED]);
		}
	});
});

it('does not show a token or key with invalid characters', async () => {
	service.echo = {
		status: 400,
		text: (heard) => JSON.stringify({ message: all(heard).join(' ') }),
	};
	for (const over of [{ accessToken: `${TOKEN}\u0007` }, { subscriptionApiKey: `${KEY}\u2028x` }]) {
		const result = await runNode({
			parameters: company,
			credentials: { [CREDENTIAL]: { ...pasted(), ...over } },
		});
		expect(result.error).toBeDefined();
		expectNoSecret(shownOf(result), [KEY, TOKEN]);
	}
});

it('does not show a subscription key that was entered with surrounding spaces', async () => {
	service.echo = {
		status: 400,
		text: ({ key }) => JSON.stringify({ message: `bad key ${key} given` }),
	};
	const credentials = { [CREDENTIAL]: { ...pasted(), subscriptionApiKey: '  abc123\n' } };
	const result = await runNode({ parameters: company, credentials });
	expect(result.error?.message).toContain('“bad key *** given”');
});
