import { credentialValues } from '../support/service/credentialValues.mts';
import { BETWEEN_UPLOADS } from '../support/service/keepUploading.mts';
import { filesFolder } from './examples.mts';
import type { WorkflowInput } from './rest.mts';
import { OWNER, type Stage } from './stage.mts';

/** What `npm start` prints: where to log in, what is there, and how to try it. */
export function introduction(stage: Stage, examples: Map<string, WorkflowInput>): string {
	const { n8n, service } = stage;
	const [first, ...others] = [...examples.values()].map(({ name }) => name);
	const nameOf = (file: string) => examples.get(file)?.name ?? file;
	return [
		'',
		`  Editor     ${n8n.url}`,
		`  Log-in     ${OWNER.email}`,
		`  Password   ${OWNER.password}`,
		`  Workflows  ${first}`,
		...others.map((name) => `             ${name}`),
		`  Files      ${filesFolder(n8n)} (written by “${nameOf('spreadsheet-sync.json')}”)`,
		`  n8n's log  ${n8n.folder}/start.log`,
		'',
		'The credential for the simulated service is there. For one of your own:',
		...credentialValues(service),
		`Every ${BETWEEN_UPLOADS / 1000} seconds an upload is started there, which completes by itself.`,
		'The links that Upload > Start gives lead nowhere.',
		'',
		'Open the editor, log in, open a workflow and click “Execute workflow”.',
		`“${nameOf('upload-webhook.json')}” then listens. Meanwhile, call it:`,
		`  ${webhookCall(stage)}`,
		'Ctrl+C stops n8n and the service; what was changed in n8n is then gone.',
	].join('\n');
}

function webhookCall({ n8n, service }: Stage): string {
	const upload = service.model.uploads.all.find(({ completedAt }) => completedAt !== null);
	const body = JSON.stringify({ uploadId: upload?.uploadId });
	const url = `${n8n.url}/webhook-test/upload-status`;
	return `curl -X POST -H 'content-type: application/json' -d '${body}' ${url}`;
}
