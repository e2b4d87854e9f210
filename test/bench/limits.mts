import type { Figures, Result } from './measure.mts';
import { BETWEEN_UPLOADS, POLL_PAGE_SIZE, PER_POLL, type ContestantName } from './workload.mts';

/** The minimum time for a workload in n8n, and the reason. */
export interface Limit {
	ms: number;
	reason: string;
}

/** A day, the look-back and an hour: how far back each poll of a backlog reads again. */
const REREAD_MS = (24 + 2 + 1) * 3_600_000;

/** The trigger's own maximum number of parallel requests. */
const TRIGGER_PARALLEL = 16;

/** The limit of a result; undefined if there is nothing to compare. */
export function limitOf(result: Result, results: Result[]): Limit | undefined {
	const { work, contestant } = result;
	if (contestant === 'trigger') return triggerLimit(result);
	if (contestant !== 'node') return undefined;
	if (work.rateLimit !== undefined) return rateLimit(result);
	const find = (name: ContestantName) => figuresOf(results, work.id, name);
	const undici = find('undici');
	const limits = [
		undici && { ms: undici.wallMs, reason: 'undici, with this node’s concurrency' },
		clientLimit(result, results),
	].filter((limit) => limit !== undefined);
	return limits.toSorted((a, b) => b.ms - a.ms)[0];
}

/** The median of a contestant's runs of a workload. */
export function figuresOf(
	results: Result[],
	work: string,
	name: ContestantName,
): Figures | undefined {
	return results.find((result) => result.work.id === work && result.contestant === name)?.median;
}

/** n8n's HTTP client and expressions, for the same items: HTTP Request without latency. */
function clientLimit({ work }: Result, results: Result[]): Limit | undefined {
	if (!('engagements' in work.task)) return undefined;
	const { kind, engagements } = work.task;
	const http = figuresOf(results, `${kind}-${engagements}-0`, 'httpRequest');
	return http && { ms: http.wallMs, reason: 'HTTP Request without latency' };
}

/** The first batch of requests is sent immediately, then one batch per period. */
function rateLimit({ work, median: { requests, refused } }: Result): Limit | undefined {
	const { requests: batch, perMs } = work.rateLimit ?? { requests: Infinity, perMs: 0 };
	const ms = (Math.ceil((requests - refused) / batch) - 1) * perMs;
	return ms > 0 ? { ms, reason: 'the service’s rate limit' } : undefined;
}

function triggerLimit({ work }: Result): Limit | undefined {
	if (work.id === 'poll-quiet') return { ms: work.latencyMs, reason: 'one round trip' };
	if (work.id !== 'poll-window') return undefined;
	const others = Math.ceil(work.world.uploads / POLL_PAGE_SIZE) - 1;
	const trips = 1 + Math.ceil(others / TRIGGER_PARALLEL);
	return {
		ms: trips * work.latencyMs,
		reason: `${trips} round trips: the first page, then ${TRIGGER_PARALLEL} at once`,
	};
}

/**
 * The number of requests that a backlog may cost, as the package promises: each poll reads at most
 * twice what it emits, plus the look-back and a day.
 */
export function backlogRequests({ work, median: { polls } }: Result): number {
	const { uploadEvery = BETWEEN_UPLOADS } = work.world;
	return polls * Math.ceil((2 * PER_POLL + REREAD_MS / uploadEvery) / POLL_PAGE_SIZE);
}
