import { rmSync } from 'node:fs';
import path from 'node:path';
import { keepUploading, ONGOING_UPLOADS } from '../support/service/keepUploading.mts';
import { startKeptService } from '../support/service/keptService.mts';
import type { Print } from './command.mts';
import { installPackage, packPackage } from './community.mts';
import { readExamples } from './examples.mts';
import { installN8n } from './install.mts';
import type { KeptData, KeptSettings } from './keptData.mts';
import { N8n } from './n8n.mts';
import { waitForPort } from './ports.mts';
import { startReceivers, type Receivers } from './receivers.mts';
import { Rest } from './rest.mts';
import { OWNER, type SandboxParts } from './sandbox.mts';
import type { StartOptions } from './startOptions.mts';

/** n8n and the simulated service for trying things out. */
export interface Playground extends SandboxParts {
	settings: KeptSettings;
	/** Stops everything; the data stays. */
	close(): Promise<void>;
}

/**
 * Starts everything with the saved data, or with new data if there is none or `isFresh`. Nothing is
 * deleted before the folder is locked and the ports are free.
 */
export async function openPlayground(
	data: KeptData,
	{ n8nPort, servicePort, isFresh }: StartOptions,
	print: Print,
): Promise<Playground> {
	data.lock();
	const closers: Array<() => unknown> = [() => data.unlock()];
	const close = async () => {
		for (const closeOne of closers.splice(0).reverse()) await closeOne();
	};
	try {
		const settings = await data.settings(servicePort, isFresh);
		await waitForPort(n8nPort, '--n8n-port', print);
		await waitForPort(settings.servicePort, '--service-port', print);
		const installation = await installN8n(print);
		const isNew = isFresh || !data.isComplete;
		if (isNew) data.create();
		const ports = { chat: settings.chatPort, mail: settings.mailPort };
		const receivers = await startReceivers((message) => print(`Notification: ${message}`), ports);
		closers.push(receivers.close);
		await installInto(data.n8nFolder, installation.node, print);
		print('Starting the simulated service and n8n …');
		const { serviceFile, n8nFolder } = data;
		const service = await startKeptService(serviceFile, settings.servicePort, ONGOING_UPLOADS);
		closers.push(async () => await service.close());
		const uploading = keepUploading(service);
		closers.push(() => clearInterval(uploading));
		const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
		const env = { ...receivers.env, GENERIC_TIMEZONE: timeZone };
		const n8n = await N8n.start(installation, { folder: n8nFolder, port: n8nPort, env });
		closers.push(async () => await n8n.stop());
		const playground = { service, n8n, rest: new Rest(n8n.url), settings, close };
		if (isNew) {
			await fill(playground, receivers);
			data.complete(settings);
		}
		return playground;
	} catch (error) {
		await close();
		throw error;
	}
}

async function installInto(n8nFolder: string, node: string, print: Print): Promise<void> {
	const tarball = await packPackage(path.dirname(n8nFolder), print);
	print('Installing the package into n8n …');
	await installPackage(tarball, n8nFolder, node);
	rmSync(tarball);
}

/** Adds the owner, the credentials and the examples. */
async function fill(playground: Playground, receivers: Receivers): Promise<void> {
	const { rest, settings } = playground;
	await rest.setUpOwner(OWNER);
	for (const [file, workflow] of await readExamples(playground, receivers)) {
		settings.examples[file] = (await rest.createWorkflow(workflow)).name;
	}
}
