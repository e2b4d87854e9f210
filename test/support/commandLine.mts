import { parseArgs, type ParseArgsConfig } from 'node:util';

/**
 * The values of a command's options, from the command line. With `--help`, prints the help instead, and
 * ends. @throws naming an option that there is not
 */
export function readCommandLine<Options extends NonNullable<ParseArgsConfig['options']>>(
	help: string,
	options: Options,
) {
	if (process.argv.includes('--help')) {
		console.log(help);
		process.exit();
	}
	try {
		return parseArgs({ options }).values;
	} catch (error) {
		if (!(error instanceof Error)) throw error;
		// Node.js goes on to explain how to pass arguments that look like options.
		const [problem] = error.message.split('. ');
		throw new Error(`${problem}. --help shows the options.`);
	}
}
