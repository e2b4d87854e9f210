import path from 'node:path';
import { readCommandLine } from '../support/commandLine.mts';
import { USUAL_SERVICE_PORT } from './keptData.mts';

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

const COMMAND = {
	name: 'npm start',
	purpose: [
		'Starts n8n with the nodes of this package, a credential and all examples, and the simulated',
		'service. The first time, it downloads n8n. Ctrl+C stops both; the next start continues with',
		'their data. A second one at the same time needs another --folder, --n8n-port and --service-port.',
	],
	options: {
		'n8n-port': { type: 'string', default: '5678', value: 'port', purpose: "n8n's port" },
		'service-port': {
			type: 'string',
			value: 'port',
			purpose: "The simulated service's port",
			usual: `${USUAL_SERVICE_PORT}, or that of the kept data`,
		},
		folder: {
			type: 'string',
			// A hidden folder, since `n8n-node build` copies the images of all others into the package.
			default: 'test/n8n/.data',
			value: 'folder',
			purpose: 'Where n8n and the service keep their data',
		},
		fresh: {
			type: 'boolean',
			default: false,
			purpose: 'Delete the kept data, and start with new data',
		},
	},
} as const;

/** Reads the options of `npm start`. @throws naming an option with an invalid value */
export function readStartOptions(): StartOptions {
	const values = readCommandLine(COMMAND);
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
