/** Queue mode: the main process polls, and two workers run the executions (docs/scale.md). */
import { delays } from '../../support/service/http.mts';
import { startPostgres, startRedis } from '../process/databases.mts';
import { startWorker } from '../process/n8n.mts';
import type { Program } from '../process/program.mts';
import { FINISHED, type SavedWorkflow, type WorkflowInput } from '../workflows/rest.mts';
import { makeUserFolder, Sandbox } from '../process/sandbox.mts';
import { waitUntil } from '../process/waitFor.mts';
import { actionNode, chain, makeNode } from '../workflows/nodes.mts';
import { expectAllEmitted, PublishedTrigger, publishErrorWorkflow } from './polling.mts';
import { template } from './setup.mts';

/** n8n notices a dead worker in about 45 s instead of two minutes. */
const NOTICE_SOON = {
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '1000',
	QUEUE_WORKER_STALLED_INTERVAL: '2000',
};
const CONNECTOR = 'cloudbooks';
const BATCH = 20;
/** How long a request takes (ms). */
const LATENCY = 100;

let sandbox: Sandbox;
const databases: Program[] = [];
const workers: Program[] = [];
let credential: string;
let errorWorkflow: string;
let refreshes: SavedWorkflow;

/** A workflow that refreshes the engagements that are posted to it, in an execution of its own. */
function refreshWorkflow(): WorkflowInput {
	const webhook = { httpMethod: 'POST', path: 'refresh', responseMode: 'onReceived' };
	const split = {
		fieldToSplitOut: 'body.engagementId',
		options: { destinationFieldName: 'engagementId' },
	};
	const refresh = {
		resource: 'dataRefresh',
		operation: 'run',
		engagementId: '={{ $json.engagementId }}',
		connectorName: CONNECTOR,
	};
	const more = { typeVersion: 2, webhookId: 'refresh' };
	const workflow = chain('Refresh a batch', [
		makeNode('Webhook', 'n8n-nodes-base.webhook', webhook, more),
		makeNode('Split', 'n8n-nodes-base.splitOut', split),
		actionNode('Refresh', refresh, credential),
	]);
	return { ...workflow, settings: { ...workflow.settings, errorWorkflow } };
}

beforeAll(async () => {
	const { installation, folder } = template();
	const [redis, postgres] = [await startRedis(folder), await startPostgres(folder)];
	databases.push(redis.program, postgres.program);
	const env = { ...redis.env, ...postgres.env, ...NOTICE_SOON };
	const settings = { latencyMs: LATENCY, uploadDurationMs: Infinity };
	sandbox = await Sandbox.open(template(), { env, service: { settings } });
	// Each worker has a folder of its own, as on another machine.
	const folders = [makeUserFolder(template()), makeUserFolder(template())];
	const startIn = async (own: string) => await startWorker(installation, { folder: own, env });
	workers.push(...(await Promise.all(folders.map(startIn))));
	sandbox.service.model.addConnector({ name: CONNECTOR });
	credential = await sandbox.credential();
	errorWorkflow = await publishErrorWorkflow(sandbox);
	refreshes = await sandbox.rest.createWorkflow(refreshWorkflow());
	await sandbox.rest.activate(refreshes);
});

afterAll(async () => {
	for (const worker of workers) await worker.stop();
	await sandbox?.close();
	for (const database of databases) await database.stop();
});

/** The IDs of the executions that a worker has started, or finished. */
function executionsIn({ log }: Program, what: 'started' | 'finished'): string[] {
	return [...log.matchAll(new RegExp(`Worker ${what} execution (\\d+)`, 'g'))].map(
		([, id = '']) => id,
	);
}

/** Adds engagements without data, whose refreshes complete, and posts them in batches. @returns their IDs */
async function refreshNew(count: number): Promise<number[]> {
	const { n8n, service } = sandbox;
	const ids = Array.from({ length: count }, () => service.model.addEngagement().id);
	for (const id of ids) service.model.refreshOutcomes.set(id, 'completes');
	for (let at = 0; at < count; at += BATCH) {
		const answer = await fetch(`${n8n.url}/webhook/refresh`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ engagementId: ids.slice(at, at + BATCH) }),
		});
		expect(answer.status).toBe(200);
	}
	return ids;
}

async function waitUntilRefreshed(): Promise<void> {
	const { rest } = sandbox;
	const isIdle = async () =>
		(await rest.listExecutions(refreshes.id, ['new', 'running'])).length === 0;
	await waitUntil(isIdle, { what: 'the executions to finish', interval: 500 });
}

/** Those of the engagements that have been refreshed as many times. */
function refreshed(ids: number[], times: number): number[] {
	return ids.filter((id) => sandbox.service.model.uploads.of(id).length === times);
}

test('the trigger polls in the main process, and a worker runs what follows', async () => {
	const trigger = await PublishedTrigger.publish(sandbox, {}, { credential });
	trigger.expected.push(sandbox.service.model.addCompletedUpload().uploadId);
	await expectAllEmitted([trigger]);
	const [{ id = '' } = {}] = await trigger.executions();
	// It may say later that it has finished.
	expect(workers.flatMap((worker) => executionsIn(worker, 'started'))).toContain(id);
	await sandbox.rest.deactivate(trigger);
});

test('a killed worker loses only what it was working on, and nothing is done twice', async () => {
	const { rest, service } = sandbox;
	const { wait } = delays;
	const handle = service.handle.bind(service);
	let release = () => {};
	const released = new Promise<void>((resolve) => (release = resolve));
	let handled = 0;
	// However busy this machine is, no batch is done by then.
	service.handle = (request) => {
		handled += 1;
		if (handled === BATCH / 2) delays.wait = async () => await released;
		return handle(request);
	};
	const ids = await refreshNew(8 * BATCH);
	await waitUntil(() => delays.wait !== wait, { what: 'the first refreshes' });
	const load = (worker: Program) =>
		executionsIn(worker, 'started').length - executionsIn(worker, 'finished').length;
	const [busiest] = workers.toSorted((one, other) => load(other) - load(one));
	await busiest?.kill();
	delays.wait = wait;
	release();
	await waitUntilRefreshed();

	const ended = FINISHED.filter((status) => status !== 'success');
	const failed = await rest.listExecutions(refreshes.id, ended);
	const lost = refreshed(ids, 0);
	expect(refreshed(ids, 1)).toHaveLength(ids.length - lost.length);
	expect(lost.length).toBeGreaterThan(0);
	expect(lost.length).toBeLessThanOrEqual(failed.length * BATCH);
	const areReported = async () =>
		(await rest.listExecutions(errorWorkflow)).length >= failed.length;
	await waitUntil(areReported, { what: 'the error workflow for each failed execution' });
});
