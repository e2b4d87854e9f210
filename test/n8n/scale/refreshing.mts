import { startService, type SimulatedService } from '../../support/service/http.mts';
import type { Settings } from '../../support/service/settings.mts';
import type { Queue } from '../queue.mts';
import { credentialFor } from '../sandbox.mts';
import { Executions } from './executions.mts';
import { CONNECTOR, RefreshRun, type RunOptions } from './workflows.mts';

/** How long a request takes at the simulated service, ms. */
export const LATENCY = 100;

/** A run that refreshes engagements. */
export interface RefreshPlan extends Pick<RunOptions, 'batchSize' | 'parallelRequests'> {
	workers: number;
	engagements: number;
	settings?: Partial<Settings>;
}

/** What came of it. */
export interface RefreshResult {
	/** Until the last refresh. */
	seconds: number;
	/** Engagements that were refreshed once, and more than once. */
	once: number;
	twice: number;
	/** Requests that the rate limit rejected. */
	limited: number;
	/** Requests that were rejected because of the token. */
	unauthorised: number;
	tokens: number;
}

/** Small batches, so that every worker takes some. */
const WARM_UP = { engagements: 800, batchSize: 20 };

/** Sets the number of workers. New ones run something first, since n8n runs for months. */
export async function setWorkers(queue: Queue, workers: number): Promise<void> {
	const started = await queue.setWorkers(workers);
	if (started > 0) await measureRefreshes(queue, { ...WARM_UP, workers });
}

/** Measures one run, from the request that starts it to the end of its last execution. */
export async function measureRefreshes(queue: Queue, plan: RefreshPlan): Promise<RefreshResult> {
	const { workers, engagements: count, settings = {}, ...options } = plan;
	await setWorkers(queue, workers);
	return await withService(queue, settings, async (service, credential) => {
		const ids = addEngagements(service, count);
		const { rest, n8n } = queue.sandbox;
		const run = await RefreshRun.publish(rest, { ...options, credential, url: n8n.url });
		const startedAt = Date.now();
		await run.start();
		await new Executions(rest, run.workflowIds).finish();
		await run.withdraw(rest);
		const { requests, settings: used } = service;
		const refreshes = requests.filter(({ path }) => path.endsWith('/refresh'));
		const endedAt = Math.max(...refreshes.map(({ doneAt = 0 }) => doneAt));
		const withStatus = (wanted: number) =>
			requests.filter(({ status }) => status === wanted).length;
		const once = refreshed(service, ids, 1).length;
		return {
			seconds: (endedAt - startedAt) / 1000,
			once,
			twice: count - once - refreshed(service, ids, 0).length,
			limited: withStatus(429),
			unauthorised: withStatus(401),
			tokens: requests.filter(({ path }) => path === used.tokenPath).length,
		};
	});
}

/** Measures something with a new service, and a credential for it. */
export async function withService<T>(
	{ sandbox: { rest } }: Queue,
	settings: Partial<Settings>,
	work: (service: SimulatedService, credential: string) => Promise<T>,
): Promise<T> {
	// Uploads that refreshes start never complete, so that a trigger emits only others.
	const defaults = { latencyMs: LATENCY, uploadDurationMs: Infinity };
	const service = await startService({ settings: { ...defaults, ...settings } });
	try {
		service.model.addConnector({ name: CONNECTOR });
		const credential = credentialFor(service, 'tokenEndpoint');
		return await work(service, await rest.createCredential(credential));
	} finally {
		await service.close();
	}
}

/** Adds engagements that have no data yet. @returns their IDs */
export function addEngagements({ model }: SimulatedService, count: number): number[] {
	return Array.from({ length: count }, () => model.addEngagement().id);
}

/** Those of the engagements that have been refreshed as many times. */
export function refreshed({ model }: SimulatedService, ids: number[], times: number): number[] {
	return ids.filter((id) => model.uploads.of(id).length === times);
}
