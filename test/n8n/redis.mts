import { tryCommand, runCommand, ownEnvironment, type Say } from './command.mts';
import { freePort } from './ports.mts';
import { Program } from './program.mts';
import path from 'node:path';

/** A Redis on a loopback port, which keeps nothing. */
export interface Redis {
	port: number;
	stop(): Promise<void>;
}

const SERVER = 'redis-server';
const TIME_TO_START = 30_000;
const APT = ['-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300'];

/** Starts a Redis, whose log goes into the folder; installs Debian's package where there is none. */
export async function startRedis(folder: string, say: Say): Promise<Redis> {
	await installRedis(say);
	const port = await freePort();
	const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', ''];
	const program = Program.start({
		name: 'Redis',
		// Ends it with the process that started it, however that comes about.
		command: 'setpriv',
		args: ['--pdeathsig', 'TERM', SERVER, ...settings, '--appendonly', 'no'],
		env: ownEnvironment(),
		cwd: folder,
		log: path.join(folder, 'redis.log'),
	});
	const isReady = async () => program.log.includes('Ready to accept connections');
	await program.ready(isReady, TIME_TO_START);
	return { port, stop: async () => await program.stop() };
}

async function installRedis(say: Say): Promise<void> {
	if (await isThere()) return;
	if (process.getuid?.() !== 0) {
		throw new Error(
			`Queue mode needs Redis, which is not installed: sudo apt-get install ${SERVER}`,
		);
	}
	say('Installing Redis (redis-server) …');
	const env = { ...ownEnvironment(), DEBIAN_FRONTEND: 'noninteractive' };
	await runCommand('apt-get', ['update'], { env });
	await runCommand('apt-get', ['install', ...APT, SERVER], { env });
}

async function isThere(): Promise<boolean> {
	return await tryCommand(SERVER, ['--version']).then(
		({ code }) => code === 0,
		() => false,
	);
}
