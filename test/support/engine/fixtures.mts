import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	ICredentialType,
	IDataObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	INodeCredentialTestResult,
	INodeListSearchResult,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

/**
 * A minimal service, credential and node for testing the harness itself, so that its tests do not
 * depend on the nodes that it exists to test.
 */

/** Answers `GET /things/{id}` if the token is current, and issues tokens. */
export class ThingService {
	token = 'first';
	tokensGiven = 0;
	refuseTokens = false;
	private readonly server: Server = createServer((request, response) => {
		const [status, body] = this.answer(request.url ?? '', request.headers.authorization);
		response.writeHead(status, { 'content-type': 'application/json' });
		response.end(JSON.stringify(body));
	});

	private answer(url: string, authorization: string | undefined): [number, object] {
		if (url === '/token') {
			if (this.refuseTokens) return [403, { message: 'no token for you' }];
			this.tokensGiven += 1;
			return [200, { token: this.token }];
		}
		if (authorization !== `Bearer ${this.token}`) return [401, { message: 'who are you?' }];
		if (url === '/things/missing') return [404, { message: 'no such thing' }];
		return [200, { url, id: `${url.slice('/things/'.length)}x` }];
	}

	/** Restores the initial state. */
	reset(): void {
		this.token = 'first';
		this.tokensGiven = 0;
		this.refuseTokens = false;
	}

	/** @returns the base URL */
	async start(): Promise<string> {
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	async stop(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}
}

/** A token is fetched if there is none, and again after a 401. */
export class ThingApi implements ICredentialType {
	name = 'thingApi';
	displayName = 'Thing API';
	properties: ICredentialType['properties'] = [
		{ displayName: 'Base URL', name: 'baseUrl', type: 'string', default: '' },
		{ displayName: 'Mode', name: 'mode', type: 'string', default: 'fetched' },
		{
			displayName: 'Pasted',
			name: 'pasted',
			type: 'string',
			default: '',
			displayOptions: { show: { mode: ['pasted'] } },
		},
		{
			displayName: 'Token',
			name: 'sessionToken',
			type: 'hidden',
			typeOptions: { expirable: true },
			default: '',
		},
	];
	preAuthentication: ICredentialType['preAuthentication'] = async function ({ baseUrl }) {
		const answer = (await this.helpers.httpRequest({ url: `${String(baseUrl)}/token` })) as {
			token: string;
		};
		return { sessionToken: answer.token };
	};
	authenticate: ICredentialType['authenticate'] = {
		type: 'generic',
		properties: { headers: { authorization: '=Bearer {{$credentials.sessionToken}}' } },
	};
}

/** The minimum that n8n needs to know about a node. */
export function describeNode(name: string, properties: INodeTypeDescription['properties']) {
	return {
		name,
		displayName: name,
		group: [],
		version: 1,
		description: '',
		defaults: { name },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'thingApi', required: true, testedBy: 'testThing' }],
		properties,
	} satisfies INodeTypeDescription;
}

/** Gets one thing per item. */
export class Thing implements INodeType {
	description = describeNode('thing', [
		{ displayName: 'ID', name: 'id', type: 'string', default: '1', required: true },
	]);

	async execute(this: IExecuteFunctions) {
		const items = this.getInputData().map(async (_item, index) => {
			const { baseUrl } = await this.getCredentials<{ baseUrl: string }>('thingApi');
			const url = `${baseUrl}/things/${String(this.getNodeParameter('id', index))}`;
			try {
				const json = (await this.helpers.httpRequestWithAuthentication.call(this, 'thingApi', {
					url,
				})) as IDataObject;
				return { json, pairedItem: { item: index } };
			} catch (error) {
				if (!(error instanceof Error) || !this.continueOnFail()) throw error;
				return { json: { error: error.message }, pairedItem: { item: index } };
			}
		});
		return [await Promise.all(items)];
	}

	methods = {
		credentialTest: {
			async testThing(
				this: ICredentialTestFunctions,
				{ data }: ICredentialsDecrypted,
			): Promise<INodeCredentialTestResult> {
				const uri = `${String(data?.baseUrl)}/token`;
				const [sent] = await Promise.allSettled([this.helpers.request({ uri })]);
				return { status: sent.status === 'fulfilled' ? 'OK' : 'Error', message: 'Tested' };
			},
		},
		listSearch: {
			async things(
				this: ILoadOptionsFunctions,
				filter?: string,
				paginationToken?: string,
			): Promise<INodeListSearchResult> {
				const { baseUrl } = await this.getCredentials<{ baseUrl: string }>('thingApi');
				const url = `${baseUrl}/things/${filter ?? 'all'}`;
				const name = (await this.helpers.httpRequestWithAuthentication.call(this, 'thingApi', {
					url,
				})) as { url: string };
				const value = String(this.getCurrentNodeParameter('id'));
				return { results: [{ name: name.url, value }], paginationToken: `${paginationToken}+` };
			},
		},
	};
}
