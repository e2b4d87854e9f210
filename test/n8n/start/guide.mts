/** How to try what `npm start` has set up: printed in the terminal, and in the workflow “Start here”. */
import { readFileSync } from 'node:fs';
import { WHAT_TO_EXPECT } from '../../support/service/keepUploading.mts';
import { notableCustomers } from '../../support/service/sampleStatuses.mts';
import { PAGE_LOGIN } from '../workflows/examples.mts';
import type { SandboxParts } from '../process/sandbox.mts';

/** The name of the first workflow. */
export const START_HERE = 'Start here';

/** A section of the guide; lines that begin with blanks are entries of a list. */
interface Section {
	title: string;
	lines: string[];
}

/** The guide, in which `show` shows the name of a workflow. */
export function guide(
	{ n8n, service }: Pick<SandboxParts, 'n8n' | 'service'>,
	show: (name: string) => string,
): Section[] {
	const example = (file: string) => show(nameOf(file));
	const upload = service.model.uploads.all.find(({ completedAt }) => completedAt !== null);
	const { user, password } = PAGE_LOGIN;
	const [customers = '', ...notable] = notableCustomers(service.model);
	return [
		{
			title: 'Open these first, and click “Execute workflow”:',
			lines: [
				`  ${example('stale-engagements')}: whose data is old or missing; the email appears in the terminal`,
				`  ${example('portfolio-history')}: how many customers have fresh, old or no data, in a Data Table`,
				`  ${example('audit-request-list')}: what has arrived of a customer, month by month`,
			],
		},
		{
			title: 'Publish these to see them work by themselves:',
			lines: [
				`  ${example('status-page')}: open ${n8n.url}/webhook/data-status (user name ${user}, password ${password})`,
				`  ${example('onboarding-form')}: open ${n8n.url}/form/onboarding`,
				`  ${example('uploads-table')}: within about six minutes, its Executions tab shows a run, and the Data Table (Overview → Data tables) its first rows`,
				`  ${example('notify-failed-uploads')}: within about ten minutes, an email appears in the terminal`,
				`  ${example('stuck-uploads')}: in the first hour, the same`,
				`  ${example('upload-webhook')}: then call it with: ${webhookCall(n8n.url, upload?.uploadId)}`,
			],
		},
		{
			title: 'What happens meanwhile:',
			lines: [
				`  ${WHAT_TO_EXPECT}`,
				'  Upload > Start returns the link for the customer: its upload waits until you open it.',
			],
		},
		{ title: customers, lines: notable },
	];
}

/** The name of an example workflow. */
function nameOf(example: string): string {
	const { name }: { name: string } = JSON.parse(readFileSync(`examples/${example}.json`, 'utf8'));
	return name;
}

function webhookCall(url: string, uploadId?: string): string {
	const body = JSON.stringify({ uploadId });
	return `curl -X POST -H 'content-type: application/json' -d '${body}' ${url}/webhook/upload-status`;
}
