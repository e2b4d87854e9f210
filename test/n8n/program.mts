import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { lastLinesOf } from './command.mts';
import { waitUntil } from './waitFor.mts';

/** What to run in the background, and where its output goes. */
export interface ProgramOptions {
	name: string;
	command: string;
	args: readonly string[];
	env: Record<string, string>;
	cwd: string;
	/** A file; the output is appended, so that the log of an earlier start stays. */
	log: string;
}

const TIME_TO_START = 900_000;
const TIME_TO_STOP = 60_000;

/**
 * A command line for a program that ends when the process that started it is gone, for whatever
 * reason; on Linux only. It may run as another user.
 */
export function endingWithParent(
	line: readonly string[],
	{ signal = 'TERM', user }: { signal?: string; user?: { uid: number; gid: number } } = {},
): string[] {
	if (process.platform !== 'linux') return [...line];
	const asUser = user && [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
	return ['setpriv', ...(asUser ?? []), '--pdeathsig', signal, ...line];
}

/** A program that runs in the background until it is stopped by its process ID. */
export class Program {
	/** Resolves when the program has ended, for whatever reason. */
	readonly ended: Promise<unknown>;

	private constructor(
		private readonly child: ChildProcess,
		private readonly options: ProgramOptions,
		private readonly logStart: number,
	) {
		this.ended = once(child, 'exit');
	}

	/** Starts a program in this process's group, so that Ctrl+C reaches it too. */
	static async start(options: ProgramOptions): Promise<Program> {
		const { command, args, env, cwd, log } = options;
		const file = openSync(log, 'a');
		const { size } = statSync(log);
		// Nothing is ever written to its standard input: see exitWithParent.mts.
		const child = spawn(command, args, { env, cwd, stdio: ['pipe', file, file] });
		closeSync(file);
		await once(child, 'spawn');
		return new Program(child, options, size);
	}

	get pid(): number {
		return this.child.pid ?? NaN;
	}

	/** Its output since it was started. */
	get log(): string {
		return readFileSync(this.options.log).subarray(this.logStart).toString('utf8');
	}

	get running(): boolean {
		return this.child.exitCode === null && this.child.signalCode === null;
	}

	/** Waits until the program is ready, and stops it when it never is. @throws with the end of its log */
	async ready(check: () => Promise<boolean>): Promise<void> {
		const { name } = this.options;
		const isReady = async () => {
			if (this.running) return await check();
			throw new Error(
				`${name} ended unexpectedly (${this.child.signalCode ?? this.child.exitCode})`,
			);
		};
		try {
			await waitUntil(isReady, { what: `${name} to be ready`, timeout: TIME_TO_START });
		} catch (error) {
			await this.stop();
			const reason = error instanceof Error ? error.message : String(error);
			throw new Error(`${reason}. The end of its log:\n${lastLinesOf(this.log)}`);
		}
	}

	/** Asks the program to stop, and kills it when it does not. */
	async stop(): Promise<void> {
		if (!this.running) return;
		this.child.kill('SIGTERM');
		const kill = setTimeout(() => this.child.kill('SIGKILL'), TIME_TO_STOP);
		await this.ended;
		clearTimeout(kill);
	}

	/** Ends the program at once, without a chance to clean up. */
	async kill(): Promise<void> {
		if (!this.running) return;
		this.child.kill('SIGKILL');
		await this.ended;
	}
}
