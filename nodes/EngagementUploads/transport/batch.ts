/**
 * Merges what many items ask for into few requests. Every key is asked for once; a request that the
 * service refuses is split until only the key at fault fails.
 */
import { mapOrdered } from './pool';

/** How keys are asked for together. */
export interface BatchPlan<Value> {
	/** Answers for these keys; keys without an answer are left out. */
	fetch(keys: string[]): Promise<Map<string, Value>>;
	/** Most keys in one request. */
	maxKeys: number;
	/** Most characters of the joined keys as they stand in the URL. */
	maxCharacters: number;
	/** Requests that may be under way at the same time. */
	parallel: number;
	/** Whether the service refused the request because of what it asked for. */
	isRefusal(error: unknown): boolean;
}

type Answer<Value> = { value: Value | undefined } | { error: unknown };

/** Keys are added while items are prepared; the first `get` asks for all of them. */
export class Batch<Value> {
	private readonly keys = new Set<string>();
	private answers: Promise<Map<string, Answer<Value>>> | undefined;

	constructor(private readonly plan: BatchPlan<Value>) {}

	add(key: string): void {
		this.keys.add(key);
	}

	/** The answer for a key that was added; undefined when the service has none. */
	async get(key: string): Promise<Value | undefined> {
		this.answers ??= this.fetchAll();
		const answer = (await this.answers).get(key);
		if (answer !== undefined && 'error' in answer) throw answer.error;
		return answer?.value;
	}

	private async fetchAll(): Promise<Map<string, Answer<Value>>> {
		const chunks = chunked([...this.keys], this.plan.maxKeys, this.plan.maxCharacters);
		const answers = await mapOrdered(
			chunks,
			this.plan.parallel,
			async (chunk) => await this.fetchChunk(chunk),
		);
		return new Map(answers.flat());
	}

	private async fetchChunk(keys: string[]): Promise<Array<[string, Answer<Value>]>> {
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

/** Splits keys, in order, into lists of at most `maxKeys` keys and `maxCharacters` as a joined query value. */
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
