/** Every edit that a user can make to a saved credential, and what each request then carries. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ICredentialDataDecryptedObject as Entered } from 'n8n-workflow';

import { CLIENT_ID } from '../../nodes/EngagementUploads/transport/address.ts';
import { CREDENTIAL } from '../support/credentials.mts';
import { CredentialStore } from '../support/engine/credentials.mts';
import { testCredential } from '../support/engine/lookups.mts';
import { runNode } from '../support/engine/run.mts';
import { sendFromHttpRequest } from './httpRequestNode.mts';

/** A request, as a host has seen it. */
interface Seen {
	host: Host;
	path: string;
	token?: string;
	key?: string;
}

/** What all hosts have seen, in order. */
let seen: Seen[] = [];

/** A host with several accounts: the token of a key tells its account, and the account's client ID. */
class Host {
	url = '';
	/** Whether the token endpoint names the client. */
	namesClient = true;
	private readonly clients = new Map<string, string>();
	private readonly server = createServer((request, response) => {
		void text(request).then((body) => {
			const { url: path = '', headers } = request;
			const [token, key] = [headers.authorization, headers['ocp-apim-subscription-key']];
			seen.push({ host: this, path, token: token?.slice('Bearer '.length), key: String(key) });
			const [status, answer] = path.includes('token')
				? [200, this.grant(`${body} ${path}`, /account-\w+/.exec(body)?.[0] ?? '')]
				: this.answer(path, token);
			response.writeHead(status, { 'content-type': 'application/json' });
			response.end(JSON.stringify(answer));
		});
	});

	async start(): Promise<this> {
		await once(this.server.listen(0, '127.0.0.1'), 'listening');
		this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
		return this;
	}

	/** Accepts a token that nobody fetched, for a client. */
	accept(token: string, client: string): void {
		this.clients.set(token, client);
	}

