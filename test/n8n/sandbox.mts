import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { IDataObject, INode } from 'n8n-workflow';
import { CREDENTIAL, credentialOf, endpointCredentialOf } from '../support/credentials.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import type { ServiceOptions } from '../support/service/service.mts';
import type { Print } from './command.mts';
import { installPackage, packPackage } from './community.mts';
import { installN8n, type Installation } from './install.mts';
import { N8n } from './n8n.mts';
import { Rest, type CredentialInput, type Execution, type Owner } from './rest.mts';
import { filesWithSecrets } from './secrets.mts';
import { chain, MANUAL, manualTrigger } from './workflows.mts';

/** Who logs in, only here. */
export const OWNER: Owner = {
	email: 'owner@example.com',
	password: 'Engagement-1',
	firstName: 'Olive',
	lastName: 'Owner',
};

/** An installed n8n, and a temporary folder for all user folders, including the original to copy. */
export interface Template {
	installation: Installation;
	folder: string;
}

/** The user folder that is copied. */
const ORIGINAL = 'template';

/** How to start a sandbox. */
export interface SandboxOptions {
	service?: ServiceOptions;
	/** n8n settings in addition to the usual ones. */
	env?: Record<string, string>;
}

/** A running n8n with this package, whose owner is logged in, and its simulated service. */
export interface SandboxParts {
	service: SimulatedService;
	rest: Rest;
	n8n: N8n;
}

/** Installs n8n if it is missing, and creates a user folder with this package. */
export async function makeTemplate(print: Print): Promise<Template> {
	const installation = await installN8n(print);
	const folder = mkdtempSync(path.join(os.tmpdir(), 'engagement-uploads-n8n-'));
	try {
		const tarball = await packPackage(folder, print);
		print('Installing the package into n8n …');
		await installPackage(tarball, path.join(folder, ORIGINAL), installation.node);
	} catch (error) {
		removeFolder(folder);
		throw error;
	}
	return { installation, folder };
}

/** A new user folder with this package. */
export function makeUserFolder(template: Template): string {
	const folder = mkdtempSync(path.join(template.folder, 'n8n-'));
	cpSync(path.join(template.folder, ORIGINAL), folder, { recursive: true, verbatimSymlinks: true });
	return folder;
}

/** Removes what `makeTemplate` made, and all user folders that are left. */
export function removeTemplate({ folder }: Template): void {
	removeFolder(folder);
}

/** A simulated service and a new n8n with this package, for one test file. */
export class Sandbox implements SandboxParts {
	private constructor(
		readonly service: SimulatedService,
		readonly rest: Rest,
		private current: N8n,
		private readonly start: () => Promise<N8n>,
	) {}

	static async open(template: Template, options: SandboxOptions = {}): Promise<Sandbox> {
		const service = await startService(options.service ?? { sample: true });
		const folder = makeUserFolder(template);
		let n8n: N8n | undefined;
		try {
			const { env } = options;
			n8n = await N8n.start(template.installation, { folder, env });
			const again = { folder, env, port: n8n.port };
			const start = async () => await N8n.start(template.installation, again);
			const sandbox = new Sandbox(service, new Rest(n8n.url), n8n, start);
			await sandbox.rest.setUpOwner(OWNER);
			return sandbox;
		} catch (error) {
			await n8n?.stop();
			await service.close();
			throw error;
		}
	}

	get n8n(): N8n {
		return this.current;
	}

	/** Saves a credential that uses the token endpoint. @returns its ID */
	async credential(changes: IDataObject = {}): Promise<string> {
		return await this.rest.createCredential(credentialFor(this.service, 'tokenEndpoint', changes));
	}

	/** Runs nodes, each of which feeds the next, as a click in the editor does. */
	async run(...nodes: INode[]): Promise<Execution> {
		const { id } = await this.rest.createWorkflow(chain('Run once', [manualTrigger(), ...nodes]));
		return await this.rest.run(id, MANUAL);
	}

	/** Stops n8n, unless it was ended before, and starts it again with the same folder and port. */
	async restart(): Promise<void> {
		await this.current.stop();
		this.current = await this.start();
	}

	/** Stops everything. @throws when a file that n8n wrote contains a secret */
	async close(): Promise<void> {
		await this.current.stop();
		await this.service.close();
		const { folder } = this.current;
		const files = filesWithSecrets(folder, this.service);
		if (files.length > 0) throw new Error(`These files contain secrets: ${files.join(', ')}`);
		removeFolder(folder);
	}
}

/** A credential for the service, with the token endpoint or a pasted token; not saved yet. */
export function credentialFor(
	service: SimulatedService,
	authentication: 'tokenEndpoint' | 'accessToken',
	changes: IDataObject = {},
): CredentialInput {
	const build = { accessToken: credentialOf, tokenEndpoint: endpointCredentialOf }[authentication];
	const data = build(service, { timeZone: 'UTC', ...changes });
	return { name: 'Engagement Uploads', type: CREDENTIAL, data };
}

function removeFolder(folder: string): void {
	rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
