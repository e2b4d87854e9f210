import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { INode } from 'n8n-workflow';
import type { N8n } from './n8n.mts';
import type { Receivers } from './receivers.mts';
import type { CredentialInput, Rest, WorkflowInput } from './rest.mts';
import { credentialFor, type SandboxParts } from './sandbox.mts';
import { isOwnNode, withCredential } from './workflows.mts';

const FOLDER = path.resolve('examples');

/** The user name and password for pages that examples answer with. */
export const PAGE_LOGIN = { user: 'viewer', password: 'Engagement-1' };
/** The token for the MCP server of an example. */
export const MCP_TOKEN = 'a-token-for-this-computer';

/** The only folder to which n8n lets workflows write files. */
export function filesFolder(n8n: N8n): string {
	return path.join(n8n.folder, '.n8n-files');
}

/**
 * The workflows of examples/ by file name, with the credentials, files, chat and mail server to use
 * here; only a language model is missing.
 */
export async function readExamples(
	{ n8n, rest, service }: SandboxParts,
	{ chatUrl, mailPort }: Receivers,
): Promise<Map<string, WorkflowInput>> {
	const files = filesFolder(n8n);
	mkdirSync(files, { recursive: true });
	const credential = await rest.createCredential(credentialFor(service, 'tokenEndpoint'));
	const others = await otherCredentials(rest, mailPort);
	const withCredentials = (node: INode): INode => {
		if (isOwnNode(node)) return withCredential(node, credential);
		const type = credentialTypeOf(node);
		if (type === undefined) return node;
		return { ...node, credentials: { [type]: { id: others.get(type) ?? null, name: type } } };
	};
	const names = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
	return new Map(
		names.sort().map((name) => {
			const text = readFileSync(path.join(FOLDER, name), 'utf8')
				.replaceAll('/home/node/.n8n-files', files)
				.replaceAll('https://chat.example.com', chatUrl)
				.replaceAll('http://localhost:5678', n8n.url);
			const workflow: WorkflowInput = JSON.parse(text);
			return [name, { ...workflow, nodes: workflow.nodes.map(withCredentials) }];
		}),
	);
}

/** Creates the credentials of n8n's own nodes. @returns their IDs, by type */
async function otherCredentials(rest: Rest, mailPort: number): Promise<Map<string, string>> {
	const { user, password } = PAGE_LOGIN;
	const inputs: CredentialInput[] = [
		{
			name: 'Mail',
			type: 'smtp',
			data: { host: '127.0.0.1', port: mailPort, secure: false, disableStartTls: true },
		},
		// The name tells those who try the example out what to enter in the browser.
		{ name: `Page (${user}, ${password})`, type: 'httpBasicAuth', data: PAGE_LOGIN },
		{ name: `MCP (${MCP_TOKEN})`, type: 'httpBearerAuth', data: { token: MCP_TOKEN } },
	];
	const ids = inputs.map(
		async (input): Promise<[string, string]> => [input.type, await rest.createCredential(input)],
	);
	return new Map(await Promise.all(ids));
}

/** The type of credential that one of n8n's own nodes needs, if it needs one. */
function credentialTypeOf({ type, parameters }: INode): string | undefined {
	if (type === 'n8n-nodes-base.emailSend') return 'smtp';
	if (parameters.authentication === 'basicAuth') return 'httpBasicAuth';
	return parameters.authentication === 'bearerAuth' ? 'httpBearerAuth' : undefined;
}
