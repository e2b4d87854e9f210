import { rmSync } from 'node:fs';
import path from 'node:path';
import { keepUploading, ONGOING_UPLOADS } from '../support/service/keepUploading.mts';
import { KeptService } from '../support/service/keptService.mts';
import { lastLinesOf, type Print } from './command.mts';
import { installPackage, packPackage } from './community.mts';
import { readExamples } from './examples.mts';
import { installN8n, type Installation } from './install.mts';
import type { KeptData, KeptSettings } from './keptData.mts';
import { N8n } from './n8n.mts';
import { waitForPort } from './ports.mts';
import { startReceivers, type Receivers } from './receivers.mts';
import { Rest } from './rest.mts';
import { OWNER, type SandboxParts } from './sandbox.mts';
import type { StartOptions } from './startOptions.mts';

/** The parts of the playground. */
interface Parts {
	data: KeptData;
	settings: KeptSettings;
	installation: Installation;
	n8nPort: number;
	print: Print;
}

/**
 * n8n and the simulated service for trying things out; each can be stopped and started by itself.
 */
export class Playground {
	private service: KeptService | undefined;
	private uploading: NodeJS.Timeout | undefined;
	private n8n: N8n | undefined;
	private receivers: Receivers | undefined;

	private constructor(private readonly parts: Parts) {}

	/**
	 * Starts everything with the saved data, or with new data if there is none or `isFresh`. Nothing
	 * is deleted before the folder is locked and the ports are free.
	 */
	static async open(
		data: KeptData,
		{ n8nPort, servicePort, isFresh }: Omit<StartOptions, 'folder'>,
		print: Print,
	): Promise<Playground> {
		await data.lock();
		try {
			const settings = await data.settings(servicePort, isFresh);
			await waitForPort(n8nPort, '--n8n-port', print);
			await waitForPort(settings.servicePort, '--service-port', print);
			const installation = await installN8n(print);
			const isNew = isFresh || !data.isComplete;
			if (isNew) data.create();
			return await Playground.start({ data, settings, installation, n8nPort, print }, isNew);
		} catch (error) {
			data.unlock();
			throw error;
		}
	}

	private static async start(parts: Parts, isNew: boolean): Promise<Playground> {
		const playground = new Playground(parts);
		try {
			await playground.start(isNew);
			return playground;
		} catch (error) {
			await playground.close();
			throw error;
		}
	}

	/** Everything that runs. @throws when n8n or the service is stopped */
	get running(): SandboxParts & { settings: KeptSettings } {
		const { service, n8n } = this;
		if (service === undefined || n8n === undefined) throw new Error('Start n8n and the service');
		return { service, n8n, rest: new Rest(n8n.url), settings: this.parts.settings };
	}

	async startService(): Promise<string> {
		if (this.service !== undefined) return 'The simulated service is already running.';
		const { data, settings } = this.parts;
		this.service = await KeptService.start(data.serviceFile, settings.servicePort, ONGOING_UPLOADS);
		this.uploading = keepUploading(this.service);
		return `The simulated service is running at ${this.service.url}.`;
	}

	async stopService(): Promise<string> {
		if (this.service === undefined) return 'The simulated service has already been stopped.';
		clearInterval(this.uploading);
		await this.service.close();
		this.service = undefined;
		return 'The simulated service has stopped and accepts no connections.';
	}

	async startN8n(): Promise<string> {
		if (this.n8n !== undefined) return 'n8n is already running.';
		const { data, installation, n8nPort, print } = this.parts;
		const env = { GENERIC_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone };
		const n8n = await N8n.start(installation, { folder: data.n8nFolder, port: n8nPort, env });
		this.n8n = n8n;
		data.noteProgram(n8n.pid);
		void n8n.ended.then(() => {
			if (this.n8n !== n8n) return;
			this.n8n = undefined;
			print(`n8n has stopped unexpectedly. The end of its log:\n${lastLinesOf(n8n.log, 5)}`);
			print('Type “start n8n” to start it again.');
		});
		return `n8n is running at ${n8n.url} (process ${n8n.pid}).`;
	}

	/** Stops n8n in an orderly way, or kills it. */
	async finishN8n(how: 'stop' | 'kill'): Promise<string> {
		const { n8n } = this;
		if (n8n === undefined) return 'n8n has already been stopped.';
		this.n8n = undefined;
		await n8n[how]();
		return how === 'stop' ? 'n8n has stopped.' : 'n8n was killed: it could not save anything.';
	}

	/** Stops everything; the data stays. */
	async close(): Promise<void> {
		await this.finishN8n('stop');
		await this.stopService();
		await this.receivers?.close();
		this.parts.data.unlock();
	}

	private async start(isNew: boolean): Promise<void> {
		const { settings, print } = this.parts;
		const ports = { chat: settings.chatPort, mail: settings.mailPort };
		this.receivers = await startReceivers((message) => print(`Notification: ${message}`), ports);
		await this.installPackage();
		print('Starting the simulated service and n8n …');
		await this.startService();
		await this.startN8n();
		if (isNew) await this.fill(this.receivers);
	}

	private async installPackage(): Promise<void> {
		const { data, installation, print } = this.parts;
		const tarball = await packPackage(path.dirname(data.n8nFolder), print);
		print('Installing the package into n8n …');
		await installPackage(tarball, data.n8nFolder, installation.node);
		rmSync(tarball);
	}

	/** Adds the owner, the credentials and the examples. */
	private async fill(receivers: Receivers): Promise<void> {
		const { data, settings } = this.parts;
		const { rest } = this.running;
		await rest.setUpOwner(OWNER);
		const examples = await readExamples({ ...this.running, rest }, receivers);
		for (const [file, workflow] of examples) {
			settings.examples[file] = (await rest.createWorkflow(workflow)).name;
		}
		data.complete(settings);
	}
}
