import { execFile, type ExecFileException } from 'node:child_process';
import { promisify, stripVTControlCharacters } from 'node:util';

const run = promisify(execFile);

/** Tells the person who waits what is going on. */
export type Say = (text: string) => void;

/** Where and how a command runs. */
export interface CommandOptions {
	/** Relative to the project's folder. */
	cwd?: string;
	env?: Record<string, string>;
	/** ms */
	timeout?: number;
}

/** What a command printed, and how it ended. */
export interface CommandResult {
	code: number;
	stdout: string;
	stderr: string;
}

const LONGEST_LINE = 300;
const LARGEST_OUTPUT = 256 * 1024 * 1024;

/** Runs a command to its end, whatever that is. @throws where it cannot be started or is killed */
export async function tryCommand(
	command: string,
	args: readonly string[],
	{ cwd, env, timeout }: CommandOptions = {},
): Promise<CommandResult> {
	const options = { cwd, env: env ?? ownEnvironment(), timeout, maxBuffer: LARGEST_OUTPUT };
	try {
		return { code: 0, ...(await run(command, args, options)) };
	} catch (error) {
		if (!(error instanceof Error)) throw error;
		const { code, stdout = '', stderr = '' }: ExecFileException = error;
		if (typeof code !== 'number') throw error;
		return { code, stdout, stderr };
	}
}

/** Runs a command that must succeed, and gives what it printed. */
export async function runCommand(
	command: string,
	args: readonly string[],
	options: CommandOptions = {},
): Promise<string> {
	const { code, stdout, stderr } = await tryCommand(command, args, options);
	if (code === 0) return stdout;
	const said = lastLines(`${stdout}\n${stderr}`);
	throw new Error(`“${command} ${args.join(' ')}” failed (exit code ${code}):\n${said}`);
}

/** The end of what a program said, where the reason of a failure stands. */
export function lastLines(text: string, count = 30): string {
	const lines = stripVTControlCharacters(text).trim().split('\n').slice(-count);
	return lines.map((line) => line.slice(0, LONGEST_LINE)).join('\n');
}

/** This process's environment, without what the npm that started it says about its own project. */
export function ownEnvironment(): Record<string, string> {
	const entries = Object.entries(process.env).filter(
		(entry): entry is [string, string] => entry[1] !== undefined && !/^npm_/i.test(entry[0]),
	);
	return Object.fromEntries(entries);
}
