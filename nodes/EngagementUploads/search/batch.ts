/**
 * Merges the lookups of many items into few requests. Every key is requested once; a request that
 * the service rejects, or keeps failing on, is split until only the key at fault fails.
 */
import type { ApiRequest } from '../transport/request';
import { isRejected, isServerFailure } from '../transport/failures/errors';
import { mapOrdered } from '../transport/http/pool';

/** If a request and this many levels of its parts fail in a row, no key is at fault: it is an outage. */
const MAX_FAILED_LEVELS = 2;
/** Starting thousands of requests at once would hold up the event loop, and gains nothing. */
const MAX_STARTED = 64;

/** How keys are requested in batches. */
export interface BatchPlan<Value> {
	/** Results for these keys; keys without a result are left out. */
	fetch(keys: string[], retries: Retries): Promise<Map<string, Value>>;
	/** Maximum number of keys in one request. */
	maxKeys: number;
	/** Maximum length of the joined keys, as encoded in the URL. */
	maxCharacters: number;
}

type Retries = Pick<ApiRequest, 'isTriedOnce'>;
type Result<Value> = { value: Value | undefined } | { error: unknown };

/** Keys are added while items are prepared; the first `get` requests all of them. */
export class Batch<Value> {
	private readonly keys = new Set<string>();
	private results: Promise<Map<string, Result<Value>>> | undefined;

	constructor(private readonly plan: BatchPlan<Value>) {}

	add(key: string): void {
		this.keys.add(key);
	}

	/** The result for a key that was added; undefined if the service has none. */
	async get(key: string): Promise<Value | undefined> {
		this.results ??= this.fetchAll();
		const result = (await this.results).get(key);
		if (result !== undefined && 'error' in result) throw result.error;
		return result?.value;
	}

	private async fetchAll(): Promise<Map<string, Result<Value>>> {
		const results = new Map<string, Result<Value>>();
		const chunks = chunked([...this.keys], this.plan.maxKeys, this.plan.maxCharacters);
		await mapOrdered(chunks, MAX_STARTED, async (chunk) => await this.fetchChunk(chunk, results));
		return results;
	}

	/** Requests keys together, then the halves of what failed, level by level. */
	private async fetchChunk(chunk: string[], results: Map<string, Result<Value>>): Promise<void> {
		let parts = [{ keys: chunk, isTriedOnce: false }];
		/** The errors of the latest levels, as long as nothing but failures came. */
		let failedLevels: unknown[] = [];
		while (parts.length > 0) {
			const level = await Promise.all(
				parts.map(async ({ keys, ...retries }) => {
					return await this.plan.fetch(keys, retries).then(
						(found) => ({ keys, found, error: undefined }),
						(error: unknown) => ({ keys, found: undefined, error }),
					);
				}),
			);
			const isLost = level.every(({ error }) => isServerFailure(error));
			failedLevels = isLost ? [...failedLevels, level[0]?.error] : [];
			const isOutage = failedLevels.length > MAX_FAILED_LEVELS;
			parts = [];
			for (const { keys, found, error } of level) {
				// After a failure of the service, each half is tried once.
				const isTriedOnce = isServerFailure(error);
				if (keys.length > 1 && !isOutage && (isTriedOnce || isRejected(error))) {
					const middle = Math.ceil(keys.length / 2);
					const halves = [keys.slice(0, middle), keys.slice(middle)];
					parts.push(...halves.map((half) => ({ keys: half, isTriedOnce })));
					continue;
				}
				const failure = { error: isOutage ? failedLevels[0] : error };
				for (const key of keys) results.set(key, found ? { value: found.get(key) } : failure);
			}
		}
	}
}

/** Splits keys, in order, into lists of at most `maxKeys` keys and `maxCharacters` when joined. */
export function chunked(
	keys: readonly string[],
	maxKeys: number,
	maxCharacters: number,
): string[][] {
	const chunks: string[][] = [];
	let characters = 0;
	for (const key of keys) {
		const length = encodeURIComponent(key).length + 1;
		const chunk = chunks.at(-1);
		if (chunk === undefined || chunk.length >= maxKeys || characters + length > maxCharacters) {
			chunks.push([key]);
			characters = length;
		} else {
			chunk.push(key);
			characters += length;
		}
	}
	return chunks;
}
