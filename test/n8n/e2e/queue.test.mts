import path from 'node:path';
import { startWorker } from '../n8n.mts';
import type { Program } from '../program.mts';
import { startRedis, type Redis } from '../redis.mts';
import { makeUserFolder, Sandbox } from '../sandbox.mts';
import { waitFor, waitUntil } from '../waitFor.mts';
import { makeNode } from '../workflows.mts';
import { Ledger } from './ledger.mts';
import {
	addHistory,
	ERROR_TRIGGER,
	every,
	PublishedTrigger,
	publishErrorWorkflow,
	triggerWorkflow,
} from './polling.mts';
import { recordsOf, template } from './setup.mts';

const UPLOADS = 1000;
const AT_ONCE = 25;
const BETWEEN_BATCHES_MS = 1000;

let redis: Redis;
let sandbox: Sandbox;
let ledger: Ledger;
let trigger: PublishedTrigger;
let errorWorkflow: string;
const workers = new Map<string, Program>();

function environment(): Record<string, string> {
	return {
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		// How soon n8n notices that a worker is gone: not so soon that a slow one counts as gone.
		QUEUE_WORKER_LOCK_DURATION: '30000',
		QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
		QUEUE_WORKER_STALLED_INTERVAL: '5000',
	};
}

async function addWorker(name: string): Promise<void> {
	// The database is in the first folder; each worker has a folder of its own, as on another
	// machine.
	const database = path.join(sandbox.n8n.folder, '.n8n/database.sqlite');
	const options = {
		folder: makeUserFolder(template()),
		env: { ...environment(), DB_SQLITE_DATABASE: database },
	};
	workers.set(name, await startWorker(template().installation, options));
}

beforeAll(async () => {
	redis = await startRedis(template().folder);
	sandbox = await Sandbox.open(template(), { service: {}, env: environment() });
	await Promise.all([addWorker('first'), addWorker('second')]);
	ledger = await Ledger.open();
	const note = makeNode('Note', 'n8n-nodes-base.httpRequest', {
		method: 'POST',
		url: ledger.url,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: '={{ { uploadId: $json.uploadId, executionId: $execution.id } }}',
	});
	errorWorkflow = await publishErrorWorkflow(sandbox);
	const workflow = triggerWorkflow(every(2), await addHistory(sandbox), {
		next: { ...note, typeVersion: 4.2 },
		errorWorkflow,
	});
	trigger = await PublishedTrigger.publish(sandbox, workflow);
});

afterAll(async () => {
	for (const worker of workers.values()) await worker.stop();
	await sandbox?.close();
	await ledger?.close();
	await redis?.stop();
});

/** The IDs of the executions that a worker has started. */
function startedBy(name: string): string[] {
	const log = workers.get(name)?.log ?? '';
	return [...log.matchAll(/Worker started execution (\d+)/g)].map(([, id = '']) => id);
}

/**
 * Waits until every expected upload has been processed, and checks that each was processed once.
 */
async function expectAllProcessed(): Promise<void> {
	const { expected } = trigger;
	await waitUntil(() => ledger.entries.length >= expected.length, {
		what: `${expected.length} processed uploads`,
	});
	const processed = ledger.entries.map(({ uploadId }) => uploadId);
	expect(processed.sort()).toEqual([...expected].sort());
}

/** Completes uploads at intervals until a condition holds. */
async function completeUntil(what: string, isMet: () => boolean, atOnce = 1): Promise<void> {
	const check = () => {
		for (let count = 0; count < atOnce; count += 1) trigger.complete();
		return isMet();
	};
	await waitUntil(check, { what, interval: BETWEEN_BATCHES_MS });
}

/** The ID of the execution that an execution of the error workflow reports. */
async function failedExecution(id: string): Promise<string> {
	const [report] = recordsOf(await sandbox.rest.execution(id), ERROR_TRIGGER);
	return String((report?.execution as { id?: unknown } | undefined)?.id);
}

test('a thousand uploads are processed once each, by both workers', async () => {
	const isEnough = () =>
		trigger.expected.length >= UPLOADS &&
		startedBy('first').length > 1 &&
		startedBy('second').length > 1;
	await completeUntil('executions on both workers', isEnough, AT_ONCE);
	await expectAllProcessed();
	await trigger.expectAllEmitted();
});

// n8n 2.41 does not repeat the executions of a worker that is gone. Half a minute after their lock
// in Redis has expired, they fail, without their data, and start the error workflow, from which the
// uploads can be requested again.
test('when a worker is killed, its executions fail, and nothing is emitted or processed twice', async () => {
	ledger.hold();
	const before = startedBy('second').length;
	await completeUntil('an execution on the second worker', () => {
		return startedBy('second').length > before;
	});
	await expectAllProcessed();
	const lost = startedBy('second').slice(before);
	await workers.get('second')?.kill();
	await addWorker('third');
	ledger.release();
	await completeUntil('an execution on the third worker', () => startedBy('third').length > 0);
	await expectAllProcessed();

	const { rest } = sandbox;
	for (const id of lost) {
		const { status, error, runData } = await rest.finished(id);
		expect({ status, runData }).toEqual({ status: 'error', runData: {} });
		expect(error?.message).toMatch(/failed to be processed too many times/);
	}
	const reported = await waitFor(
		async () => {
			const ids = await rest.executionsOf(errorWorkflow);
			return ids.length >= lost.length ? await Promise.all(ids.map(failedExecution)) : undefined;
		},
		{ what: 'the executions of the error workflow' },
	);
	expect(reported.sort()).toEqual([...lost].sort());
	const others = (await trigger.executions()).filter(({ id }) => !lost.includes(id));
	expect(others.filter(({ status }) => status !== 'success')).toEqual([]);

	trigger.complete();
	await expectAllProcessed();
});
