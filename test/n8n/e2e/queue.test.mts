import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import type { Program } from '../program.mts';
import { executionsOn, Queue } from '../queue.mts';
import { NewEngagements } from '../scale/engagements.mts';
import { Executions } from '../scale/executions.mts';
import { RefreshRun, stepsNode, STEPS } from '../scale/workflows.mts';
import { waitFor, waitUntil } from '../waitFor.mts';
import {
	addHistory,
	ERROR_TRIGGER,
	every,
	publishErrorWorkflow,
	PublishedTrigger,
	triggerWorkflow,
	uploadIdsOf,
} from './polling.mts';
import { recordsOf, template } from './setup.mts';

/** The executions that each worker runs at once. */
const CONCURRENCY = 2;
const ENGAGEMENTS = 300;
const BATCH = 50;
const UPLOADS = 300;
const AT_ONCE = 10;
const BETWEEN_UPLOADS_MS = 250;

/** n8n notices a dead worker in about 45 s instead of two minutes. */
const NOTICE_SOON = {
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '1000',
	QUEUE_WORKER_STALLED_INTERVAL: '2000',
};

let queue: Queue;

beforeAll(async () => {
	// Uploads that refreshes start never complete, so that the trigger emits only others.
	const service = { settings: { latencyMs: 300, uploadDurationMs: Infinity } };
	const options = { workers: 2, concurrency: CONCURRENCY, service, env: NOTICE_SOON };
	queue = await Queue.open(template(), options);
});

afterAll(async () => await queue?.close());

test('a killed worker loses only what it was working on, and nothing is done twice', async () => {
	const { sandbox } = queue;
	const { rest, service, n8n } = sandbox;
	const credential = await addHistory(sandbox);
	const engagements = NewEngagements.add(service, ENGAGEMENTS);
	const errorWorkflow = await publishErrorWorkflow(sandbox);
	const run = await RefreshRun.publish(rest, {
		...{ credential, url: n8n.url, errorWorkflow },
		...{ division: 'executions', batchSize: BATCH, parallelRequests: 2 },
	});
	const next = stepsNode(credential);
	const workflow = triggerWorkflow(every(2), credential, { next, errorWorkflow });
	const trigger = await PublishedTrigger.publish(sandbox, workflow);
	const executions = new Executions(rest, [...run.workflowIds, trigger.workflowId]);

	const uploading = completeUploads(trigger);
	await run.start();
	await waitFor(async () => (await rest.executionsOf(run.workflowIds[0] ?? '', ['success']))[0], {
		what: 'all batches to be in the queue',
	});
	const { victim, survivor } = await busyWorker();
	await victim.kill();
	const { unfinished: lost } = executionsOn(victim);
	const inputs = await executions.activeInputs();
	const lostInputs = lost.flatMap((id) => inputs.get(id) ?? []);

	await uploading;
	await executions.finish(lost);
	const missing = engagements.refreshed(0);
	expect([...missing, ...engagements.refreshed(1)].length).toBe(ENGAGEMENTS);
	expect(missing.length).toBeGreaterThan(0);
	expect(lostInputs.flatMap(engagementIdsOf)).toEqual(expect.arrayContaining(missing));

	await run.start();
	await waitUntil(() => engagements.refreshed(0).length === 0, { what: 'the second run' });
	await executions.finish();
	expect(engagements.refreshed(1)).toEqual(engagements.ids);

	const done = (await trigger.executions()).filter(({ id }) => !lost.includes(id));
	const emitted = [...done.flatMap(uploadIdsOf), ...lostInputs.flatMap(uploadIdOf)];
	expect(emitted.toSorted()).toEqual(trigger.expected.toSorted());
	for (const execution of done)
		expect(recordsOf(execution, STEPS).flatMap(uploadIdOf)).toEqual(uploadIdsOf(execution));

	expect((await executions.failed()).toSorted()).toEqual(lost.toSorted());
	expect(executionsOn(survivor).started.filter((id) => lost.includes(id))).toEqual([]);
	const alarms = new Executions(rest, [errorWorkflow]);
	await alarms.finish();
	const reported = await Promise.all(
		(await rest.executionsOf(errorWorkflow)).map(async (id) => await rest.execution(id)),
	);
	const reportedIds = reported.flatMap((each) =>
		recordsOf(each, ERROR_TRIGGER).map(({ execution }) => (execution as { id: string }).id),
	);
	expect(reportedIds.toSorted()).toEqual(lost.toSorted());
});

async function completeUploads(trigger: PublishedTrigger): Promise<void> {
	while (trigger.expected.length < UPLOADS) {
		for (let count = 0; count < AT_ONCE; count += 1) trigger.complete();
		await sleep(BETWEEN_UPLOADS_MS);
	}
}

/** A worker with so much to do that it takes nothing from the queue, and the other one. */
async function busyWorker(): Promise<{ victim: Program; survivor: Program }> {
	const { workers } = queue;
	return await waitFor(
		() => {
			const isBusy = (each: Program) => executionsOn(each).unfinished.length === CONCURRENCY;
			const victim = workers.find(isBusy);
			const survivor = workers.find((worker) => worker !== victim);
			return victim && survivor && { victim, survivor };
		},
		{ what: 'a busy worker' },
	);
}

/** The engagements of a batch. */
function engagementIdsOf({ body }: IDataObject): number[] {
	return (body as { engagementId?: number[] } | undefined)?.engagementId ?? [];
}

function uploadIdOf({ uploadId }: IDataObject): string[] {
	return typeof uploadId === 'string' ? [uploadId] : [];
}
