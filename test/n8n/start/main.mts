/**
 * `npm start [-- --port <port>]`: n8n with the nodes of this package, a credential and all examples, and the
 * simulated service, to try things out. The next three ports are used as well. Ctrl+C ends both, and their data go
 * with them.
 */
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startService } from '../../support/service/http.mts';
import { keepUploading } from '../../support/service/keepUploading.mts';
import { credentialValues } from '../../support/world/credentials.mts';
import { installPackage } from '../process/community.mts';
import { installN8n } from '../process/install.mts';
import { N8n, WITH_CODE, WITH_EDITOR } from '../process/n8n.mts';
import { OWNER, removeFolder } from '../process/sandbox.mts';
import { startReceivers } from '../standIns/receivers.mts';
import { readExamples } from '../workflows/examples.mts';
import { Rest, type SavedWorkflow } from '../workflows/rest.mts';
import { START_HERE, startHere } from './startHere.mts';

const print = (text: string) => console.log(text);
const folder = mkdtempSync(path.join(os.tmpdir(), 'engagement-uploads-start-'));

async function start(): Promise<void> {
	const { values } = parseArgs({ options: { port: { type: 'string', default: '5678' } } });
	const port = Number(values.port);
	const installation = await installN8n(print);
	await installPackage(folder, installation, print);
	print('Starting the simulated service and n8n …');
	const ports = { chat: port + 2, mail: port + 3 };
	const receivers = await startReceivers((message) => print(`Notification: ${message}`), ports);
	const service = await startService({ port: port + 1, sample: true, record: false });
	service.settings.connectUrl = service.url;
	keepUploading(service);
	const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
	const env = { ...receivers.env, ...WITH_EDITOR, ...WITH_CODE, GENERIC_TIMEZONE: timeZone };
	const n8n = await N8n.start(installation, { folder, port, env });
	const rest = new Rest(n8n.url);
	await rest.setUpOwner(OWNER);
	const parts = { n8n, rest, service };
	const saved: SavedWorkflow[] = [];
	for (const workflow of (await readExamples(parts, receivers)).values())
		saved.push(await rest.createWorkflow(workflow));
	// The last one saved stands on top of n8n's list.
	await rest.createWorkflow(startHere(parts, saved));
	print(`
  Editor     ${n8n.url}
  Email      ${OWNER.email}
  Password   ${OWNER.password}
  n8n's log  ${n8n.logFile}

Log in there, and open the workflow “${START_HERE}”, which says what to try.
n8n has a credential for the simulated service. To create one yourself:
${credentialValues(service).join('\n')}

Ctrl+C stops n8n and the service, and deletes their data.`);
	await n8n.ended;
	throw new Error(`n8n has ended. Its log is ${n8n.logFile}`);
}

// n8n ends with this process.
process.once('exit', () => removeFolder(folder));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
	process.once(signal, () => process.exit());
start().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
