import path from 'node:path';
import { environmentWith, type Installation } from './install.mts';
import { freePort } from './ports.mts';
import { Program } from './program.mts';

/** Options for starting an n8n. */
interface N8nOptions {
	/** n8n's user folder, with its database and the installed packages. */
	folder: string;
	/** A free one by default. */
	port?: number;
	/** Settings besides those that every n8n here has. */
	env?: Record<string, string>;
}

const PRELOADED = ['--import', path.resolve('test/n8n/process/preloaded.mts')];
/** Modules that are not tested here and are switched off, so that n8n starts sooner. */
const UNUSED_MODULES = ['mcp-registry', 'instance-ai', 'agents', 'chat-hub', 'breaking-changes'];
/** For an n8n whose editor is opened, and for one that runs Code nodes: without these, it starts sooner. */
export const WITH_EDITOR = { N8N_DISABLE_UI: 'false' };
export const WITH_CODE = { N8N_RUNNERS_MODE: 'internal' };
const SWITCHED_OFF = [
	'N8N_SECURE_COOKIE',
	'N8N_DIAGNOSTICS_ENABLED',
	'N8N_VERSION_NOTIFICATIONS_ENABLED',
	'N8N_TEMPLATES_ENABLED',
	'N8N_PERSONALIZATION_ENABLED',
	'N8N_VERIFIED_PACKAGES_ENABLED',
];

/** A real n8n on a loopback port; everything that it writes goes into its own folder. */
export class N8n extends Program {
	private constructor(
		{ node, script }: Installation,
		readonly folder: string,
		readonly port: number,
		env: Record<string, string>,
	) {
		super({ name: 'start', line: [node, ...PRELOADED, script, 'start'], env, folder });
	}

	/** Starts n8n and waits until its editor and REST API can be used. */
	static async start(installation: Installation, options: N8nOptions): Promise<N8n> {
		const port = options.port ?? (await freePort());
		const env = await environment(installation, options, port);
		const n8n = new N8n(installation, options.folder, port, env);
		await n8n.ready(async () => {
			if (!n8n.log.includes('Editor is now accessible')) return false;
			const answer = await fetch(`${n8n.url}/healthz/readiness`).catch(() => undefined);
			return answer?.ok === true;
		});
		return n8n;
	}

	get url(): string {
		return `http://127.0.0.1:${this.port}`;
	}
}

/** n8n's entire environment, without anything of the test runner's. */
async function environment(
	{ node, script }: Installation,
	{ folder, env }: N8nOptions,
	port: number,
): Promise<Record<string, string>> {
	return {
		PATH: environmentWith(node).PATH ?? '',
		HOME: folder,
		N8N_USER_FOLDER: folder,
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		// So that the links that n8n makes lead to the host on which its editor is opened.
		N8N_HOST: '127.0.0.1',
		N8N_PORT: String(port),
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		N8N_ENCRYPTION_KEY: 'only-for-tests-on-this-computer',
		N8N_DISABLE_UI: 'true',
		N8N_RUNNERS_MODE: 'external',
		N8N_RUNNERS_AUTH_TOKEN: 'none',
		N8N_DISABLED_MODULES: UNUSED_MODULES.join(','),
		GENERIC_TIMEZONE: 'UTC',
		// Every start after the first one takes a fifth less of the processor.
		NODE_COMPILE_CACHE: path.join(path.dirname(script), '../../.cache'),
		// A busy machine exceeds the limits that n8n has by default (5, 5 and 30 s).
		DB_PING_TIMEOUT_MS: '600000',
		N8N_EXPRESSION_ENGINE_TIMEOUT: '600000',
		N8N_RUNNERS_GRANT_TOKEN_TTL: '3600',
		...Object.fromEntries(SWITCHED_OFF.map((name) => [name, 'false'])),
		...env,
	};
}
