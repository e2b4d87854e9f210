import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { cleanEnvironment } from '../process/command.mts';
import { freePort } from '../process/ports.mts';
import { Program } from '../process/program.mts';
import { Rest } from '../workflows/rest.mts';
import { OWNER } from '../process/sandbox.mts';
import { chain, MANUAL, manualTrigger } from '../workflows/nodes.mts';
import { listRecords, template } from './setup.mts';

const NAME = 'Fairford Joinery';
/** A file in the folder, and in that of the data. */
const NOTES = 'notes.txt';
const EXAMPLES = readdirSync('examples').filter((name) => name.endsWith('.json')).length;
/** With “Start here”. */
const WORKFLOWS = EXAMPLES + 1;

const folder = mkdtempSync(path.join(os.tmpdir(), 'engagement-uploads-start-'));
const data = path.join(folder, 'engagement-uploads');
let port: number;
let started: Program;
let beside: Program;

/** `npm start` with these options. */
function start(name: string, ...options: string[]): Program {
	const line = [process.execPath, '--import', 'tsx', 'test/n8n/start/main.mts', ...options];
	// Its free ports are not from the range of these tests, where it could take those of others.
	const env = { ...cleanEnvironment(), JEST_WORKER_ID: '0' };
	return new Program({ name, line, env, folder: template().folder, cwd: process.cwd() });
}

/** Starts it with the folder and port of these tests, and waits until it has started. */
async function startOwn(...options: string[]): Promise<void> {
	started = start('npm-start', `--folder=${folder}`, `--port=${port}`, ...options);
	await started.ready(() => started.log.includes('Ctrl+C stops'));
}

/** The value of a printed line such as `Client ID   …`. */
function valueOf(label: string): string {
	return new RegExp(`${label} {2,}(\\S+)`).exec(started.log)?.[1] ?? '';
}

beforeAll(async () => {
	port = await freePort();
	mkdirSync(data);
	for (const place of [folder, data]) writeFileSync(path.join(place, NOTES), 'of somebody else');
	// As if there were data to continue with.
	writeFileSync(path.join(data, 'complete'), String(port));
});

afterAll(async () => {
	await started?.stop();
	rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function logIn(): Promise<Rest> {
	const rest = new Rest(`http://127.0.0.1:${port}`);
	await rest.logIn(OWNER.email, OWNER.password);
	return rest;
}

/** Calls the simulated service with the credential that `npm start` printed. */
async function callService(method: string, query: string, body?: object): Promise<string> {
	const [baseUrl, clientId] = [valueOf('Base URL'), valueOf('Client ID')];
	const answer = await fetch(`${baseUrl}/v1/clients/${clientId}/engagements${query}`, {
		method,
		headers: {
			authorization: `Bearer ${valueOf('Access Token')}`,
			'ocp-apim-subscription-key': valueOf('Subscription Key'),
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
test('--fresh deletes the data of npm start only', async () => {
	await startOwn('--fresh');
	expect(await (await logIn()).workflows()).toHaveLength(WORKFLOWS);
	expect(readdirSync(folder)).toContain(NOTES);
	expect(readdirSync(data)).not.toContain(NOTES);
});

test('a killed npm start leaves no n8n behind, and the next one continues with all data', async () => {
	await (await logIn()).createWorkflow(chain(NAME, [manualTrigger()]));
	await callService('POST', '', { sme: { name: NAME } });
	await started.kill();

	// It waits until the first one's n8n, which would hold the port, has ended.
	await startOwn();
	expect(await (await logIn()).workflows()).toHaveLength(WORKFLOWS + 1);
	expect(await newestEngagement()).toContain(NAME);
	// It waits for the port, too, during the next test.
	beside = start('beside', `--folder=${folder}`, '--fresh', `--port=${await freePort()}`);
});

test('“Start here” stands on top, and leads to the others', async () => {
	const rest = await logIn();
	const [first, ...others] = (await rest.workflows()).filter(({ name }) => name !== NAME);
	expect(first?.name).toBe('Start here');
	const { nodes } = await rest.workflow(first?.id ?? '');
	const text = nodes.map(({ parameters }) => String(parameters.content ?? '')).join('\n');
	const links = [...text.matchAll(/\[([^\]]+)\]\([^)]*\/workflow\/(\w+)\)/g)];
	expect(links.length).toBeGreaterThan(7);
	for (const [, name, id] of links)
		expect(others).toContainEqual(expect.objectContaining({ id, name }));
	const execution = await rest.run(first?.id ?? '', MANUAL);
	expect(listRecords(execution, 'Get Data Status').length).toBeGreaterThan(1);
});

test('another npm start does not delete its data', async () => {
	expect(await beside.ended).toEqual([1, null]);
	expect(beside.log).toContain(`Port ${port} is in use`);
	const rest = await logIn();
	const own = (await rest.workflows()).find(({ name }) => name === NAME);
	expect(await rest.run(own?.id ?? '', MANUAL)).toMatchObject({ status: 'success' });
	expect(await newestEngagement()).toContain(NAME);
});

test('it ends in order when asked to', async () => {
	await started.stop();
	expect(await started.ended).toEqual([0, null]);
	expect(started.log).toContain('continues with all data');
});
