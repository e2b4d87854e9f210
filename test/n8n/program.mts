import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { lastLines } from './command.mts';
import { until } from './until.mts';

/** What to run in the background, and where what it says is kept. */
export interface ProgramOptions {
	name: string;
	command: string;
	args: readonly string[];
	env: Record<string, string>;
	cwd: string;
	/** A file, written anew. */
	log: string;
}

const TIME_TO_STOP = 30_000;

/** A program that runs in the background until it is stopped, by its process id. */
export class Program {
	readonly pid: number;
	/** Settled when it has ended, for whatever reason. */
	readonly ended: Promise<unknown>;

	private constructor(
		private readonly child: ChildProcess,
		private readonly options: ProgramOptions,
	) {
		if (child.pid === undefined) throw new Error(`${options.name} could not be started`);
		this.pid = child.pid;
		this.ended = once(child, 'exit');
	}

	/** Starts a program; it runs in this process's group, so that Ctrl+C reaches it too. */
	static start(options: ProgramOptions): Program {
		const { command, args, env, cwd, log } = options;
		const file = openSync(log, 'w');
		// The pipe to its input is never written to: see leash.mts.
		const child = spawn(command, args, { env, cwd, stdio: ['pipe', file, file] });
		closeSync(file);
		return new Program(child, options);
	}

	/** What it has said so far. */
	get log(): string {
		return readFileSync(this.options.log, 'utf8');
	}

	get running(): boolean {
		return this.child.exitCode === null && this.child.signalCode === null;
	}

	/** Waits until the check is met. @throws with the end of its log when it ends before, or never is */
	async ready(check: () => Promise<boolean>, timeout: number): Promise<void> {
		const { name } = this.options;
		const look = async () => {
			if (this.running) return (await check()) || undefined;
			throw new Error(`${name} ended by itself`);
		};
		try {
			await until(look, { what: `sign that ${name} is ready`, timeout });
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			throw new Error(`${reason}. It said last:\n${lastLines(this.log)}`);
		}
	}

	/** Asks it to stop, and makes it stop when it does not. */
	async stop(): Promise<void> {
		if (!this.running) return;
		this.child.kill('SIGTERM');
		const insist = setTimeout(() => this.child.kill('SIGKILL'), TIME_TO_STOP);
		await this.ended;
		clearTimeout(insist);
	}

	/** Ends it at once, without a chance to tidy up. */
	async kill(): Promise<void> {
		if (!this.running) return;
		this.child.kill('SIGKILL');
		await this.ended;
	}
}
