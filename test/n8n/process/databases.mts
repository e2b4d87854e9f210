/** Redis and PostgreSQL, as installed on this system, for an n8n in queue mode. */
import { chmodSync, existsSync, mkdtempSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { cleanEnvironment, runCommand } from './command.mts';
import { freePort } from './ports.mts';
import { Program } from './program.mts';

/** A running database, and n8n's settings for it. */
export interface Database {
	program: Program;
	env: Record<string, string>;
}

/** Where Debian keeps the programs of each version; other systems have them in the PATH. */
const VERSIONS = '/usr/lib/postgresql';
/** The user that PostgreSQL runs as if root starts it, which it refuses for itself. */
const SERVER_USER = 'postgres';
const DATABASE_USER = 'n8n';

/** Starts a Redis on a loopback port that stores nothing. */
export async function startRedis(folder: string): Promise<Database> {
	const port = String(await freePort());
	const settings = ['--port', port, '--bind', '127.0.0.1', '--save', ''];
	const line = endingWithParent('redis-server', ...settings);
	const program = new Program({ name: 'redis', line, env: cleanEnvironment(), folder });
	await program.ready(() => program.log.includes('Ready to accept connections'));
	const env = {
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: port,
	};
	return { program, env };
}

/** Starts a new PostgreSQL on a loopback port, with its data in a folder of its own. */
export async function startPostgres(folder: string): Promise<Database> {
	const programs = findPostgres();
	const home = mkdtempSync(path.join(folder, 'postgres-'));
	// Its own user makes the folder with the data, and therefore must reach this one.
	chmodSync(folder, 0o711);
	chmodSync(home, 0o777);
	const data = path.join(home, 'data');
	const cluster = ['-D', data, '-U', DATABASE_USER, '-E', 'UTF8', '-A', 'trust', '--no-sync'];
	const [command, ...args] = asServerUser(path.join(programs, 'initdb'), ...cluster);
	await runCommand(command, args, { cwd: home });
	const port = String(await freePort());
	// `-F`: nothing here has to survive the computer.
	const settings = ['-F', '-p', port, '-h', '127.0.0.1', '-k', '', '-N', '200'];
	const line = asServerUser(path.join(programs, 'postgres'), '-D', data, ...settings);
	const program = new Program({ name: 'postgres', line, env: cleanEnvironment(), folder: home });
	await program.ready(() => program.log.includes('ready to accept connections'));
	const env = {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: port,
		DB_POSTGRESDB_DATABASE: 'postgres',
		DB_POSTGRESDB_USER: DATABASE_USER,
	};
	return { program, env };
}

/** The folder with the programs of the newest installed version; empty if the PATH has them. */
function findPostgres(): string {
	const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS) : [];
	const [newest] = versions.sort((a, b) => Number(b) - Number(a));
	return newest === undefined ? '' : path.join(VERSIONS, newest, 'bin');
}

type Line = [command: string, ...args: string[]];

function asServerUser(...line: Line): Line {
	if (process.getuid?.() !== 0) return endingWithParent(...line);
	const user = [`--reuid=${SERVER_USER}`, `--regid=${SERVER_USER}`, '--clear-groups'];
	return ['setpriv', ...user, '--pdeathsig', 'INT', ...line];
}

/** A command line for a program that ends with the process that started it; on Linux only. */
function endingWithParent(...line: Line): Line {
	return process.platform === 'linux' ? ['setpriv', '--pdeathsig', 'INT', ...line] : line;
}
