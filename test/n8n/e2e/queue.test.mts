import path from 'node:path';
import { setInterval as ticks } from 'node:timers/promises';
import type { Program } from '../program.mts';
import { startRedis, type Redis } from '../redis.mts';
import { startWorker } from '../n8n.mts';
import { makeUserFolder, Stage } from '../stage.mts';
import { until } from '../until.mts';
import { makeNode } from '../workflows.mts';
import { Ledger } from './ledger.mts';
import {
	ERROR_TRIGGER,
	every,
	furnish,
	Polled,
	polledWorkflow,
	publishErrorWorkflow,
} from './polled.mts';
import { recordsOf, template } from './setup.mts';

const UPLOADS = 1000;
const AT_ONCE = 25;
const PATIENCE = 120_000;

let redis: Redis;
let stage: Stage;
let ledger: Ledger;
let polled: Polled;
let errorWorkflow: string;
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
	// The first folder has the database; each worker has its own, as on a machine of its own.
	const database = path.join(stage.n8n.folder, '.n8n/database.sqlite');
	const options = {
		folder: makeUserFolder(template()),
		env: { ...environment(), DB_SQLITE_DATABASE: database },
	};
	workers.set(name, await startWorker(template().installation, options));
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
	errorWorkflow = await publishErrorWorkflow(stage);
	const workflow = polledWorkflow(every(2), await furnish(stage), {
		next: { ...note, typeVersion: 4.2 },
		errorWorkflow,
	});
	polled = await Polled.publish(stage, workflow);
}, 300_000);

afterAll(async () => {
	for (const worker of workers.values()) await worker.stop();
	await stage?.closeAndSearch();
	await ledger?.close();
	await redis?.stop();
}, 120_000);

/** The executions that a worker has started, by id. */
function startedBy(name: string): string[] {
	const log = workers.get(name)?.log ?? '';
	return [...log.matchAll(/Worker started execution (\d+)/g)].map(([, id = '']) => id);
}

/** Comes back when all uploads have been processed, each of them once. */
async function allNoted(): Promise<void> {
	await until(() => ledger.entries.length >= polled.expected.length || undefined, {
		what: `${polled.expected.length} processed uploads`,
		timeout: PATIENCE,
	});
	const noted = ledger.entries.map(({ uploadId }) => uploadId);
	expect(noted.sort()).toEqual([...polled.expected].sort());
}

/** Has uploads complete one after the other until something has come about. */
async function completeUntil(what: string, isSo: () => boolean): Promise<void> {
	const look = () => {
		polled.complete();
		return isSo() || undefined;
	};
	await until(look, { what, timeout: PATIENCE, interval: 500 });
}

test('a thousand uploads that complete while it runs are processed once each, by both workers', async () => {
	for await (const _ of ticks(1000)) {
		for (let count = 0; count < AT_ONCE; count += 1) polled.complete();
		if (polled.expected.length >= UPLOADS) break;
	}
	await allNoted();
	await polled.settle();
	expect(startedBy('first').length).toBeGreaterThan(1);
	expect(startedBy('second').length).toBeGreaterThan(1);
}, 300_000);

// What n8n does with the executions of a worker that is gone (2.41): it does not run them again. When
// their lock in Redis has run out, and half a minute after that, they fail, without the data they
// had, and start the error workflow, from which what was under way can be asked for anew.
test('a worker is killed in the middle: its executions fail, nothing is emitted or run twice', async () => {
	ledger.hold();
	const before = startedBy('second').length;
	await completeUntil('execution on the second worker', () => startedBy('second').length > before);
	await allNoted();
	const victims = startedBy('second').slice(before);
	await workers.get('second')?.kill();
	await addWorker('third');
	ledger.release();
	await completeUntil('execution on the third worker', () => startedBy('third').length > 0);
	await allNoted();

	const { rest } = stage;
	const told = await until(
		async () => {
			const ids = await rest.executionsOf(errorWorkflow);
			return ids.length >= victims.length ? ids : undefined;
		},
		{ what: 'execution of the error workflow', timeout: PATIENCE },
	);
	for (const id of victims) {
		const { status, error, runData } = await rest.execution(id);
		expect({ status, runData }).toEqual({ status: 'error', runData: {} });
		expect(error?.message).toMatch(/failed to be processed too many times/);
	}
	const notes = await Promise.all(
		told.map(async (id) => recordsOf(await rest.execution(id), ERROR_TRIGGER)[0]?.execution),
	);
	expect(notes).toHaveLength(victims.length);
	expect(notes).toEqual(
		expect.arrayContaining(victims.map((id) => expect.objectContaining({ id }))),
	);
	const others = (await polled.executions()).filter(({ id }) => !victims.includes(id));
	expect(others.filter(({ status }) => status !== 'success')).toEqual([]);

	polled.complete();
	await allNoted();
}, 400_000);
