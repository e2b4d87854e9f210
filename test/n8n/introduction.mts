import { readdirSync, readFileSync } from 'node:fs';
import { credentialValues } from '../support/service/credentialValues.mts';
import { WHAT_TO_EXPECT } from '../support/service/keepUploading.mts';
import { notableCustomers } from '../support/service/sampleStatuses.mts';
import { PAGE_LOGIN } from './examples.mts';
import type { Playground } from './playground.mts';
import { OWNER } from './sandbox.mts';

/** What `npm start` prints: where to log in, what is included, and how to try it. */
export function introduction(playground: Playground): string {
	const { n8n, service } = playground;
	const examples = exampleNames();
	const [first, ...others] = Object.values(examples);
	return [
		'',
		`  Editor     ${n8n.url}`,
		`  Email      ${OWNER.email}`,
		`  Password   ${OWNER.password}`,
		`  Workflows  ${first}`,
		...others.map((name) => `             ${name}`),
		`  n8n's log  ${n8n.logFile}`,
		'',
		'n8n has a credential for the simulated service. To create one yourself:',
		...credentialValues(service),
		'',
		WHAT_TO_EXPECT,
		...notableCustomers(service.model),
		'Upload > Start returns the link for the customer: its upload waits until you open it.',
		'',
		'Open the editor, log in, open a workflow and click “Execute workflow”.',
		`“${examples['upload-webhook.json']}” then waits for a call. Send it one:`,
		`  ${webhookCall(playground)}`,
		'',
		'Publish these to see them work by themselves:',
		`  “${examples['status-page.json']}”: open ${n8n.url}/webhook/data-status`,
		`    (user name ${PAGE_LOGIN.user}, password ${PAGE_LOGIN.password})`,
		`  “${examples['onboarding-form.json']}”: open ${n8n.url}/form/onboarding`,
		`  “${examples['uploads-table.json']}”: within two minutes, its Executions tab shows a run,`,
		'    and the Data Table (Overview → Data tables) its first rows',
		`  “${examples['notify-failed-uploads.json']}”: within about six minutes, a message appears here`,
		`  “${examples['stuck-uploads.json']}”: in the first hour, the same within about 20 minutes`,
		'',
		'Ctrl+C stops n8n and the service. The next npm start continues with their data;',
		'npm start -- --fresh starts with new data.',
	].join('\n');
}

/** The names of the example workflows, by file. */
function exampleNames(): Record<string, string> {
	const files = readdirSync('examples').filter((file) => file.endsWith('.json'));
	return Object.fromEntries(
		files.sort().map((file) => [file, JSON.parse(readFileSync(`examples/${file}`, 'utf8')).name]),
	);
}

function webhookCall({ n8n, service }: Playground): string {
	const upload = service.model.uploads.all.find(({ completedAt }) => completedAt !== null);
	const body = JSON.stringify({ uploadId: upload?.uploadId });
	const url = `${n8n.url}/webhook-test/upload-status`;
	return `curl -X POST -H 'content-type: application/json' -d '${body}' ${url}`;
}
