import { createRequire } from 'node:module';
import path from 'node:path';

/**
 * The only place in the harness that loads n8n. n8n reads the environment while it loads, so that
 * must be set first. It is loaded as CommonJS, as n8n-core and the nodes load n8n-workflow, so that
 * there is one copy of its classes even if this runs as an ES module, and once for all test files of
 * a worker (test/environment.js).
 */
const worker = process.env.JEST_WORKER_ID ?? 'main';
process.env.N8N_USER_FOLDER ??= path.resolve('node_modules/.cache', `n8n-engine-${worker}`);
process.env.N8N_LOG_LEVEL ??= 'silent';

type Load = (name: string) => unknown;
const { requireOnce } = globalThis as {
	requireOnce?: (folder: string, name: string) => unknown;
};

/** `npm run test:oldest` tests the oldest supported n8n (test/oldest) instead of the root's own. */
export const isOldestN8n = process.env.N8N_UNDER_TEST === 'oldest';

const home = isOldestN8n ? 'test/oldest/.installed' : '.';
const loadFrom = (folder: string): Load =>
	requireOnce === undefined
		? createRequire(path.resolve(folder, 'package.json'))
		: (name) => requireOnce(folder, name);
const load = loadFrom(home);
load('reflect-metadata');

/** n8n-core, as the nodes under test see it. */
export const core = load('n8n-core') as typeof import('n8n-core');

/** n8n-workflow, as the nodes under test see it. */
export const n8n = load('n8n-workflow') as typeof import('n8n-workflow');

/** What n8n-core itself uses, of which the root may have another version. */
const loadFromCore = loadFrom(path.join(home, 'node_modules/n8n-core'));

/** n8n's container of services, and the settings in it. */
export const { Container } = loadFromCore('@n8n/di') as typeof import('@n8n/di');
export const config = loadFromCore('@n8n/config') as typeof import('@n8n/config');

interface Axios {
	interceptors: {
		request: { use(change: (config: object) => object): number; eject(id: number): void };
	};
}

/** n8n's HTTP client. */
export const axios = loadFromCore('axios') as Axios;

/** n8n's wrapper for the calls that an AI agent makes to a tool; n8n-core does not export it. */
export const { makeHandleToolInvocation } = load(
	'n8n-core/dist/execution-engine/node-execution-context/utils/get-input-connection-data',
) as typeof import('n8n-core/dist/execution-engine/node-execution-context/utils/get-input-connection-data');
