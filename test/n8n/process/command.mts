import { execFile, type ExecFileException, type ExecFileOptions } from 'node:child_process';
import { promisify, stripVTControlCharacters } from 'node:util';

const run = promisify(execFile);

/** Reports progress to the person waiting. */
export type Print = (text: string) => void;

const LONGEST_LINE = 300;
const LARGEST_OUTPUT = 256 * 1024 * 1024;

/** Runs a command and returns what it wrote to stdout. @throws with the end of its output */
export async function runCommand(
	command: string,
	args: readonly string[],
	{ env = cleanEnvironment(), cwd }: Pick<ExecFileOptions, 'cwd' | 'env'> = {},
): Promise<string> {
	try {
		return (await run(command, args, { env, cwd, maxBuffer: LARGEST_OUTPUT })).stdout;
	} catch (error) {
		// Within Jest, it is no instance of the `Error` that this file knows.
		const { code, signal, stdout = '', stderr = '' } = error as ExecFileException;
		const reason = signal ? `ended by ${signal}` : `exit code ${code}`;
		const output = lastLines(`${stdout}\n${stderr}`);
		throw new Error(`“${command} ${args.join(' ')}” failed (${reason}):\n${output}`);
	}
}

/** The end of a program's output, which usually contains the reason for a failure. */
export function lastLines(text: string): string {
	const lines = stripVTControlCharacters(text).trim().split('\n').slice(-30);
	return lines.map((line) => line.slice(0, LONGEST_LINE)).join('\n');
}

/** This process's environment without the settings of the npm that started it. */
export function cleanEnvironment(): Record<string, string> {
	const entries = Object.entries(process.env).filter(
		(entry): entry is [string, string] => entry[1] !== undefined && !/^npm_/i.test(entry[0]),
	);
	return Object.fromEntries(entries);
}
