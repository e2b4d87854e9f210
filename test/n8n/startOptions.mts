import path from 'node:path';
import { parseArgs } from 'node:util';

/** The command-line options of `npm start`. */
export interface StartOptions {
	n8nPort: number;
	/** Undefined: the port of the kept data, or the usual one. */
	servicePort: number | undefined;
	/** Where n8n and the service keep their data. */
	folder: string;
	/** Starts with new data. */
	isFresh: boolean;
}

const OPTIONS = {
	'n8n-port': { type: 'string', default: '5678' },
	'service-port': { type: 'string' },
	// A hidden folder, since `n8n-node build` copies the images of all others into the package.
	folder: { type: 'string', default: 'test/n8n/.data' },
	fresh: { type: 'boolean', default: false },
} as const;

/** Reads the options of `npm start`. @throws naming an option with an invalid value */
export function readStartOptions(): StartOptions {
	const { values } = parseArgs({ options: OPTIONS });
	const servicePort = values['service-port'];
	return {
		n8nPort: readPort('--n8n-port', values['n8n-port']),
		servicePort: servicePort === undefined ? undefined : readPort('--service-port', servicePort),
		folder: path.resolve(values.folder),
		isFresh: values.fresh,
	};
}

function readPort(option: string, text: string): number {
	const port = Number(text);
	if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
	throw new Error(`${option} must be a number from 1 to 65535, not “${text}”`);
}
