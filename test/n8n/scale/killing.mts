import { setTimeout as sleep } from 'node:timers/promises';
import { ERROR_TRIGGER, publishErrorWorkflow } from '../e2e/polling.mts';
import { recordsOf } from '../e2e/setup.mts';
import { loadOf, type Queue } from '../queue.mts';
import type { Rest } from '../rest.mts';
import { waitUntil } from '../waitFor.mts';
import {
	completeUploads,
	POLL_SECONDS,
	publishTrigger,
	countSteps,
	type Pace,
} from './emitting.mts';
import { Executions } from './executions.mts';
import {
	addEngagements,
	refreshed as refreshedOf,
	setWorkers,
	withService,
} from './refreshing.mts';
import { batchIn, RefreshRun } from './workflows.mts';

/** A run and a stream of uploads on several workers, of which one ends in the middle. */
export interface KillPlan extends Pace {
	workers: number;
	/** Killed, like a power cut, or asked to stop. */
	how: 'killed' | 'stopped';
	engagements: number;
	batchSize: number;
	parallelRequests?: number;
}

/** How often something was done, for each engagement or upload. */
export interface Counts {
	never: number;
	once: number;
	more: number;
}

export interface KillResult {
	/** Executions that n8n failed, and those of them for which it started the error workflow. */
	failed: number;
	reported: number;
	/** Until n8n had failed the last of them. */
	noticedAfterSeconds: number;
	refreshed: Counts;
	/** After the run was started again. */
	refreshedAfterwards: Counts;
	processed: Counts;
	/** Engagements and uploads that were left undone, though not by a failed execution. */
	unaccounted: number;
}

/** Ends a worker once a quarter of a run is done. */
export async function measureKill(queue: Queue, plan: KillPlan): Promise<KillResult> {
	const { workers, engagements: count, batchSize, parallelRequests } = plan;
	await setWorkers(queue, workers);
	return await withService(queue, {}, async (service, credential) => {
		const { rest, n8n } = queue.sandbox;
		const ids = addEngagements(service, count);
		const errorWorkflow = await publishErrorWorkflow(queue.sandbox);
		const options = { credential, url: n8n.url, errorWorkflow, batchSize, parallelRequests };
		const run = await RefreshRun.publish(rest, options);
		const stream = await publishTrigger(rest, service, credential, errorWorkflow);
		const executions = new Executions(rest, [...run.workflowIds, stream.workflow.id]);
		const withRefreshes = (times: number) => refreshedOf(service, ids, times);
		const countRefreshes = () => countsOf(count, (times) => withRefreshes(times).length);

		const uploading = completeUploads(service, stream, plan);
		await run.start();
		// Otherwise, the run itself may end, and some batches never begin.
		await new Executions(rest, run.workflowIds.slice(0, 1)).finish();
		await waitUntil(() => withRefreshes(1).length >= count / 4, { what: 'a quarter' });
		const endedAt = performance.now();
		const ending = endWorker(queue, plan);
		const inputs = await executions.activeInputs();
		const completed = await uploading;
		// Until the last uploads have been emitted.
		await sleep(2 * POLL_SECONDS * 1000);
		await executions.finish();
		const noticedAfterSeconds = (performance.now() - endedAt) / 1000;
		await ending;
		const refreshed = countRefreshes();
		const failed = await executions.failed();
		const lost = failed.flatMap((id) => inputs.get(id) ?? []);
		const lostIds = new Set(lost.flatMap((item) => [item.uploadId, ...batchIn(item)]));
		const undone = withRefreshes(0);

		await run.start();
		await executions.finish();
		await run.withdraw(rest);
		await rest.deactivate(stream.workflow);
		const steps = countSteps(service);
		const processed = (times: number) => completed.filter((id) => (steps.get(id) ?? 0) === times);
		const reported = await reportedBy(rest, errorWorkflow);
		return {
			...{ refreshed, noticedAfterSeconds, failed: failed.length },
			reported: failed.filter((id) => reported.includes(id)).length,
			refreshedAfterwards: countRefreshes(),
			processed: countsOf(completed.length, (times) => processed(times).length),
			unaccounted: [...undone, ...processed(0)].filter((id) => !lostIds.has(id)).length,
		};
	});
}

/** Ends the worker with most to do. */
async function endWorker(queue: Queue, { how }: KillPlan): Promise<void> {
	const [victim] = queue.running.toSorted((a, b) => loadOf(b) - loadOf(a));
	await (how === 'killed' ? victim?.kill() : victim?.stop());
}

/** The executions that an error workflow was told of. */
async function reportedBy(rest: Rest, errorWorkflow: string): Promise<string[]> {
	await new Executions(rest, [errorWorkflow]).finish();
	const ids = await rest.executionsOf(errorWorkflow);
	const told = await Promise.all(
		ids.map(async (id) => recordsOf(await rest.execution(id), ERROR_TRIGGER)),
	);
	return told.flat().map(({ execution }) => (execution as { id: string }).id);
}

function countsOf(all: number, withTimes: (times: number) => number): Counts {
	const [never, once] = [withTimes(0), withTimes(1)];
	return { never, once, more: all - never - once };
}
