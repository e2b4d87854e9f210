import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ServiceOptions } from '../support/service/service.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import type { Say } from './command.mts';
import { addToN8n, packPackage } from './community.mts';
import { installN8n, type Installation } from './install.mts';
import { N8n } from './n8n.mts';
import { Rest, type CredentialInput, type Owner } from './rest.mts';
import { filesWithSecrets } from './secrets.mts';
import { CREDENTIAL_TYPE } from './workflows.mts';

/** Who logs in, here and only here. */
export const OWNER: Owner = {
	email: 'owner@example.com',
	password: 'Engagement-1',
	firstName: 'Olive',
	lastName: 'Owner',
};

/** An installed n8n, and a temporary folder with all user folders, the first of which is to be copied. */
export interface Template {
	installation: Installation;
	folder: string;
}

const FIRST = 'template';

/** What a stage is opened with. */
export interface StageOptions {
	service?: ServiceOptions & { port?: number };
	n8nPort?: number;
	/** n8n's settings beside the usual ones. */
	env?: Record<string, string>;
}

/** Installs what is missing, and makes a user folder in which n8n finds the package. */
export async function makeTemplate(say: Say): Promise<Template> {
	const installation = await installN8n(say);
	const folder = mkdtempSync(path.join(os.tmpdir(), 'engagement-uploads-n8n-'));
	try {
		const tarball = await packPackage(folder, say);
		say('Installing the package into n8n …');
		await addToN8n(tarball, path.join(folder, FIRST), installation.node);
	} catch (error) {
		removeFolder(folder);
		throw error;
	}
	return { installation, folder };
}

/** A new user folder in which n8n finds the package. */
export function makeUserFolder(template: Template): string {
	const folder = mkdtempSync(path.join(template.folder, 'n8n-'));
	cpSync(path.join(template.folder, FIRST), folder, { recursive: true, verbatimSymlinks: true });
	return folder;
}

/** Removes what `makeTemplate` made, and what stages have left there. */
export function removeTemplate({ folder }: Template): void {
	removeFolder(folder);
}

/** A simulated service, and a new n8n with this package and an owner who is logged in. */
export class Stage {
	private constructor(
		readonly service: SimulatedService,
		readonly rest: Rest,
		private current: N8n,
		private readonly start: () => Promise<N8n>,
	) {}

	static async open(template: Template, options: StageOptions = {}): Promise<Stage> {
		const service = await startService(options.service ?? { sample: true });
		const folder = makeUserFolder(template);
		let n8n: N8n | undefined;
		try {
			const { env, n8nPort } = options;
			n8n = await N8n.start(template.installation, { folder, env, port: n8nPort });
			const again = { folder, env, port: n8n.port };
			const start = async () => await N8n.start(template.installation, again);
			const stage = new Stage(service, new Rest(n8n.url), n8n, start);
			await stage.rest.setUpOwner(OWNER);
			return stage;
		} catch (error) {
			await n8n?.stop();
			await service.close();
			removeFolder(folder);
			throw error;
		}
	}

	get n8n(): N8n {
		return this.current;
	}

	/** Stops n8n, in order or by SIGKILL, and starts it again with the same folder and port. */
	async restart(how: 'stop' | 'kill' = 'stop'): Promise<void> {
		await this.current[how]();
		this.current = await this.start();
	}

	async close(): Promise<void> {
		await this.current.stop();
		await this.service.close();
		removeFolder(this.current.folder);
	}

	/** @throws when what n8n has stored or logged shows a secret */
	async closeAndSearch(): Promise<void> {
		await this.current.stop();
		const telling = filesWithSecrets(this.current.folder, this.service);
		await this.close();
		if (telling.length > 0) throw new Error(`Secrets stand in ${telling.join(', ')}`);
	}
}

/** The credential for a service, with a token endpoint or a pasted token; not saved yet. */
export function credentialFor(
	service: SimulatedService,
	authentication: 'tokenEndpoint' | 'accessToken',
	change: Record<string, unknown> = {},
): CredentialInput {
	const ways = {
		accessToken: { clientId: service.clientId, accessToken: service.accessToken },
		tokenEndpoint: {
			clientId: '',
			tokenUrl: service.settings.tokenPath,
			requestFormat: 'form',
			tokenRequestFields: JSON.stringify(service.tokenRequestFields),
		},
	};
	const data = {
		baseUrl: service.url,
		subscriptionApiKey: service.subscriptionKey,
		timeZone: 'UTC',
		authentication,
		...ways[authentication],
		...change,
	};
	return { name: 'Engagement Uploads', type: CREDENTIAL_TYPE, data };
}

function removeFolder(folder: string): void {
	rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
