import path from 'node:path';
import { readCommandLine } from '../../support/commandLine.mts';
import { lastLines } from '../process/command.mts';
import { introduction } from './introduction.mts';
import { openPlayground } from './playground.mts';

const HELP = `Starts n8n with the nodes of this package, a credential and all examples, and the simulated
service. The first time, it downloads n8n. Ctrl+C stops both; the next start continues with
their data. A second one at the same time needs another --folder and --port.

Usage: npm start -- [options]

  --port <port>      n8n's port for new data; the next three are used as well (default: 5678)
  --folder <folder>  Where n8n and the service keep their data (default: test/n8n/.data)
  --fresh            Delete the kept data, and start with new data
  --help             Show this help`;

const OPTIONS = {
	port: { type: 'string', default: '5678' },
	// A hidden folder, since `n8n-node build` copies the images of all others into the package.
	folder: { type: 'string', default: 'test/n8n/.data' },
	fresh: { type: 'boolean', default: false },
} as const;

let isInterrupted = false;
const interrupted = new Promise<void>((resolve) => {
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
		process.once(signal, () => {
			isInterrupted = true;
			resolve();
		});
});

async function start(): Promise<void> {
	const { port, folder, fresh } = readCommandLine(HELP, OPTIONS);
	const options = { port: Number(port), folder: path.resolve(folder), isFresh: fresh };
	const playground = await openPlayground(options, console.log);
	const { n8n } = playground;
	console.log(introduction(playground));
	const ended = n8n.ended.then(() => {
		throw new Error(`n8n has ended. The end of its log:\n${lastLines(n8n.log, 5)}`);
	});
	await Promise.race([interrupted, ended]).finally(async () => await playground.close());
	console.log('Stopped. The next npm start with the same options continues with all data.');
}

start().catch((error: unknown) => {
	// Ctrl+C also ends whatever is in progress, so its failure is not reported.
	if (!isInterrupted) console.error(error instanceof Error ? error.message : error);
	// What was started so far ends with this process.
	process.exit(isInterrupted ? 0 : 1);
});
