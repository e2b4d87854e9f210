import type { Figures, Result } from './measure.mts';
import type { ContestantName } from './works.mts';

/** What a work takes at the least, whoever does it through n8n, and why. */
export interface Limit {
	ms: number;
	reason: string;
}

/** The limit of a result; undefined if there is nothing to compare. */
export function limitOf(result: Result, results: Result[]): Limit | undefined {
	const { work, contestant } = result;
	if (contestant === 'trigger') return triggerLimit(result);
	if (contestant !== 'node') return undefined;
	if (work.rateLimit !== undefined) return rateLimit(result);
	const find = (name: ContestantName) => figuresOf(results, work.id, name);
	const growing = find('undiciGrowing');
	if (work.task.kind === 'lastUpload') return twoRoundTrips(result, find('engine'));
	if (growing === undefined) return undefined;
	const alike: Limit = { ms: growing.wallMs, reason: 'undici, growing alike' };
	const withoutLatency = clientLimit(result, results);
	return withoutLatency !== undefined && withoutLatency.ms > alike.ms ? withoutLatency : alike;
}

/** The median of a contestant's runs of a work. */
export function figuresOf(
	results: Result[],
	work: string,
	name: ContestantName,
): Figures | undefined {
	return results.find((result) => result.work.id === work && result.contestant === name)?.median;
}

/** n8n's HTTP client and expressions, for as many items: what HTTP Request takes without latency. */
function clientLimit({ work }: Result, results: Result[]): Limit | undefined {
	if (!('engagements' in work.task)) return undefined;
	const { kind, engagements } = work.task;
	const http = figuresOf(results, `${kind}-${engagements}-0`, 'httpRequest');
	return http && { ms: http.wallMs, reason: 'HTTP Request without latency' };
}

function twoRoundTrips({ work }: Result, engine: Figures | undefined): Limit | undefined {
	if (engine === undefined || work.roundTripMs !== undefined) return undefined;
	return {
		ms: 2 * work.latencyMs + engine.wallMs,
		reason: 'two round trips, and n8n’s engine for as many items',
	};
}

/** The first lot of requests goes at once, then one lot per period. */
function rateLimit({ work, median: { requests, refused } }: Result): Limit | undefined {
	const { requests: lot, perMs } = work.rateLimit ?? { requests: Infinity, perMs: 0 };
	const ms = (Math.ceil((requests - refused) / lot) - 1) * perMs;
	return ms > 0 ? { ms, reason: 'the service’s rate limit' } : undefined;
}

function triggerLimit({ work }: Result): Limit | undefined {
	return work.latencyMs > 0 ? { ms: work.latencyMs, reason: 'one round trip' } : undefined;
}
