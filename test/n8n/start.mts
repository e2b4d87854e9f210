import { parseArgs } from 'node:util';
import type { SimulatedService } from '../service/http.mts';
import { SeededRandom } from '../service/random.mts';
import { N8n, removeUserFolder } from './n8n.mts';
import { assertFree } from './ports.mts';
import { credentialFor, makeTemplate, OWNER, Stage } from './stage.mts';
import { examples } from './workflows.mts';

const BETWEEN_UPLOADS = 20_000;
const OPTIONS = {
	'n8n-port': { type: 'string', default: '5678' },
	'service-port': { type: 'string', default: '5679' },
} as const;

type PortOption = keyof typeof OPTIONS;

async function readPorts(): Promise<{ n8nPort: number; servicePort: number }> {
	const { values } = parseArgs({ options: OPTIONS });
	const n8nPort = readPort('n8n-port', values['n8n-port']);
	const servicePort = readPort('service-port', values['service-port']);
	await assertFree(n8nPort, 'n8n', '--n8n-port');
	await assertFree(servicePort, 'the simulated service', '--service-port');
	return { n8nPort, servicePort };
}

function readPort(option: PortOption, text: string): number {
	const port = Number(text);
	if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
	throw new Error(`--${option} must be a number from 1 to 65535, not “${text}”`);
}
