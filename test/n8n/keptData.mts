import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from './ports.mts';

/** Settings that do not change between starts, since n8n's credentials and workflows contain them. */
export interface KeptSettings {
	servicePort: number;
	chatPort: number;
	mailPort: number;
	/** The names of the example workflows, by file. */
	examples: Record<string, string>;
}

export const USUAL_SERVICE_PORT = 5679;
const LOCK = 'lock';
const SETTINGS = 'settings.json';
/** Everything that is ever deleted. */
const CONTENTS = ['n8n', 'service.jsonl', SETTINGS];

/**
 * The folder in which `npm start` keeps the data of n8n and of the simulated service. Only the
 * process that has locked it deletes anything in it, and only what an `npm start` has made.
 */
export class KeptData {
	private readonly settingsFile: string;
	private readonly lockFile: string;

	constructor(private readonly folder: string) {
		this.settingsFile = path.join(folder, SETTINGS);
		this.lockFile = path.join(folder, LOCK);
	}

	/** n8n's user folder. */
	get n8nFolder(): string {
		return path.join(this.folder, 'n8n');
	}

	get serviceFile(): string {
		return path.join(this.folder, 'service.jsonl');
	}

	/** Whether an earlier start has filled the folder. */
	get isComplete(): boolean {
		return existsSync(this.settingsFile);
	}

	/** Locks the folder for this process. @throws when another one uses it, or holds other files */
	lock(): void {
		mkdirSync(this.folder, { recursive: true });
		this.checkContents();
		const owner = existsSync(this.lockFile) ? Number(readFileSync(this.lockFile, 'utf8')) : 0;
		if (owner > 0 && isRunning(owner)) {
			throw new Error(
				`The data in ${this.folder} is in use by another npm start (process ${owner}). Stop it first, or start a second one with other data and ports: npm start -- --folder <another folder> --n8n-port <port> --service-port <port>`,
			);
		}
		rmSync(this.lockFile, { force: true });
		writeFileSync(this.lockFile, String(process.pid), { flag: 'wx' });
	}

	/** Gives the folder back; data that no later start could use is removed. */
	unlock(): void {
		if (!this.isComplete) this.clear();
		rmSync(this.lockFile, { force: true });
	}

	/** Removes everything left by earlier starts. */
	clear(): void {
		for (const name of CONTENTS) {
			rmSync(path.join(this.folder, name), { recursive: true, force: true, maxRetries: 5 });
		}
	}

	/** The settings of the kept data, or new ones. @throws when another port was kept */
	async settings(servicePort: number | undefined, isFresh: boolean): Promise<KeptSettings> {
		if (isFresh || !this.isComplete) {
			return {
				servicePort: servicePort ?? USUAL_SERVICE_PORT,
				chatPort: await freePort(),
				mailPort: await freePort(),
				examples: {},
			};
		}
		const kept: KeptSettings = JSON.parse(readFileSync(this.settingsFile, 'utf8'));
		if (servicePort === undefined || servicePort === kept.servicePort) return kept;
		throw new Error(
			`The data in ${this.folder} was created with service port ${kept.servicePort}. Leave out --service-port, add --fresh to delete that data, or keep it and use --folder <another folder>.`,
		);
	}

	/** Prepares an empty folder for the first start. */
	create(): void {
		this.clear();
		mkdirSync(this.n8nFolder, { recursive: true });
	}

	/** Marks the folder as complete, so that the next start uses its contents. */
	complete(settings: KeptSettings): void {
		writeFileSync(this.settingsFile, JSON.stringify(settings, undefined, '\t'));
	}

	/** So that a folder chosen by mistake is never filled, let alone cleared. */
	private checkContents(): void {
		const names = readdirSync(this.folder);
		if (names.includes(SETTINGS) || names.includes(LOCK)) return;
		if (names.length === 0) return;
		throw new Error(
			`${this.folder} contains files that npm start did not create. Choose a new or empty folder with --folder.`,
		);
	}
}

function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		// It runs, but belongs to somebody else.
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
}
