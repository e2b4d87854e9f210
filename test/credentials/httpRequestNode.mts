/** n8n's own HTTP Request node, as far as the credential can tell. */
import type { IExecuteFunctions, INodeType, IRequestOptions } from 'n8n-workflow';

import { EngagementUploadsApi } from '../../credentials/EngagementUploadsApi.credentials.ts';
import { CREDENTIAL } from '../support/world/credentials.mts';
import type { CredentialStore } from '../support/engine/credentials.mts';
import { runNode, type NodeResult } from '../support/engine/nodeRun.mts';
import { describeNode, loadTypes } from '../support/engine/types.mts';

/** Sends requests as HTTP Request 4.2 does by default, following redirects. */
class HttpRequest implements INodeType {
	description = {
		...describeNode('httpRequest', [
			{ displayName: 'URL', name: 'url', type: 'string', default: '' },
			{ displayName: 'Method', name: 'method', type: 'string', default: 'GET' },
		]),
		credentials: [{ name: CREDENTIAL, required: true }],
	};

	async execute(this: IExecuteFunctions) {
		const options: IRequestOptions = {
			method: this.getNodeParameter('method', 0) as 'GET',
			uri: this.getNodeParameter('url', 0) as string,
			followRedirect: true,
			followAllRedirects: true,
			maxRedirects: 21,
			sendCredentialsOnCrossOriginRedirect: true,
			resolveWithFullResponse: true,
			json: false,
			useStream: true,
		};
		const { requestWithAuthentication: send } = this.helpers;
		const answer: { statusCode: number } = await send.call(this, CREDENTIAL, options);
		return [[{ json: { status: answer.statusCode } }]];
	}
}

const types = loadTypes({
	nodes: { httpRequest: HttpRequest },
	credentials: { [CREDENTIAL]: EngagementUploadsApi },
});

/** Sends a request from the HTTP Request node. */
export async function sendFromHttpRequest(
	credential: CredentialStore,
	url: string,
	method = 'GET',
): Promise<NodeResult> {
	return await runNode({ types, node: 'httpRequest', credential, parameters: { url, method } });
}
