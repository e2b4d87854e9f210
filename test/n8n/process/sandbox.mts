import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { IDataObject, INode } from 'n8n-workflow';
import { CREDENTIAL, makeEndpointCredential } from '../../support/world/credentials.mts';
import { startService, type SimulatedService } from '../../support/service/http.mts';
import type { ServiceOptions } from '../../support/service/service.mts';
import type { Print } from './command.mts';
import { installPackage } from './community.mts';
import { installN8n, type Installation } from './install.mts';
import { N8n } from './n8n.mts';
import { Rest, type CredentialInput, type Execution } from '../workflows/rest.mts';
import { chain, MANUAL, manualTrigger } from '../workflows/nodes.mts';

/** Who logs in, only here. */
export const OWNER = {
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
/** Shorter values, such as the grant type, are not secret. */
const MIN_SECRET_LENGTH = 16;

/** How to start a sandbox. */
interface SandboxOptions {
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
	await installPackage(path.join(folder, ORIGINAL), installation, print);
	return { installation, folder };
}

/** A new user folder with this package. */
function makeUserFolder(template: Template): string {
	const folder = mkdtempSync(path.join(template.folder, 'n8n-'));
	cpSync(path.join(template.folder, ORIGINAL), folder, { recursive: true, verbatimSymlinks: true });
	return folder;
}

/** A simulated service and a new n8n with this package, for one test file. */
export class Sandbox implements SandboxParts {
	private constructor(
		private readonly installation: Installation,
		readonly service: SimulatedService,
		readonly rest: Rest,
		public n8n: N8n,
	) {}

	static async open(template: Template, options: SandboxOptions = {}): Promise<Sandbox> {
		const { installation } = template;
		const { env, service: serviceOptions = { sample: true } } = options;
		const n8n = await N8n.start(installation, { folder: makeUserFolder(template), env });
		const service = await startService(serviceOptions);
		const sandbox = new Sandbox(installation, service, new Rest(n8n.url), n8n);
		await sandbox.rest.setUpOwner(OWNER);
		return sandbox;
	}

	/** Saves a credential that uses the token endpoint. @returns its ID */
	async credential(changes: IDataObject = {}): Promise<string> {
		return await this.rest.createCredential(credentialFor(this.service, changes));
	}

	/** Runs nodes, each of which feeds the next, as a click in the editor does. */
	async run(...nodes: INode[]): Promise<Execution> {
		const { id } = await this.rest.createWorkflow(chain('Run once', [manualTrigger(), ...nodes]));
		return await this.rest.run(id, MANUAL);
	}

	/** Stops n8n, unless it was ended before, and starts it again with these settings. */
	async restart(env: SandboxOptions['env'] = {}): Promise<void> {
		const { folder, port } = this.n8n;
		await this.n8n.stop();
		this.n8n = await N8n.start(this.installation, { folder, port, env });
	}

	/** Stops everything. @throws when a file that n8n wrote contains a secret */
	async close(): Promise<void> {
		await this.n8n.stop();
		await this.service.close();
		const { folder } = this.n8n;
		const files = filesWithSecrets(folder, this.service);
		if (files.length > 0) throw new Error(`These files contain secrets: ${files.join(', ')}`);
		removeFolder(folder);
	}
}

/** A credential for the service, which fetches its tokens; not saved yet. */
export function credentialFor(
	service: SimulatedService,
	changes: IDataObject = {},
): CredentialInput {
	const data = makeEndpointCredential(service, { timeZone: 'UTC', ...changes });
	return { name: 'Engagement Uploads', type: CREDENTIAL, data };
}

/** Removes a user folder, or that of all user folders. */
export function removeFolder(folder: string): void {
	rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** The files in n8n's folder, including its database and logs, that contain a secret in plain text. */
function filesWithSecrets(folder: string, service: SimulatedService): string[] {
	const { accessToken, subscriptionKey, tokenRequestFields } = service;
	const secrets = [accessToken, subscriptionKey, ...Object.values(tokenRequestFields)].filter(
		({ length }) => length >= MIN_SECRET_LENGTH,
	);
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
		.map(({ parentPath, name }) => path.join(parentPath, name))
		.filter((file) => {
			const bytes = readFileSync(file);
			return secrets.some((secret) => bytes.includes(secret));
		});
}
