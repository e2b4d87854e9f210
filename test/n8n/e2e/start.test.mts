import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { lastLines } from '../command.mts';
import { freePort } from '../ports.mts';
import { Rest } from '../rest.mts';
import { OWNER } from '../sandbox.mts';
import { waitUntil } from '../waitFor.mts';
import { chain, MANUAL, manualTrigger } from '../workflows.mts';

const NAME = 'Fairford Joinery';
const EXAMPLES = readdirSync('examples').filter((name) => name.endsWith('.json')).length;

const folder = mkdtempSync(path.join(os.tmpdir(), 'engagement-uploads-start-'));
let n8nPort: number;
let servicePort: number;
let started: Start;

/** `npm start`, with its output. */
class Start {
	output = '';
	private readonly child;
	private isClosed = false;

	constructor(...options: string[]) {
		const args = ['--import', 'tsx', path.resolve('test/n8n/start.mts'), ...options];
		// Its free ports are not from the range of these tests, where it could take those of others.
		this.child = spawn(process.execPath, args, { env: { ...process.env, JEST_WORKER_ID: '0' } });
		this.child.stdout.on('data', (text) => (this.output += String(text)));
		this.child.once('close', () => (this.isClosed = true));
		this.child.stderr.on('data', (text) => (this.output += String(text)));
	}

	/** Starts it with the folder and ports of these tests, and waits until it has started. */
	static async ready(...options: string[]): Promise<Start> {
		started = new Start(`--folder=${folder}`, ...ownPorts(), ...options);
		const isReady = () => {
			if (started.child.exitCode === null) return started.output.includes('Ctrl+C stops');
			throw new Error(`npm start has ended:\n${lastLines(started.output)}`);
		};
		await waitUntil(isReady, { what: 'npm start', timeout: 900_000 });
		return started;
	}

	/** The value of a printed line such as `Client ID   …`. */
	valueOf(label: string): string {
		return new RegExp(`${label} {2,}(\\S+)`).exec(this.output)?.[1] ?? '';
	}

	/** Waits until it has ended. @returns its exit code, and the signal if one killed it */
	async ended(): Promise<unknown> {
		await waitUntil(() => this.isClosed, { what: 'npm start to end' });
		return [this.child.exitCode, this.child.signalCode];
	}

	async end(signal: NodeJS.Signals): Promise<unknown> {
		this.child.kill(signal);
		return await this.ended();
	}
}

const ownPorts = () => [`--n8n-port=${n8nPort}`, `--service-port=${servicePort}`];

beforeAll(async () => {
	n8nPort = await freePort();
	servicePort = await freePort();
});

afterAll(async () => {
	await started?.end('SIGTERM');
	rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function logIn(): Promise<Rest> {
	const rest = new Rest(`http://127.0.0.1:${n8nPort}`);
	await rest.logIn(OWNER);
	return rest;
}

/** Calls the simulated service with the credential that `npm start` printed. */
async function callService(method: string, query: string, body?: object): Promise<string> {
	const [baseUrl, clientId] = [started.valueOf('Base URL'), started.valueOf('Client ID')];
	const answer = await fetch(`${baseUrl}/v1/clients/${clientId}/engagements${query}`, {
		method,
		headers: {
			authorization: `Bearer ${started.valueOf('Access Token')}`,
			'ocp-apim-subscription-key': started.valueOf('Subscription Key'),
			'content-type': 'application/json',
			connection: 'close',
		},
		body: body && JSON.stringify(body),
	});
	expect(answer.status).toBe(200);
	return await answer.text();
}

const newestEngagement = async () => await callService('GET', '?size=1&orderBy=-createdAt');

// Each test continues where the one before it stopped.
test('a killed npm start leaves no n8n behind, and the next one continues with all data', async () => {
	const first = await Start.ready();
	const rest = await logIn();
	expect(await rest.workflows()).toHaveLength(EXAMPLES);
	await rest.createWorkflow(chain(NAME, [manualTrigger()]));
	await callService('POST', '', { sme: { name: NAME } });
	await first.end('SIGKILL');

	// It waits until the first one's n8n, which would hold the port, has ended.
	await Start.ready();
	expect(await (await logIn()).workflows()).toHaveLength(EXAMPLES + 1);
	expect(await newestEngagement()).toContain(NAME);
});

test('another npm start deletes neither its data nor other files', async () => {
	const ports = [`--n8n-port=${await freePort()}`, `--service-port=${await freePort()}`];
	const beside = new Start(`--folder=${folder}`, '--fresh', ...ports);
	expect(await beside.ended()).toEqual([1, null]);
	expect(beside.output).toContain(`Port ${servicePort} is in use`);
	const rest = await logIn();
	const own = (await rest.workflows()).find(({ name }) => name === NAME);
	expect(await rest.run(own?.id ?? '', MANUAL)).toMatchObject({ status: 'success' });
	expect(await newestEngagement()).toContain(NAME);

	const others = mkdtempSync(path.join(os.tmpdir(), 'engagement-uploads-others-'));
	writeFileSync(path.join(others, 'service.jsonl'), 'of somebody else');
	const foreign = new Start(`--folder=${others}`, '--fresh', ...ports);
	expect(await foreign.ended()).toEqual([1, null]);
	expect(foreign.output).toContain('npm start did not create');
	expect(readdirSync(others)).toEqual(['service.jsonl']);
	rmSync(others, { recursive: true });
});

test('it ends in order when asked to, and --fresh starts with new data', async () => {
	expect(await started.end('SIGTERM')).toEqual([0, null]);
	expect(started.output).toContain('continues with all data');
	await Start.ready('--fresh');
	expect(await (await logIn()).workflows()).toHaveLength(EXAMPLES);
	expect(await newestEngagement()).not.toContain(NAME);
});
