import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

const USUAL_SERVICE_PORT = 5679;

/** The folder in which `npm start` keeps the data of n8n and of the simulated service. */
export class KeptData {
	private readonly settingsFile: string;

	constructor(private readonly folder: string) {
		this.settingsFile = path.join(folder, 'settings.json');
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

	/** Removes everything left by earlier starts. */
	clear(): void {
		rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
	}

	/** The settings of the kept data, or new ones. @throws when another port was kept */
	async settings(servicePort: number | undefined): Promise<KeptSettings> {
		if (!this.isComplete) {
			return {
				servicePort: servicePort ?? USUAL_SERVICE_PORT,
				chatPort: await freePort(),
				mailPort: await freePort(),
				examples: {},
			};
		}
		const settings: KeptSettings = JSON.parse(readFileSync(this.settingsFile, 'utf8'));
		if (servicePort === undefined || servicePort === settings.servicePort) return settings;
		throw new Error(
			`The data in ${this.folder} was made with service port ${settings.servicePort}. Leave out --service-port, or add --fresh to start with new data.`,
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
}
