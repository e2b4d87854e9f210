import { setTimeout as sleep } from 'node:timers/promises';
import { ERROR_TRIGGER, publishErrorWorkflow } from '../e2e/polling.mts';
import { recordsOf } from '../e2e/setup.mts';
import { executionsOn } from '../queue.mts';
import { waitUntil } from '../waitFor.mts';
import {
	completeUploads,
	POLL_SECONDS,
	publishTrigger,
	stepTimes,
	type EmissionPlan,
} from './emitting.mts';
import { NewEngagements } from './engagements.mts';
import { Executions } from './executions.mts';
import { setWorkers } from './refreshing.mts';
import { batchIn, RefreshRun, type RunOptions } from './workflows.mts';
import type { World } from './world.mts';

/** A run and a stream of uploads on several workers, of which one ends in the middle. */
export interface KillPlan extends EmissionPlan, Pick<RunOptions, 'batchSize' | 'parallelRequests'> {
	/** Killed, like a power cut, or asked to stop. */
	how: 'killed' | 'stopped';
	engagements: number;
}

/** How often something was done, for each engagement or upload. */
export interface Counts {
	never: number;
	once: number;
	more: number;
}

export interface KillResult {
	plan: KillPlan;
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
export async function measureKill(world: World, plan: KillPlan): Promise<KillResult> {
	const { workers, engagements: count, batchSize, parallelRequests } = plan;
	await setWorkers(world, workers);
	return await world.withService({}, async (service, credential) => {
		const { rest, url } = world;
		const engagements = NewEngagements.add(service, count);
		const errorWorkflow = await publishErrorWorkflow(world.queue.sandbox);
		const run = await RefreshRun.publish(rest, {
			...{ credential, url, errorWorkflow },
			...{ division: 'executions', batchSize, parallelRequests },
		});
		const stream = await publishTrigger(rest, service, credential, errorWorkflow);
		const executions = new Executions(rest, [...run.workflowIds, stream.workflow.id]);
		const countRefreshes = () => countsOf(count, (times) => engagements.refreshed(times).length);

		const uploading = completeUploads(service, stream, plan);
		await run.start();
		// Otherwise, the run itself may end, and some batches never begin.
		await new Executions(rest, run.workflowIds.slice(0, 1)).finish();
		await waitUntil(() => engagements.refreshed(1).length >= count / 4, { what: 'a quarter' });
		const endedAt = performance.now();
		const ending = endWorker(world, plan);
		const inputs = await executions.activeInputs();
		const completed = [...(await uploading).keys()];
		// Until the last uploads have been emitted.
		await sleep(2 * POLL_SECONDS * 1000);
		await executions.finish();
		const noticedAfterSeconds = (performance.now() - endedAt) / 1000;
		await ending;
		const refreshed = countRefreshes();
		const failed = await executions.failed();
		const lost = failed.flatMap((id) => inputs.get(id) ?? []);
		const lostIds = new Set(lost.flatMap((item) => [item.uploadId, ...batchIn(item)]));
		const undone = engagements.refreshed(0);

		await run.start();
		await executions.finish();
		await run.withdraw(rest);
		await rest.deactivate(stream.workflow);
		const steps = stepTimes(service);
		const timesOf = (id: string) => steps.get(id)?.length ?? 0;
		const unprocessed = completed.filter((id) => timesOf(id) === 0);
		const reported = await reportedBy(world, errorWorkflow);
		return {
			...{ plan, refreshed, noticedAfterSeconds, failed: failed.length },
			reported: failed.filter((id) => reported.includes(id)).length,
			refreshedAfterwards: countRefreshes(),
			processed: countsOf(
				completed.length,
				(times) => completed.filter((id) => timesOf(id) === times).length,
			),
			unaccounted: [...undone, ...unprocessed].filter((id) => !lostIds.has(id)).length,
		};
	});
}

/** Ends the worker with most to do. */
async function endWorker({ queue }: World, { how }: KillPlan): Promise<void> {
	const running = queue.workers.filter((worker) => worker.running);
	const [victim] = running.toSorted((a, b) => loadOf(b) - loadOf(a));
	await (how === 'killed' ? victim?.kill() : victim?.stop());

	function loadOf(worker: Parameters<typeof executionsOn>[0]): number {
		return executionsOn(worker).unfinished.length;
	}
}

/** The executions that an error workflow was told of. */
async function reportedBy({ rest }: World, errorWorkflow: string): Promise<string[]> {
	const alarms = new Executions(rest, [errorWorkflow]);
	await alarms.finish();
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