	async stop(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private grant(request: string, account: string): object {
		const token = `token-${this.clients.size}-${Buffer.from(request).toString('hex').slice(0, 20)}`;
		const clientId = `client-of-${account}`;
		this.accept(token, clientId);
		return { access_token: token, ...(this.namesClient && { clientId }) };
	}

	private answer(path: string, authorization = ''): [status: number, answer: unknown] {
		const client = this.clients.get(authorization.replace('Bearer ', ''));
		if (client === undefined) return [401, { message: 'Unknown token' }];
		if (!path.includes(`/clients/${client}/`)) return [403, { message: 'Another client' }];
		return [200, path.endsWith('connectors') ? [] : { Id: 1, name: 'Nordlicht' }];
	}
}

let host: Host;
let other: Host;

beforeEach(async () => {
	[host, other] = await Promise.all([new Host().start(), new Host().start()]);
	host.accept('pasted-token', 'client-of-account-one');
	host.accept('other-pasted-token', 'client-of-account-one');
});

afterEach(async () => {
	seen = [];
	await Promise.all([host.stop(), other.stop()]);
});

const first = (): Entered => ({
	baseUrl: host.url,
	clientId: '',
	subscriptionApiKey: 'key-of-account-one',
	authentication: 'tokenEndpoint',
	tokenUrl: '/v1/oauth/token',
	requestFormat: 'form',
	tokenRequestFields: '{"grant_type":"vapi_key","key":"account-one"}',
	timeZone: 'UTC',
	accessToken: '',
});

const create = { resource: 'engagement', operation: 'create', name: 'Nordlicht' };
const createIn = async (store: CredentialStore) =>
	await runNode({ parameters: create, credentials: store });
const path = `/v1/clients/${CLIENT_ID}/engagements`;

/** Where a credential is used. */
const uses: Record<string, (store: CredentialStore) => Promise<unknown>> = {
	'a node': createIn,
	'HTTP Request': async (store) => {
		const { baseUrl } = store.stored(CREDENTIAL);
		return await sendFromHttpRequest(store, `${String(baseUrl)}${path}`, 'POST');
	},
	'the credential test': async (store) => await testCredential(CREDENTIAL, store),
};

/** A credential for which n8n has stored a token, and that token. */
async function used(data = first()): Promise<{ store: CredentialStore; old: string }> {
	const store = new CredentialStore({ [CREDENTIAL]: data });
	expect((await createIn(store)).error).toBeUndefined();
	const old = seen.at(-1)?.token ?? '';
	seen = [];
	return { store, old };
}

/** Saves an edited credential, as the editor does: n8n keeps what it has stored of the token. */
function edit(store: CredentialStore, edits: Entered): void {
	store.save(CREDENTIAL, { ...store.stored(CREDENTIAL), ...edits });
}

/** Every edit after which the token must be another. */
const edits: Array<[what: string, edit: () => Entered, client?: string]> = [
	['Base URL', () => ({ baseUrl: other.url })],
	['Base URL, to a path on the same host', () => ({ baseUrl: `${host.url}/eu` })],
	['Subscription Key', () => ({ subscriptionApiKey: 'another-key' })],
	['Token URL', () => ({ tokenUrl: '/v2/token' })],
	['Request Format', () => ({ requestFormat: 'json' })],
	[
		'Token Request Fields',
		() => ({ tokenRequestFields: '{"grant_type":"vapi_key","key":"account-two"}' }),
		'client-of-account-two',
	],
	[
		'Token Request Fields, to none',
		() => ({ tokenRequestFields: '', subscriptionApiKey: 'account-two' }),
		'client-of-account-two',
	],
	[
		'all of it',
		() => ({ baseUrl: other.url, subscriptionApiKey: 'account-two', tokenRequestFields: '' }),
		'client-of-account-two',
	],
];

describe.each(Object.entries(uses))('in %s', (_use, use) => {
	it.each(edits)('an edited %s gets a token and a client ID of its own', async (...given) => {
		const [, edited, client = 'client-of-account-one'] = given;
		const { store, old } = await used();
		edit(store, edited());
		await use(store);
		const { baseUrl, subscriptionApiKey } = store.stored(CREDENTIAL);
		expect(seen.map((request) => request.path)).toEqual([
			expect.stringContaining('token'),
			expect.stringContaining(`/v1/clients/${client}/`),
		]);
		for (const request of seen) {
			expect(request.host.url).toBe(new URL(String(baseUrl)).origin);
			expect(request.key).toBe(subscriptionApiKey);
			expect(request.token).not.toBe(old);
		}
	});

	it('the old client ID is not used if the new answer names none', async () => {
		const { store } = await used();
		host.namesClient = false;
		edit(store, { tokenUrl: '/v2/token' });
		await use(store);
		await use(store);
		expect(seen.map((request) => request.path)).not.toContainEqual(
			expect.stringContaining('client-of-account-one'),
		);
	});

	it('a client ID that is entered counts with the token as it is, and is sent', async () => {
		const { store } = await used();
		edit(store, { clientId: 'entered', timeZone: 'Europe/London' });
		seen = [];
		await use(store);
		const paths = seen.map((request) => request.path);
		expect(paths.at(-1)).toContain('/clients/entered/');
	});

	it('Authentication changes to a pasted token, to another one, and back', async () => {
		const { store, old } = await used();
		const pasted = { authentication: 'accessToken', clientId: 'client-of-account-one' };
		for (const accessToken of ['pasted-token', 'other-pasted-token']) {
			seen = [];
			edit(store, { ...pasted, accessToken });
			await use(store);
			expect(seen.map(({ token }) => token)).toEqual([accessToken]);
		}
		seen = [];
		edit(store, { ...first(), tokenRequestFields: '{"key":"account-two"}' });
		await use(store);
		expect(seen.map(({ token }) => token)).toEqual([undefined, expect.stringMatching(/^token-/)]);
		expect(seen.at(-1)?.path).toContain('/clients/client-of-account-two/');
		expect(seen.at(-1)?.token).not.toBe(old);
	});
});

it.each(['a node', 'HTTP Request'])('a token that was not edited away is kept: %s', async (use) => {
	const { store, old } = await used();
	edit(store, { timeZone: 'Europe/London' });
	await uses[use]?.(store);
	expect(seen.map(({ token }) => token)).toEqual([old]);
});
