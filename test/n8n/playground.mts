import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { keepUploading, ONGOING_UPLOADS } from '../support/service/keepUploading.mts';
import { startKeptService } from '../support/service/keptService.mts';
import type { Print } from './command.mts';
import { installPackage } from './community.mts';
import { readExamples } from './examples.mts';
import { installN8n } from './install.mts';
import { N8n } from './n8n.mts';
import { waitForPort } from './ports.mts';
import { startReceivers } from './receivers.mts';
import { Rest } from './rest.mts';
import { OWNER, removeFolder, type SandboxParts } from './sandbox.mts';

export const USUAL_SERVICE_PORT = 5679;

/** How to start n8n and the service for trying things out. */
interface PlaygroundOptions {
	n8nPort: number;
	/** By default, the port of the kept data, or the usual one. */
	servicePort?: number;
	/** Where n8n and the service keep their data. */
	folder: string;
	/** Whether to start with new data. */
	isFresh: boolean;
}

/** What is known of the data in a folder. */
interface Kept {
	/** It stays, since n8n's credentials contain it. */
	servicePort: number;
	/** Until the owner, the credentials and the examples have been added. */
	isUnfinished?: true;
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
	const { folder, n8nPort } = options;
	const settings = path.join(folder, 'settings.json');
	const kept = readKept(folder, settings);
	const isNew = options.isFresh || kept === undefined || kept.isUnfinished === true;
	const servicePort = options.servicePort ?? kept?.servicePort ?? USUAL_SERVICE_PORT;
	if (!isNew && servicePort !== kept.servicePort) {
		throw new Error(
			`The data in ${folder} was created with service port ${kept.servicePort}. Leave out --service-port, add --fresh to delete that data, or keep it and use --folder <another folder>.`,
		);
	}
	const ports = { chat: servicePort + 1, mail: servicePort + 2 };
	for (const port of [n8nPort, kept?.servicePort, servicePort, ...Object.values(ports)])
		if (port !== undefined) await waitForPort(port, print);

	const installation = await installN8n(print);
	const n8nFolder = path.join(folder, 'n8n');
	const serviceFile = path.join(folder, 'service.jsonl');
	const keep = (what: Kept) => writeFileSync(settings, JSON.stringify(what));
	if (isNew) {
		keep({ servicePort, isUnfinished: true });
		removeFolder(n8nFolder);
		rmSync(serviceFile, { force: true });
		mkdirSync(n8nFolder, { recursive: true });
	}
	await installPackage(n8nFolder, installation, print);
	print('Starting the simulated service and n8n …');
	const receivers = await startReceivers((message) => print(`Notification: ${message}`), ports);
	const service = await startKeptService(serviceFile, servicePort, ONGOING_UPLOADS);
	const uploading = keepUploading(service);
	const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
	const env = { ...receivers.env, GENERIC_TIMEZONE: timeZone };
	const n8n = await N8n.start(installation, { folder: n8nFolder, port: n8nPort, env });
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
		for (const workflow of examples.values()) await playground.rest.createWorkflow(workflow);
		keep({ servicePort });
	}
	return playground;
}

/** @throws when the folder was filled by something else, so that it is never cleared by mistake */
function readKept(folder: string, settings: string): Kept | undefined {
	mkdirSync(folder, { recursive: true });
	if (existsSync(settings)) return JSON.parse(readFileSync(settings, 'utf8'));
	if (readdirSync(folder).length === 0) return undefined;
	throw new Error(
		`${folder} contains files that npm start did not create. Choose a new or empty folder with --folder.`,
	);
}
