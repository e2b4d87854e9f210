import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { lastLines } from './command.mts';
import { TIME_TO_STOP, waitUntil } from './waitFor.mts';

/** What to run in the background. */
interface ProgramOptions {
	/** Also the name of its log, to which its output is appended. */
	name: string;
	line: readonly string[];
	env: Record<string, string>;
	/** Where it has its log, and runs by default. */
	folder: string;
	cwd?: string;
}

/** A program that runs in the background until it is stopped by its process ID. */
export class Program {
	/** Resolves to its exit code and signal when the program has ended, for whatever reason. */
	readonly ended: Promise<unknown>;
	readonly logFile: string;
	private readonly child: ChildProcess;
	private readonly logStart: number;

	/** Starts a program in this process's group, so that Ctrl+C reaches it too. */
	constructor({ name, line, env, folder, cwd = folder }: ProgramOptions) {
		this.logFile = path.join(folder, `${name}.log`);
		const file = openSync(this.logFile, 'a');
		this.logStart = statSync(this.logFile).size;
		const [command = '', ...args] = line;
		// Nothing is ever written to its standard input: see preloaded.mts.
		this.child = spawn(command, args, { env, cwd, stdio: ['pipe', file, file] });
		closeSync(file);
		this.ended = once(this.child, 'exit');
	}

	/** Its output since it was started. */
	get log(): string {
		return readFileSync(this.logFile).subarray(this.logStart).toString('utf8');
	}

	/** Waits until the program is ready, and stops it when it never is. @throws with the end of its log */
	async ready(check: () => Promise<boolean> | boolean): Promise<void> {
		const isReady = async () => {
			if (this.isRunning) return await check();
			throw new Error(`It ended unexpectedly (${this.child.signalCode ?? this.child.exitCode})`);
		};
		try {
			await waitUntil(isReady, 'a program to be ready');
		} catch (error) {
			await this.stop();
			const reason = error instanceof Error ? error.message : String(error);
			throw new Error(`${reason}. The end of ${this.logFile}:\n${lastLines(this.log)}`);
		}
	}

	/** Asks the program to stop, and kills it when it does not. */
	async stop(): Promise<void> {
		const timer = setTimeout(() => this.child.kill('SIGKILL'), TIME_TO_STOP);
		await this.end('SIGTERM');
		clearTimeout(timer);
	}

	/** Ends the program at once, without a chance to clean up. */
	async kill(): Promise<void> {
		await this.end('SIGKILL');
	}

	private async end(signal: NodeJS.Signals): Promise<void> {
		if (!this.isRunning) return;
		this.child.kill(signal);
		await this.ended;
	}

	private get isRunning(): boolean {
		return this.child.exitCode === null && this.child.signalCode === null;
	}
}
