/** The options of this project's commands: described once, for reading them and for `--help`. */
import { parseArgs } from 'node:util';

/** An option with a value, or a switch. */
interface Option {
	type: 'string' | 'boolean';
	default?: string | boolean;
	/** What stands for the value in the help, such as `port`. */
	value?: string;
	/** What it does, as a sentence without the final stop. */
	purpose: string;
	/** The default in words, if it is not always the same. */
	usual?: string;
}

/** A command of package.json, and its options by name. */
interface Command<Options> {
	/** As it is typed: `npm start`. */
	name: string;
	/** What it does, in a few lines. */
	purpose: readonly string[];
	options: Options;
}

/**
 * The values of a command's options, from the command line. With `--help`, prints them with their
 * defaults instead, and ends. @throws naming an option that there is not
 */
export function readCommandLine<Options extends Record<string, Option>>(command: Command<Options>) {
	if (process.argv.slice(2).includes('--help')) {
		console.log(helpOf(command));
		process.exit();
	}
	try {
		return parseArgs({ options: command.options }).values;
	} catch (error) {
		if (!(error instanceof Error)) throw error;
		// Node.js goes on to explain how to pass arguments that look like options.
		const [problem] = error.message.split('. ');
		throw new Error(`${problem}. ${command.name} -- --help shows the options.`);
	}
}

function helpOf({ name, purpose, options }: Command<Record<string, Option>>): string {
	const rows = Object.entries(options).map(([option, { value, ...rest }]) => [
		`--${option}${value === undefined ? '' : ` <${value}>`}`,
		`${rest.purpose} (default: ${rest.usual ?? shown(rest.default)})`,
	]);
	rows.push(['--help', 'Show this help']);
	const width = Math.max(...rows.map(([left = '']) => left.length));
	const lines = rows.map(([left = '', right]) => `  ${left.padEnd(width)}  ${right}`);
	const usage = `Usage: ${name}${rows.length > 1 ? ' -- [options]' : ''}`;
	return [...purpose, '', usage, '', ...lines].join('\n');
}

function shown(value: string | boolean | undefined): string {
	return typeof value === 'string' ? value : value === true ? 'yes' : 'no';
}
