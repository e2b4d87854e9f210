/** The nodes that are compared. */
import { createRequire } from 'node:module';
import path from 'node:path';
import type {
	IAuthenticate,
	ICredentialType,
	IDataObject,
	INodeParameters,
	IVersionedNodeType,
} from 'n8n-workflow';

import { makeCredential, type CredentialTarget } from '../support/world/credentials.mts';
import { CredentialStore } from '../support/engine/credentials.mts';
import { runNode, type NodeRun } from '../support/engine/nodeRun.mts';
import { loadTypes, loadPackageTypes } from '../support/engine/types.mts';

/** Does the work with these items, in the service at an address. Returns what came out. */
export type Contender = (
	service: CredentialTarget,
) => (items: IDataObject[]) => Promise<IDataObject[]>;

/** A node that is run in n8n's engine. */
const inEngine = (setup: NodeRun) => async (items: IDataObject[]) => {
	// With Continue, writes run in parallel.
	const ended = await runNode({ ...setup, items, onError: 'continueRegularOutput' });
	if (ended.error !== undefined) throw ended.error;
	return ended.items.map(({ json }) => json);
};

/** From the built package, as n8n loads it. */
const ownTypes = await loadPackageTypes('.');

/** This package's node. The service's times have no offset: they are in the credential's Time Zone. */
export function own(parameters: INodeParameters, timeZone = 'UTC'): Contender {
	return (service) => {
		const credential = makeCredential(service, { timeZone });
		return inEngine({ types: ownTypes, credential, parameters });
	};
}

/** A class of n8n's own nodes, from the n8n that `npm start` runs. */
function fromN8n<T>(file: string): new () => T {
	const load = createRequire(path.resolve('test/n8n/.installed/package.json'));
	const exported = load(`n8n-nodes-base/dist/${file}.js`) as Record<string, new () => T>;
	const [only] = Object.values(exported);
	if (only === undefined) throw new Error(`n8n-nodes-base has no class in ${file}`);
	return only;
}

/** n8n's HTTP Request node, as a user would set it up. The URL is without the host. */
export function httpRequest(parameters: INodeParameters): Contender {
	const node = 'n8n-nodes-base.httpRequest';
	return ({ url, clientId, accessToken, subscriptionKey }) => {
		const header = { name: 'Authorization', value: `Bearer ${accessToken}` };
		// n8n's own says the same as data, which the engine here does not read.
		class HeaderAuth extends fromN8n<ICredentialType>('credentials/HttpHeaderAuth.credentials') {
			authenticate: IAuthenticate = async ({ name, value }, { headers, ...options }) =>
				await Promise.resolve({ ...options, headers: { ...headers, [String(name)]: value } });
		}
		const types = loadTypes({
			nodes: { [node]: fromN8n<IVersionedNodeType>('nodes/HttpRequest/HttpRequest.node') },
			credentials: { httpHeaderAuth: HeaderAuth },
		});
		// The editor offers generic credentials through a parameter; the engine here uses the list.
		const { description } = types.getByNameAndVersion(node);
		description.credentials = [...(description.credentials ?? []), { name: 'httpHeaderAuth' }];
		const key = { name: 'Ocp-Apim-Subscription-Key', value: subscriptionKey };
		return inEngine({
			node,
			types,
			credential: new CredentialStore(header, 'httpHeaderAuth'),
			parameters: {
				...parameters,
				url: `=${url}${String(parameters.url).replace('CLIENT', clientId)}`,
				authentication: 'genericCredentialType',
				genericAuthType: 'httpHeaderAuth',
				sendHeaders: true,
				headerParameters: { parameters: [key] },
			},
		});
	};
}
