import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { cleanEnvironment, runCommand, succeeds } from './command.mts';
import { freePort } from './ports.mts';
import { endingWithParent, Program } from './program.mts';

/** A new PostgreSQL on a loopback port, whose data is in a temporary folder. */
export interface Postgres {
	/** n8n's settings for it. */
	env: Record<string, string>;
	program: Program;
	/** Stops it, and removes its data. */
	stop(): Promise<void>;
}

/** Where Debian keeps the programs of each version; other systems have them in the PATH. */
const VERSIONS = '/usr/lib/postgresql';
/** The user that PostgreSQL runs as if root starts it, which it refuses for itself. */
const SERVER_USER = 'postgres';
const DATABASE_USER = 'n8n';

/** Starts the installed PostgreSQL, which writes its log to the folder. */
export async function startPostgres(logFolder: string): Promise<Postgres> {
	const [initdb, server] = ['initdb', 'postgres'].map((name) => path.join(programs(), name));
	if (initdb === undefined || server === undefined || !(await succeeds(server, ['--version']))) {
		throw new Error(
			'The tests in queue mode need PostgreSQL. Install it, for example with “sudo apt-get install postgresql” or “brew install postgresql”.',
		);
	}
	const folder = mkdtempSync(path.join(os.tmpdir(), 'engagement-uploads-postgres-'));
	const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
	try {
		const user = await serverUser();
		if (user !== undefined) chownSync(folder, user.uid, user.gid);
		const asUser = (...line: string[]) => endingWithParent(line, { user, signal: 'INT' });
		const options = { env: cleanEnvironment(), cwd: folder };
		const data = path.join(folder, 'data');
		const cluster = ['-D', data, '-U', DATABASE_USER, '-E', 'UTF8', '-A', 'trust', '--no-sync'];
		const [make = '', ...makeArgs] = asUser(initdb, ...cluster);
		await runCommand(make, makeArgs, options);
		const port = await freePort();
		const settings = ['-p', String(port), '-h', '127.0.0.1', '-k', '', '-N', '200'];
		const [command = '', ...args] = asUser(server, '-D', data, ...settings);
		const log = path.join(logFolder, 'postgres.log');
		const program = await Program.start({ name: 'PostgreSQL', command, args, log, ...options });
		const isReady = async () => program.log.includes('ready to accept connections');
		await program.ready(isReady);
		const stop = async () => {
			await program.stop();
			remove();
		};
		return { env: settingsFor(port), program, stop };
	} catch (error) {
		remove();
		throw error;
	}
}

function settingsFor(port: number): Record<string, string> {
	return {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(port),
		DB_POSTGRESDB_DATABASE: 'postgres',
		DB_POSTGRESDB_USER: DATABASE_USER,
	};
}

/** The folder with the programs of the newest installed version; empty if the PATH has them. */
function programs(): string {
	const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS) : [];
	const [newest] = versions.sort((a, b) => Number(b) - Number(a));
	return newest === undefined ? '' : path.join(VERSIONS, newest, 'bin');
}

/** Undefined: this process's own user. */
async function serverUser(): Promise<{ uid: number; gid: number } | undefined> {
	if (process.getuid?.() !== 0) return undefined;
	const idOf = async (flag: string) => Number(await runCommand('id', [flag, SERVER_USER]));
	return { uid: await idOf('-u'), gid: await idOf('-g') };
}
