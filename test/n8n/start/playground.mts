import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { keepUploading, ONGOING_UPLOADS } from '../../support/service/keepUploading.mts';
import { startKeptService } from '../../support/service/keptService.mts';
import type { Print } from '../process/command.mts';
import { installPackage } from '../process/community.mts';
import { readExamples } from '../workflows/examples.mts';
import { installN8n } from '../process/install.mts';
import { N8n, WITH_CODE, WITH_EDITOR } from '../process/n8n.mts';
import { waitForPort } from '../process/ports.mts';
import { startReceivers } from '../standIns/receivers.mts';
import { Rest, type SavedWorkflow } from '../workflows/rest.mts';
import { OWNER, removeFolder, type SandboxParts } from '../process/sandbox.mts';
import { startHere } from './startHere.mts';

/** The folder with all data, in the one that is asked for: whatever else is there is left alone. */
const OWN = 'engagement-uploads';
/** Written last, with n8n's port, which n8n's credentials depend on. */
const STAMP = 'complete';

/** How to start n8n and the service for trying things out. */
interface PlaygroundOptions {
	/** n8n's, for new data; the next three are those of the service, and of two stand-ins. */
	port: number;
	/** Where n8n and the service keep their data. */
	folder: string;
	/** Whether to start with new data. */
	isFresh: boolean;
}

/** n8n and the simulated service for trying things out. */
export interface Playground extends SandboxParts {
	/** Stops everything; the data stays. */
	close(): Promise<void>;
}

/**
 * Starts everything with the kept data, or with new data if there is none or `isFresh`. Nothing is
 * deleted before all ports are free: another `npm start` with the same data listens on one of them.
 */
export async function openPlayground(
	options: PlaygroundOptions,
	print: Print,
): Promise<Playground> {
	const folder = path.join(options.folder, OWN);
	const stamp = path.join(folder, STAMP);
	const keptPort = existsSync(stamp) ? Number(readFileSync(stamp, 'utf8')) : undefined;
	const isNew = options.isFresh || keptPort === undefined;
	const port = isNew ? options.port : keptPort;
	for (const each of [keptPort ?? port, port, port + 1, port + 2, port + 3])
		await waitForPort(each, print);

	const installation = await installN8n(print);
	const n8nFolder = path.join(folder, 'n8n');
	if (isNew) {
		removeFolder(folder);
		mkdirSync(n8nFolder, { recursive: true });
	}
	await installPackage(n8nFolder, installation, print);
	print('Starting the simulated service and n8n …');
	const ports = { chat: port + 2, mail: port + 3 };
	const receivers = await startReceivers((message) => print(`Notification: ${message}`), ports);
	const serviceFile = path.join(folder, 'service.jsonl');
	const service = await startKeptService(serviceFile, port + 1, ONGOING_UPLOADS);
	const uploading = keepUploading(service);
	const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
	const env = { ...receivers.env, ...WITH_EDITOR, ...WITH_CODE, GENERIC_TIMEZONE: timeZone };
	const n8n = await N8n.start(installation, { folder: n8nFolder, port, env });
	const close = async () => {
		await n8n.stop();
		clearInterval(uploading);
		await service.close();
		await receivers.close();
	};
	const playground = { service, n8n, rest: new Rest(n8n.url), close };
	if (isNew) {
		await playground.rest.setUpOwner(OWNER);
		const examples = await readExamples(playground, receivers);
		const saved: SavedWorkflow[] = [];
		for (const workflow of examples.values()) {
			saved.push(await playground.rest.createWorkflow(workflow));
		}
		// The last one saved stands on top of n8n's list.
		await playground.rest.createWorkflow(startHere(playground, saved));
		writeFileSync(stamp, String(port));
	}
	return playground;
}
