import { execFile, type ExecFileException } from 'node:child_process';
import { promisify, stripVTControlCharacters } from 'node:util';

const run = promisify(execFile);

/** Reports progress to the person waiting. */
export type Print = (text: string) => void;

/** Where and how a command runs. */
export interface CommandOptions {
	/** Relative to the project's folder. */
	cwd?: string;
	env?: Record<string, string>;
	/** ms; a command that takes longer is killed. */
	timeout?: number;
}

const LONGEST_LINE = 300;
const LARGEST_OUTPUT = 256 * 1024 * 1024;

/** Runs a command and returns what it wrote to stdout. @throws with the end of its output */
export async function runCommand(
	command: string,
	args: readonly string[],
	{ cwd, env = cleanEnvironment(), timeout }: CommandOptions = {},
): Promise<string> {
	const options = { cwd, env, timeout, killSignal: 'SIGKILL', maxBuffer: LARGEST_OUTPUT } as const;
	try {
		return (await run(command, args, options)).stdout;
	} catch (error) {
		// Within Jest, it is no instance of the `Error` that this file knows.
		const { code, signal, stdout = '', stderr = '' } = error as ExecFileException;
		const reason = signal ? `ended by ${signal}` : `exit code ${code}`;
		const limit = signal && timeout ? `, after at most ${timeout / 1000} s` : '';
		const output = lastLinesOf(`${stdout}\n${stderr}`) || '(no output)';
		throw new Error(`“${command} ${args.join(' ')}” failed (${reason}${limit}):\n${output}`);
	}
}

/** Whether a command can be run, and succeeds. */
export async function succeeds(command: string, args: readonly string[]): Promise<boolean> {
	return await runCommand(command, args).then(
		() => true,
		() => false,
	);
}

/** The end of a program's output, which usually contains the reason for a failure. */
export function lastLinesOf(text: string, count = 30): string {
	const lines = stripVTControlCharacters(text).trim().split('\n').slice(-count);
	return lines.map((line) => line.slice(0, LONGEST_LINE)).join('\n');
}

/** This process's environment without the settings of the npm that started it. */
export function cleanEnvironment(): Record<string, string> {
	const entries = Object.entries(process.env).filter(
		(entry): entry is [string, string] => entry[1] !== undefined && !/^npm_/i.test(entry[0]),
	);
	return Object.fromEntries(entries);
}
