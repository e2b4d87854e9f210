import { credentialValues } from '../../support/world/credentials.mts';
import type { Playground } from './playground.mts';
import { OWNER } from '../process/sandbox.mts';
import { START_HERE } from './startHere.mts';

/** What `npm start` prints: where to log in, and what is included. */
export function introduction({ n8n, service }: Playground): string {
	return [
		'',
		`  Editor     ${n8n.url}`,
		`  Email      ${OWNER.email}`,
		`  Password   ${OWNER.password}`,
		`  n8n's log  ${n8n.logFile}`,
		'',
		`Log in there, and open the workflow “${START_HERE}”, which says what to try.`,
		'n8n has a credential for the simulated service. To create one yourself:',
		...credentialValues(service),
		'',
		'Ctrl+C stops n8n and the service. The next npm start continues with their data;',
		'npm start -- --fresh starts with new data.',
	].join('\n');
}
