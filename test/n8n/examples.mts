import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { INode } from 'n8n-workflow';
import type { N8n } from './n8n.mts';
import type { Receivers } from './receivers.mts';
import type { CredentialInput, WorkflowInput } from './rest.mts';
import { credentialFor, type SandboxParts } from './sandbox.mts';
import { isOwnNode, withCredential } from './workflows.mts';

const FOLDER = path.resolve('examples');
const SEND_EMAIL = 'n8n-nodes-base.emailSend';

/** The only folder to which n8n lets workflows write files. */
export function filesFolder(n8n: N8n): string {
	return path.join(n8n.folder, '.n8n-files');
}

/** The workflows of examples/ by file name, with the credentials, files, chat and mail server to use here. */
export async function readExamples(
	{ n8n, rest, service }: SandboxParts,
	{ chatUrl, mailPort }: Receivers,
): Promise<Map<string, WorkflowInput>> {
	const files = filesFolder(n8n);
	mkdirSync(files, { recursive: true });
	const credential = await rest.createCredential(credentialFor(service, 'tokenEndpoint'));
	const mail = await rest.createCredential(mailCredential(mailPort));
	const withCredentials = (node: INode): INode => {
		if (isOwnNode(node)) return withCredential(node, credential);
		if (node.type !== SEND_EMAIL) return node;
		return { ...node, credentials: { smtp: { id: mail, name: 'Mail' } } };
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

function mailCredential(port: number): CredentialInput {
	const data = { host: '127.0.0.1', port, secure: false, disableStartTls: true };
	return { name: 'Mail', type: 'smtp', data };
}
