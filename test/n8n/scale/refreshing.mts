import type { Settings } from '../../support/service/settings.mts';
import { NewEngagements } from './engagements.mts';
import { Executions } from './executions.mts';
import type { Usage } from './processes.mts';
import { RefreshRun, type RunOptions } from './workflows.mts';
import { seenBy, type Seen, type World } from './world.mts';

/** A run that refreshes engagements. */
export interface RefreshPlan extends Pick<RunOptions, 'division' | 'parallelRequests'> {
	workers: number;
	engagements: number;
	batchSize: number;
	settings?: Partial<Settings>;
}

/** What came of it. */
export interface RefreshResult extends Seen {
	plan: RefreshPlan;
	/** Until the last refresh. */
	seconds: number;
	usage: Map<string, Usage>;
	/** Engagements that were refreshed once, and more than once. */
	once: number;
	twice: number;
}

/** Small batches, so that every worker takes some. */
const WARM_UP = { division: 'executions', engagements: 800, batchSize: 20 } as const;

/** Sets the number of workers. New ones run something first, since n8n runs for months. */
export async function setWorkers(world: World, workers: number): Promise<void> {
	const { queue } = world;
	const before = queue.workers.filter((worker) => worker.running).length;
	await queue.setWorkers(workers);
	if (workers > before) await warmUp(world, workers);
}

export async function warmUp(world: World, workers: number): Promise<void> {
	await refresh(world, { ...WARM_UP, workers });
}

/** Measures one run, from the request that starts it to the end of its last execution. */
export async function measureRefreshes(world: World, plan: RefreshPlan): Promise<RefreshResult> {
	await setWorkers(world, plan.workers);
	return await refresh(world, plan);
}

async function refresh(world: World, plan: RefreshPlan): Promise<RefreshResult> {
	const { engagements: count, settings = {}, ...options } = plan;
	return await world.withService(settings, async (service, credential) => {
		const engagements = NewEngagements.add(service, count);
		const { rest, url } = world;
		const run = await RefreshRun.publish(rest, { ...options, credential, url });
		const meter = world.startMeter();
		const startedAt = Date.now();
		await run.start();
		await new Executions(rest, run.workflowIds).finish();
		const usage = meter.stop();
		await run.withdraw(rest);
		const refreshes = service.requests.filter(({ path }) => path.endsWith('/refresh'));
		const endedAt = Math.max(...refreshes.map(({ doneAt = 0 }) => doneAt));
		const once = engagements.refreshed(1).length;
		return {
			...{ plan, usage, once, seconds: (endedAt - startedAt) / 1000 },
			twice: count - once - engagements.refreshed(0).length,
			...seenBy(service),
		};
	});
}
