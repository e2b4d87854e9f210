/** A saved credential is edited: neither the old token nor the old client ID is used again, anywhere. */
import type { ICredentialDataDecryptedObject as Entered } from 'n8n-workflow';

import { CLIENT_ID } from '../../nodes/EngagementUploads/transport/address.ts';
import { makeEndpointCredential } from '../support/world/credentials.mts';
import { CredentialStore } from '../support/engine/credentials.mts';
import { testCredential } from '../support/engine/lookups.mts';
import { runNode } from '../support/engine/nodeRun.mts';
import { useService } from '../support/engine/runs.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import { sendFromHttpRequest } from './httpRequestNode.mts';

useVirtualTime();

let service: SimulatedService;
let other: SimulatedService;

useService(beforeEach, async () => (service = await startService()));
useService(beforeEach, async () => (other = await startService()));

const getConnectors = { resource: 'connector', operation: 'getAll' };

/** Where a credential is used. */
const uses: Record<string, (store: CredentialStore) => Promise<unknown>> = {
	'a node': async (store) => await runNode({ parameters: getConnectors, credential: store }),
	'HTTP Request': async (store) => {
		const { baseUrl } = store.stored();
		return await sendFromHttpRequest(store, `${baseUrl}/v1/clients/${CLIENT_ID}/connectors`);
	},
	'the credential test': async (store) => await testCredential(store),
};

/** A credential for which n8n has stored a token, and that token. */
async function used(): Promise<{ store: CredentialStore; old: string }> {
	const store = new CredentialStore(makeEndpointCredential(service));
	await runNode({ parameters: getConnectors, credential: store });
	const old = tokensSent().at(-1);
	if (old === undefined) throw new Error('No token was sent');
	service.clearRequests();
	return { store, old };
}

/** Saves an edited credential, as the editor does: n8n keeps what it has stored of the token. */
function edit(store: CredentialStore, edits: Entered): void {
	store.save({ ...store.stored(), ...edits });
	service.clearRequests();
}

const requests = () => [...service.requests, ...other.requests];
const paths = () => requests().map(({ path }) => path);
/** The tokens that requests carried; a token request has none. */
const tokensSent = () =>
	requests().map(({ headers }) => headers.authorization?.replace('Bearer ', ''));

/** test/transport/credential.test.mts has every edit. */
it.each(Object.entries(uses))(
	'in %s, the old token and client ID are not used after an edit, nor reach the other host',
	async (_use, use) => {
		const { store, old } = await used();
		const body = { access_token: other.issueToken() };
		other.fail({ path: other.tokenPath }, { kind: 'status', status: 200, body }, { times: 2 });
		edit(store, { baseUrl: other.url });
		await use(store);
		await use(store);
		expect(paths()[0]).toContain('token');
		expect(tokensSent()).not.toContain(old);
		expect(paths().filter((path) => path.includes(service.clientId))).toEqual([]);
	},
);
