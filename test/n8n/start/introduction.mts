import { credentialValues } from '../../support/world/credentials.mts';
import type { Playground } from './playground.mts';
import { OWNER } from '../process/sandbox.mts';
import { guide, START_HERE } from './guide.mts';

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
		`Open the editor, log in, and open the workflow “${START_HERE}”, which says the same as this:`,
		...guide(playground, (name) => `“${name}”`).flatMap(({ title, lines }) => [
			'',
			title,
			...lines,
		]),
		'',
		'Ctrl+C stops n8n and the service. The next npm start continues with their data;',
		'npm start -- --fresh starts with new data.',
	].join('\n');
}
