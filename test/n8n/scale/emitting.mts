import { setTimeout as sleep } from 'node:timers/promises';
import type { SimulatedService } from '../../support/service/http.mts';
import { every, triggerWorkflow } from '../e2e/polling.mts';
import type { Rest, SavedWorkflow } from '../rest.mts';
import { stepsNode } from './workflows.mts';

/** Uploads that complete at a steady rate. */
export interface Pace {
	perSecond: number;
	seconds: number;
}

/** Seconds from one poll to the next. */
export const POLL_SECONDS = 5;
const TICKS_PER_SECOND = 10;
const STEPS_PATH = /\/uploads\/([^/]+)$/;

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
	const { engagementId } = model.addCompletedUpload({ engagementId: model.addEngagement().id });
	const next = stepsNode(credential);
	const saved = await rest.createWorkflow(
		triggerWorkflow(every(POLL_SECONDS), credential, { next, errorWorkflow }),
	);
	await rest.activate(saved);
	return { workflow: saved, engagementId };
}

/** Completes uploads at a steady rate. @returns their IDs */
export async function completeUploads(
	{ model }: SimulatedService,
	{ engagementId }: Stream,
	{ perSecond, seconds }: Pace,
): Promise<string[]> {
	const completed: string[] = [];
	const startedAt = Date.now();
	while (completed.length < perSecond * seconds) {
		const due = Math.min(seconds, (Date.now() - startedAt) / 1000) * perSecond;
		while (completed.length < Math.floor(due)) {
			completed.push(model.addCompletedUpload({ engagementId }).uploadId);
		}
		await sleep(1000 / TICKS_PER_SECOND);
	}
	return completed;
}

/** How often the service has sent the steps of each upload. */
export function countSteps({ requests }: SimulatedService): Map<string, number> {
	const counts = new Map<string, number>();
	for (const { path, doneAt, status } of requests) {
		const [, id] = STEPS_PATH.exec(path) ?? [];
		if (id === undefined || status !== 200 || doneAt === undefined) continue;
		counts.set(id, (counts.get(id) ?? 0) + 1);
	}
	return counts;
}
