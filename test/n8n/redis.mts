import path from 'node:path';
import { cleanEnvironment, succeeds } from './command.mts';
import { freePort } from './ports.mts';
import { endingWithParent, Program } from './program.mts';

/** A Redis on a loopback port that stores nothing. */
export interface Redis {
	port: number;
	program: Program;
	stop(): Promise<void>;
}

const SERVER = 'redis-server';

/** Starts the installed Redis, which writes its log to the folder. */
export async function startRedis(folder: string): Promise<Redis> {
	if (!(await succeeds(SERVER, ['--version']))) {
		throw new Error(
			`The tests in queue mode need Redis. Install it, for example with “sudo apt-get install ${SERVER}” or “brew install redis”.`,
		);
	}
	const port = await freePort();
	const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', ''];
	const [command = SERVER, ...args] = endingWithParent([SERVER, ...settings]);
	const program = await Program.start({
		name: 'Redis',
		command,
		args,
		env: cleanEnvironment(),
		cwd: folder,
		log: path.join(folder, 'redis.log'),
	});
	await program.ready(async () => program.log.includes('Ready to accept connections'));
	return { port, program, stop: async () => await program.stop() };
}
