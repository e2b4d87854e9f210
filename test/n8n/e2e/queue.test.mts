import { setInterval as ticks } from 'node:timers/promises';
import type { Program } from '../program.mts';
import { startRedis, type Redis } from '../redis.mts';
import { startWorker } from '../n8n.mts';
import { Stage } from '../stage.mts';
import { until } from '../until.mts';
import { makeNode } from '../workflows.mts';
import { Ledger } from './ledger.mts';
import { every, furnish, Polled, polledWorkflow } from './polled.mts';
import { template } from './setup.mts';

const UPLOADS = 200;
const AT_ONCE = 25;
const PATIENCE = 120_000;

let redis: Redis;
let stage: Stage;
let ledger: Ledger;
let polled: Polled;
const workers = new Map<string, Program>();

function environment(): Record<string, string> {
	return {
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		// How soon n8n sees that a worker is gone; a minute and more unless set.
		QUEUE_WORKER_LOCK_DURATION: '15000',
		QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
		QUEUE_WORKER_STALLED_INTERVAL: '5000',
	};
}

async function addWorker(name: string): Promise<void> {
	const options = { folder: stage.n8n.folder, env: environment() };
	workers.set(name, await startWorker(template().installation, options, name));
}

beforeAll(async () => {
	redis = await startRedis(template().folder, (text) => process.stderr.write(`${text}\n`));
	stage = await Stage.open(template(), { service: {}, env: environment() });
	await Promise.all([addWorker('first'), addWorker('second')]);
	ledger = await Ledger.open();
	const note = makeNode('Note', 'n8n-nodes-base.httpRequest', {
		method: 'POST',
		url: ledger.url,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: '={{ { uploadId: $json.uploadId, executionId: $execution.id } }}',
	});
	const workflow = polledWorkflow(every(2), await furnish(stage), [{ ...note, typeVersion: 4.2 }]);
	polled = await Polled.publish(stage, workflow);
}, 300_000);

afterAll(async () => {
	for (const worker of workers.values()) await worker.stop();
	await stage?.close();
	await ledger?.close();
	await redis?.stop();
}, 120_000);

/** The executions that a worker has started, by id. */
function startedBy(name: string): string[] {
	const log = workers.get(name)?.log ?? '';
	return [...log.matchAll(/Worker started execution (\d+)/g)].map(([, id = '']) => id);
}

function noted(): string[] {
	return ledger.entries.map(({ uploadId }) => uploadId);
}

test('a thousand uploads that complete while it runs are processed once each, by both workers', async () => {
	const completed: string[] = [];
	for await (const _ of ticks(1000)) {
		for (let count = 0; count < AT_ONCE; count += 1) completed.push(polled.complete());
		if (completed.length >= UPLOADS) break;
	}
	await until(() => noted().length >= UPLOADS || undefined, {
		what: `${UPLOADS} processed uploads`,
		timeout: PATIENCE,
	});
	await polled.settle();
	expect(startedBy('first').length).toBeGreaterThan(1);
	expect(startedBy('second').length).toBeGreaterThan(1);
	expect(new Set(noted()).size).toBe(noted().length);
}, 300_000);

test('a worker is killed in the middle: its executions fail, nothing is emitted or run twice', async () => {
	ledger.hold();
	const second = workers.get('second');
	const before = startedBy('second').length;
	await until(
		() => {
			polled.complete();
			return startedBy('second').length > before || undefined;
		},
		{ what: 'execution on the second worker', timeout: PATIENCE, interval: 500 },
	);
	const victims = startedBy('second').slice(before);
	await until(
		() => victims.every((id) => ledger.entries.some((e) => e.executionId === id)) || undefined,
		{ what: 'upload being processed', timeout: PATIENCE },
	);
	await second?.kill();
	const t = Date.now();
	await addWorker('third');
	console.log('third up', Date.now() - t);
	ledger.release();
	await until(
		() => {
			polled.complete();
			return startedBy('third').length > 0 || undefined;
		},
		{ what: 'execution on the third worker', timeout: PATIENCE, interval: 500 },
	);
	console.log('third started', Date.now() - t, victims);
	const failed = await until(
		async () => {
			const all = await polled.executions();
			const gone = all.filter(({ id }) => victims.includes(id));
			return gone.length === victims.length ? gone : undefined;
		},
		{ what: 'end of the executions of the killed worker', timeout: 200_000 },
	).catch((e) => console.log(e));
	console.log('failed', Date.now() - t, JSON.stringify(failed, null, 1));
	for (const id of victims) console.log(JSON.stringify(await stage.rest.execution(id)));
	console.log(stage.n8n.log.slice(-3000), second?.log.slice(-1500), workers.get('third')?.log.slice(-3000));
	console.log((await polled.executions()).map((e) => [e.id, e.status, e.mode]).slice(-20));
	await polled.settle();
}, 500_000);
