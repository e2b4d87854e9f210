import path from 'node:path';
import { lastLinesOf, runCommand } from './command.mts';
import { environmentWith, type Installation } from './install.mts';
import { freePort } from './ports.mts';
import { Program } from './program.mts';
import { GENEROUS_TIMEOUT } from './waitFor.mts';

/** Options for starting an n8n. */
export interface N8nOptions {
	/** n8n's user folder, with its database and the installed packages. */
	folder: string;
	/** A free one by default. */
	port?: number;
	/** Settings besides those that every n8n here has. */
	env?: Record<string, string>;
	/** The executions that a worker runs at once; n8n's own default. */
	concurrency?: number;
}

/** Loaded into every n8n process; each file explains why. */
const PRELOADED = ['exitWithParent', 'waitForDatabase'].flatMap((name) => [
	'--import',
	path.resolve(`test/n8n/${name}.mts`),
]);
/** Modules that are not tested here and are switched off, so that n8n starts sooner. */
const UNUSED_MODULES = ['mcp-registry', 'instance-ai', 'agents', 'chat-hub', 'breaking-changes'];
const SWITCHED_OFF = [
	'N8N_SECURE_COOKIE',
	'N8N_DIAGNOSTICS_ENABLED',
	'N8N_VERSION_NOTIFICATIONS_ENABLED',
	'N8N_TEMPLATES_ENABLED',
	'N8N_PERSONALIZATION_ENABLED',
	'N8N_VERIFIED_PACKAGES_ENABLED',
];

/** A real n8n on a loopback port; everything that it writes goes into its own folder. */
export class N8n {
	private constructor(
		private readonly installation: Installation,
		private readonly options: N8nOptions,
		readonly port: number,
		private readonly program: Program,
	) {}

	/** Starts n8n and waits until its editor and REST API can be used. */
	static async start(installation: Installation, options: N8nOptions): Promise<N8n> {
		const port = options.port ?? (await freePort());
		const env = await environment(installation, options, port);
		const program = await startProgram(installation, options.folder, ['start'], env);
		const n8n = new N8n(installation, options, port, program);
		await program.ready(async () => await n8n.isReady());
		return n8n;
	}

	get url(): string {
		return `http://127.0.0.1:${this.port}`;
	}

	get folder(): string {
		return this.options.folder;
	}

	/** Its output since it was started. */
	get log(): string {
		return this.program.log;
	}

	get pid(): number {
		return this.program.pid;
	}

	/** Resolves when n8n has ended, for whatever reason. */
	get ended(): Promise<unknown> {
		return this.program.ended;
	}

	/** Changes its SQLite database, in a process of n8n's own Node.js, which has the module for it. */
	async changeDatabase(statement: string): Promise<void> {
		const script = `const { DatabaseSync } = require('node:sqlite');
			const [file, statement] = process.argv.slice(1);
			new DatabaseSync(file).exec('PRAGMA busy_timeout = 60000; ' + statement);`;
		const file = path.join(this.folder, '.n8n', 'database.sqlite');
		await runCommand(this.installation.node, ['-e', script, file, statement]);
	}

	/** Runs an n8n command on the same folder, in a separate process, and returns its output. */
	async command(...args: string[]): Promise<string> {
		const env = await environment(this.installation, this.options, await freePort());
		// The default expression engine can crash a command that exits while it prepares an isolate.
		env.N8N_EXPRESSION_ENGINE = 'legacy';
		const { node, script } = this.installation;
		const options = { cwd: this.folder, env, timeout: GENEROUS_TIMEOUT };
		try {
			return await runCommand(node, [...PRELOADED, script, ...args], options);
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			throw new Error(`${reason}\n\nThe end of the log of “n8n start”:\n${lastLinesOf(this.log)}`);
		}
	}

	async stop(): Promise<void> {
		await this.program.stop();
	}

	/** Kills n8n, like a power cut. */
	async kill(): Promise<void> {
		await this.program.kill();
	}

	private async isReady(): Promise<boolean> {
		if (!this.log.includes('Editor is now accessible')) return false;
		const answer = await fetch(`${this.url}/healthz/readiness`).catch(() => undefined);
		return answer?.ok === true;
	}
}

/** Starts a worker for an n8n in queue mode, in a folder of its own. */
export async function startWorker(
	installation: Installation,
	options: N8nOptions,
): Promise<Program> {
	const env = await environment(installation, options, await freePort());
	const { folder, concurrency = 10 } = options;
	const args = ['worker', `--concurrency=${concurrency}`] as const;
	const worker = await startProgram(installation, folder, args, env);
	await worker.ready(async () => worker.log.includes('n8n worker is now ready'));
	return worker;
}

async function startProgram(
	{ node, script }: Installation,
	folder: string,
	[command, ...args]: readonly [string, ...string[]],
	env: Record<string, string>,
): Promise<Program> {
	return await Program.start({
		name: `n8n ${command}`,
		command: node,
		args: [...PRELOADED, script, command, ...args],
		env,
		cwd: folder,
		log: path.join(folder, `${command}.log`),
	});
}

/** n8n's entire environment, without anything of the test runner's. */
async function environment(
	{ node }: Installation,
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
		N8N_DISABLED_MODULES: UNUSED_MODULES.join(','),
		GENERIC_TIMEZONE: 'UTC',
		// A busy machine exceeds the limits that n8n has by default (5, 5 and 30 s).
		DB_PING_TIMEOUT_MS: '600000',
		N8N_EXPRESSION_ENGINE_TIMEOUT: '600000',
		N8N_RUNNERS_GRANT_TOKEN_TTL: '3600',
		...Object.fromEntries(SWITCHED_OFF.map((name) => [name, 'false'])),
		...env,
	};
}
