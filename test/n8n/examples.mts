import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Chat } from './chat.mts';
import type { Stage } from './stage.mts';
import type { WorkflowInput } from './rest.mts';
import { isOwnNode, withCredential } from './workflows.mts';

const FOLDER = path.resolve('examples');

/** The workflows of examples/, by file name, made to run here: own credential, files and chat. */
export function readExamples(
	stage: Stage,
	credentialId: string,
	chat: Chat,
): Map<string, WorkflowInput> {
	const files = path.join(stage.n8n.folder, '.n8n-files');
	mkdirSync(files, { recursive: true });
	const names = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
	return new Map(
		names.sort().map((name) => {
			const text = readFileSync(path.join(FOLDER, name), 'utf8')
				.replaceAll('/home/node/.n8n-files', files)
				.replaceAll('https://chat.example.com', chat.url);
			const workflow: WorkflowInput = JSON.parse(text);
			const nodes = workflow.nodes.map((node) =>
				isOwnNode(node) ? withCredential(node, credentialId) : node,
			);
			return [name, { ...workflow, nodes }];
		}),
	);
}
