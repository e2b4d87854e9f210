import { readFileSync } from 'node:fs';
import { credentialValues } from '../../support/world/credentials.mts';
import { WHAT_TO_EXPECT } from '../../support/service/keepUploading.mts';
import { notableCustomers } from '../../support/service/sampleStatuses.mts';
import { PAGE_LOGIN } from '../workflows/examples.mts';
import type { Playground } from './playground.mts';
import { OWNER } from '../process/sandbox.mts';

/** What `npm start` prints: where to log in, what is included, and how to try it. */
export function introduction(playground: Playground): string {
	const { n8n, service } = playground;
	return [
		'',
		`  Editor     ${n8n.url}`,
		`  Email      ${OWNER.email}`,
		`  Password   ${OWNER.password}`,
		`  n8n's log  ${n8n.logFile}`,
		'',
		'n8n has a credential for the simulated service. To create one yourself:',
		...credentialValues(service),
		'',
		WHAT_TO_EXPECT,
		...notableCustomers(service.model),
		'Upload > Start returns the link for the customer: its upload waits until you open it.',
		'',
		'Open the editor, log in, open an example and click “Execute workflow”.',
		`“${nameOf('upload-webhook')}” then waits for a call. Send it one:`,
		`  ${webhookCall(playground)}`,
		'',
		'Publish these to see them work by themselves:',
		`  “${nameOf('status-page')}”: open ${n8n.url}/webhook/data-status`,
		`    (user name ${PAGE_LOGIN.user}, password ${PAGE_LOGIN.password})`,
		`  “${nameOf('onboarding-form')}”: open ${n8n.url}/form/onboarding`,
		`  “${nameOf('uploads-table')}”: within two minutes, its Executions tab shows a run,`,
		'    and the Data Table (Overview → Data tables) its first rows',
		`  “${nameOf('notify-failed-uploads')}”: within about ten minutes, an email appears here`,
		`  “${nameOf('stuck-uploads')}”: in the first hour, the same within about 20 minutes`,
		'',
		'Ctrl+C stops n8n and the service. The next npm start continues with their data;',
		'npm start -- --fresh starts with new data.',
	].join('\n');
}

/** The name of an example workflow. */
function nameOf(example: string): string {
	const { name }: { name: string } = JSON.parse(readFileSync(`examples/${example}.json`, 'utf8'));
	return name;
}

function webhookCall({ n8n, service }: Playground): string {
	const upload = service.model.uploads.all.find(({ completedAt }) => completedAt !== null);
	const body = JSON.stringify({ uploadId: upload?.uploadId });
	const url = `${n8n.url}/webhook-test/upload-status`;
	return `curl -X POST -H 'content-type: application/json' -d '${body}' ${url}`;
}
