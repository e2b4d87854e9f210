import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { lastLinesOf } from '../command.mts';
import { freePort } from '../ports.mts';
import { Rest } from '../rest.mts';
import { OWNER } from '../sandbox.mts';
import { waitUntil } from '../waitFor.mts';
import { chain, MANUAL, manualTrigger } from '../workflows.mts';

const NAME = 'Fairford Joinery';
const EXAMPLES = readdirSync('examples').filter((name) => name.endsWith('.json')).length;

/** `npm start`, with its output. */
class Start {
	output = '';

	private constructor(readonly child: ChildProcess) {
		child.stdout?.on('data', (text) => (this.output += String(text)));
		child.stderr?.on('data', (text) => (this.output += String(text)));
	}

	static async ready(...options: string[]): Promise<Start> {
		const ports = [`--n8n-port=${n8nPort}`, `--service-port=${servicePort}`];
		started = Start.with(`--folder=${folder}`, ...ports, ...options);
		await started.prints('Ctrl+C stops');
		return started;
	}

	static with(...options: string[]): Start {
		const script = path.resolve('test/n8n/start.mts');
		// Its free ports are not from the range of these tests, where it could take those above.
		const env = { ...process.env, JEST_WORKER_ID: '0' };
		return new Start(spawn(process.execPath, ['--import', 'tsx', script, ...options], { env }));
	}

	/** What it prints before it ends by itself with an error. */
	async failure(): Promise<string> {
		const [code] = await once(this.child, 'close');
		expect(code).toBe(1);
		return this.output;
	}

	async prints(text: string): Promise<void> {
		const isThere = () => {
			if (this.output.includes(text)) return true;
			if (this.child.exitCode === null) return false;
			throw new Error(`npm start has ended. The end of its output:\n${lastLinesOf(this.output)}`);
		};
		await waitUntil(isThere, { what: `npm start to print “${text}”`, timeout: 900_000 });
	}

	/** The value of a line such as `Client ID   …`. */
	valueOf(label: string): string {
		return new RegExp(`${label} +(\\S+)`).exec(this.output)?.[1] ?? '';
	}

	async end(signal: NodeJS.Signals): Promise<unknown> {
		const ended = once(this.child, 'exit');
		this.child.kill(signal);
		return await ended;
	}
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'engagement-uploads-start-'));
let started: Start | undefined;
let n8nPort: number;
let servicePort: number;

beforeAll(async () => {
	n8nPort = await freePort();
	servicePort = await freePort();
});

afterAll(async () => {
	if (started?.child.exitCode === null && started.child.signalCode === null)
		await started.end('SIGTERM');
	rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function logIn(): Promise<Rest> {
	const rest = new Rest(`http://127.0.0.1:${n8nPort}`);
	await rest.logIn(OWNER);
	return rest;
}

/** Calls the simulated service with the credential that `npm start` printed. */
function caller(start: Start) {
	const url = `${start.valueOf('Base URL')}/v1/clients/${start.valueOf('Client ID')}/engagements`;
	const headers = {
		authorization: `Bearer ${start.valueOf('Access Token')}`,
		'ocp-apim-subscription-key': start.valueOf('Subscription Key'),
		'content-type': 'application/json',
		connection: 'close',
	};
	return {
		create: async () => {
			const body = JSON.stringify({ sme: { name: NAME } });
			return await fetch(url, { method: 'POST', headers, body });
		},
		newest: async () => {
			const answer = await fetch(`${url}?size=1&orderBy=-createdAt`, { headers });
			return await answer.text();
		},
	};
}

test('a killed npm start leaves no n8n behind, and the next one continues with all data', async () => {
	const first = await Start.ready();
	const rest = await logIn();
	expect(await rest.workflows()).toHaveLength(EXAMPLES);
	await rest.createWorkflow(chain(NAME, [manualTrigger()]));
	expect((await caller(first).create()).status).toBe(200);
	await first.end('SIGKILL');

	// It waits until the first one's n8n, which would hold the port, has ended.
	const second = await Start.ready();
	const names = (await (await logIn()).workflows()).map(({ name }) => name);
	expect(names).toHaveLength(EXAMPLES + 1);
	expect(names).toContain(NAME);
	expect(await caller(second).newest()).toContain(NAME);
});

test('a second npm start leaves the data of the first one alone', async () => {
	const start = started;
	if (start === undefined) throw new Error('npm start does not run');
	const ports = [`--n8n-port=${await freePort()}`, `--service-port=${await freePort()}`];
	const beside = await Start.with(`--folder=${folder}`, '--fresh', ...ports).failure();
	expect(beside).toContain(`in use by another npm start (process ${start.child.pid})`);
	expect(beside).toContain('--folder');
	expect(await caller(start).newest()).toContain(NAME);
	const rest = await logIn();
	const [own] = (await rest.workflows()).filter(({ name }) => name === NAME);
	expect(await rest.run(own?.id ?? '', MANUAL)).toMatchObject({ status: 'success' });
	expect(await start.end('SIGTERM')).toEqual([0, null]);
	expect(start.output).toContain('continues with all data');
});

test('a port in use, or a folder with other files, is reported before anything is deleted', async () => {
	const options = [`--folder=${folder}`, '--fresh', `--n8n-port=${n8nPort}`];
	const occupied = createServer().listen(n8nPort, '127.0.0.1');
	const busy = await Start.with(...options).failure();
	occupied.close();
	expect(busy).toContain(`Port ${n8nPort} is in use`);
	expect(readdirSync(folder)).toEqual(expect.arrayContaining(['n8n', 'service.jsonl']));

	const others = mkdtempSync(path.join(os.tmpdir(), 'engagement-uploads-others-'));
	writeFileSync(path.join(others, 'service.jsonl'), 'of somebody else');
	const foreign = await Start.with(`--folder=${others}`, '--fresh').failure();
	expect(foreign).toContain('npm start did not create');
	expect(readdirSync(others)).toEqual(['service.jsonl']);
	rmSync(others, { recursive: true });
});

test('--fresh starts with new data', async () => {
	const start = await Start.ready('--fresh');
	expect(await (await logIn()).workflows()).toHaveLength(EXAMPLES);
	expect(await caller(start).newest()).not.toContain(NAME);
});
