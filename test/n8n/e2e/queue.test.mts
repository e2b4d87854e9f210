import path from 'node:path';
import { startWorker } from '../n8n.mts';
import type { Program } from '../program.mts';
import { startRedis, type Redis } from '../redis.mts';
import { makeUserFolder, Sandbox } from '../sandbox.mts';
import { waitUntil } from '../waitFor.mts';
import { actionNode } from '../workflows.mts';
import { addHistory, every, PublishedTrigger, triggerWorkflow } from './polling.mts';
import { recordsOf, template } from './setup.mts';

const UPLOADS = 1000;
const AT_ONCE = 25;
const BETWEEN_BATCHES_MS = 1000;

let redis: Redis;
let sandbox: Sandbox;
let trigger: PublishedTrigger;
const workers: Program[] = [];

async function addWorker(env: Record<string, string>): Promise<void> {
	// The database is in the first folder; each worker has a folder of its own, as on another
	// machine.
	const DB_SQLITE_DATABASE = path.join(sandbox.n8n.folder, '.n8n/database.sqlite');
	const options = { folder: makeUserFolder(template()), env: { ...env, DB_SQLITE_DATABASE } };
	workers.push(await startWorker(template().installation, options));
}

beforeAll(async () => {
	redis = await startRedis(template().folder);
	const env = {
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redis.port),
	};
	sandbox = await Sandbox.open(template(), { service: {}, env });
	await Promise.all([addWorker(env), addWorker(env)]);
	const credential = await addHistory(sandbox);
	const parameters = {
		resource: 'upload',
		operation: 'getLast',
		engagementIds: '={{ $json.engagementId }}',
	};
	const next = actionNode('Last', parameters, credential);
	const workflow = triggerWorkflow(every(2), credential, { next });
	trigger = await PublishedTrigger.publish(sandbox, workflow);
});

afterAll(async () => {
	for (const worker of workers) await worker.stop();
	await sandbox?.close();
	await redis?.stop();
});

test('a thousand uploads are emitted once each, and processed by both workers', async () => {
	const isEnough = () => {
		for (let count = 0; count < AT_ONCE; count += 1) trigger.complete();
		const startedBy = ({ log }: Program) => log.split('Worker started execution').length - 1;
		return trigger.expected.length >= UPLOADS && workers.every((each) => startedBy(each) > 1);
	};
	const what = 'executions on both workers';
	await waitUntil(isEnough, { what, interval: BETWEEN_BATCHES_MS });
	await trigger.expectAllEmitted();
	for (const execution of await trigger.executions())
		expect(recordsOf(execution, 'Last')).not.toEqual([]);
});
