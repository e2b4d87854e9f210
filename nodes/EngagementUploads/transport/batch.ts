/**
 * Merges the lookups of many items into few requests. Every key is requested once; a request that
 * the service rejects is split until only the key at fault fails.
 */
import { mapOrdered } from './pool';

/** How keys are requested in batches. */
export interface BatchPlan<Value> {
	/** Results for these keys; keys without a result are left out. */
	fetch(keys: string[]): Promise<Map<string, Value>>;
	/** Maximum number of keys in one request. */
	maxKeys: number;
	/** Maximum length of the joined keys, as encoded in the URL. */
	maxCharacters: number;
	/** Maximum number of requests in flight. */
	parallel: number;
	/** Whether the service rejected the request because of its keys. */
	isRefusal(error: unknown): boolean;
}

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
		const chunks = chunked([...this.keys], this.plan.maxKeys, this.plan.maxCharacters);
		const results = await mapOrdered(
			chunks,
			this.plan.parallel,
			async (chunk) => await this.fetchChunk(chunk),
		);
		return new Map(results.flat());
	}

	private async fetchChunk(keys: string[]): Promise<Array<[string, Result<Value>]>> {
		try {
			const values = await this.plan.fetch(keys);
			return keys.map((key) => [key, { value: values.get(key) }]);
		} catch (error) {
			if (keys.length === 1 || !this.plan.isRefusal(error))
				return keys.map((key) => [key, { error }]);
		}
		const middle = Math.ceil(keys.length / 2);
		const halves = [keys.slice(0, middle), keys.slice(middle)];
		return (await Promise.all(halves.map(async (half) => await this.fetchChunk(half)))).flat();
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
