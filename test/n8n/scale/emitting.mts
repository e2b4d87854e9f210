import { setTimeout as sleep } from 'node:timers/promises';
import type { SimulatedService } from '../../support/service/http.mts';
import { every, triggerWorkflow } from '../e2e/polling.mts';
import type { Rest, SavedWorkflow } from '../rest.mts';
import { waitUntil } from '../waitFor.mts';
import { Executions } from './executions.mts';
import type { Usage } from './processes.mts';
import { setWorkers } from './refreshing.mts';
import { CONNECTOR, stepsNode } from './workflows.mts';
import { seenBy, type Seen, type World } from './world.mts';

/** Uploads that complete while a trigger polls; a worker gets the steps of each. */
export interface EmissionPlan {
	workers: number;
	perSecond: number;
	seconds: number;
}

/** What came of it. */
export interface EmissionResult extends Seen {
	plan: EmissionPlan;
	usage: Map<string, Usage>;
	/** Executions that the trigger started. */
	executions: number;
	once: number;
	twice: number;
	/** From the completion of an upload to the response with its steps: the median, and the longest. */
	lagMs: { median: number; longest: number };
}

/** Seconds from one poll to the next. */
export const POLL_SECONDS = 5;
const TICKS_PER_SECOND = 10;
const STEPS_PATH = /\/uploads\/([^/]+)$/;

/** Measures a steady stream of uploads. */
export async function measureEmission(world: World, plan: EmissionPlan): Promise<EmissionResult> {
	await setWorkers(world, plan.workers);
	return await world.withService({}, async (service, credential) => {
		const { rest } = world;
		const stream = await publishTrigger(rest, service, credential);
		const { workflow } = stream;
		const meter = world.startMeter();
		const completed = await completeUploads(service, stream, plan);
		const times = () => stepTimes(service);
		await waitUntil(() => times().size === completed.size, { what: 'the steps of all uploads' });
		const executions = new Executions(rest, [workflow.id]);
		await executions.finish();
		const usage = meter.stop();
		await rest.deactivate(workflow);
		const lags = [...times()].map(([id, [first = 0]]) => first - (completed.get(id) ?? 0));
		lags.sort((a, b) => a - b);
		const once = [...times().values()].filter(({ length }) => length === 1).length;
		return {
			...{ plan, usage, once, ...seenBy(service) },
			twice: completed.size - once,
			executions: (await rest.executionsOf(workflow.id)).length,
			lagMs: { median: lags[lags.length >> 1] ?? NaN, longest: lags.at(-1) ?? NaN },
		};
	});
}

/** A published trigger, and the engagement whose uploads it is to emit. */
export interface Stream {
	workflow: SavedWorkflow;
	engagementId: number;
}

/** Publishes a trigger whose executions get the steps of each upload. */
export async function publishTrigger(
	rest: Rest,
	{ model }: SimulatedService,
	credential: string,
	errorWorkflow?: string,
): Promise<Stream> {
	if (!model.findConnector(CONNECTOR)) model.addConnector({ name: CONNECTOR });
	const { engagementId } = model.addCompletedUpload({ engagementId: model.addEngagement().id });
	const next = stepsNode(credential);
	const saved = await rest.createWorkflow(
		triggerWorkflow(every(POLL_SECONDS), credential, { next, errorWorkflow }),
	);
	await rest.activate(saved);
	return { workflow: saved, engagementId };
}

/** Completes uploads at a steady rate. @returns when each did, in epoch ms */
export async function completeUploads(
	{ model }: SimulatedService,
	{ engagementId }: Stream,
	{ perSecond, seconds }: EmissionPlan,
): Promise<Map<string, number>> {
	const completed = new Map<string, number>();
	const startedAt = Date.now();
	while (completed.size < perSecond * seconds) {
		const due = Math.min(seconds, (Date.now() - startedAt) / 1000) * perSecond;
		while (completed.size < Math.floor(due)) {
			const { uploadId, completedAt } = model.addCompletedUpload({ engagementId });
			completed.set(uploadId, completedAt ?? NaN);
		}
		await sleep(1000 / TICKS_PER_SECOND);
	}
	return completed;
}

/** When the service had sent the steps of each upload, in epoch ms: once, or more often. */
export function stepTimes({ requests }: SimulatedService): Map<string, number[]> {
	const times = new Map<string, number[]>();
	for (const { path, doneAt, status } of requests) {
		const [, id] = STEPS_PATH.exec(path) ?? [];
		if (id === undefined || status !== 200 || doneAt === undefined) continue;
		times.set(id, [...(times.get(id) ?? []), doneAt]);
	}
	return times;
}
