/**
 * Merges lookups into few requests. If the service refuses one of them, or keeps failing on it, its
 * keys are asked for in smaller parts, so that only those at fault fail.
 */
import { findFault, isAboutRequest } from '../transport/errors';
import { mapOrdered } from '../transport/limiter';
import type { Call } from '../transport/request';

/** If the service refuses this many single keys, from all over the list, it refuses all of them. */
const SAMPLE_SIZE = 20;
/** Into how many parts a request that failed is split: a hundred keys become ten times ten, then one. */
const PARTS = 10;
/** Maximum number of lookups in progress; the client may allow fewer requests. */
const PARALLEL = 64;

/** What the service answered for each key: a value, nothing, or an error. */
export class Answers<Value> {
	readonly values = new Map<string, Value>();
	readonly errors = new Map<string, unknown>();

	/** The value for a key; undefined if there is none. @throws if the service refused to answer */
	get(key: string): Value | undefined {
		if (this.errors.has(key)) throw this.errors.get(key);
		return this.values.get(key);
	}
}

/** How keys are looked up together. */
interface Lookup<Value> {
	/** Resolves with values by key; keys without a value are left out. */
	fetch(keys: string[], retries: Pick<Call, 'retriesServerErrors'>): Promise<Map<string, Value>>;
	/** Maximum number of keys in one request. */
	maxKeys: number;
	/** Maximum length of the joined keys, as encoded in the URL. */
	maxCharacters: number;
}

/** Looks up keys, each once. The first request is sent alone, in case the service refuses all. */
export async function lookUp<Value>(
	keys: Iterable<string>,
	{ fetch, maxKeys, maxCharacters }: Lookup<Value>,
): Promise<Answers<Value>> {
	const answers = new Answers<Value>();
	/** Resolves with the error, if there is one; `refusal` is that of a request for more keys. */
	const ask = async (asked: string[], refusal?: unknown): Promise<unknown> => {
		try {
			const found = await fetch(asked, { retriesServerErrors: findFault(refusal) !== 'service' });
			for (const key of asked) answers.errors.delete(key);
			for (const [key, value] of found) answers.values.set(key, value);
			return undefined;
		} catch (error) {
			for (const key of asked) answers.errors.set(key, error);
			return error;
		}
	};
	const askInParts = async (asked: string[], refusal: unknown): Promise<void> => {
		if (!isAboutRequest(refusal)) return;
		const parts = chunked(asked, Math.ceil(asked.length / PARTS), Infinity);
		const errors = await Promise.all(parts.map(async (part) => await ask(part, refusal)));
		// If the service fails on every part, no key is at fault: it is an outage.
		if (errors.every((error) => findFault(error) === 'service')) return;
		for (const [index, part] of parts.entries())
			if (part.length > 1) await askInParts(part, errors[index]);
	};

	const all = [...new Set(keys)];
	const [first = [], ...others] = chunked(all, maxKeys, maxCharacters);
	const refusal = first.length > 0 ? await ask(first) : undefined;
	if (refusal !== undefined && all.length > 1) {
		const sample = isAboutRequest(refusal) ? takeSample(all) : [];
		const errors = await Promise.all(sample.map(async (key) => await ask([key], refusal)));
		if (errors.every((error) => error !== undefined)) {
			for (const key of all) if (!answers.errors.has(key)) answers.errors.set(key, refusal);
			return answers;
		}
		const left = first.filter((key) => !sample.includes(key));
		await askInParts(left, refusal);
	}
	await mapOrdered(others, PARALLEL, async (chunk) => {
		const error = await ask(chunk);
		if (chunk.length > 1) await askInParts(chunk, error);
	});
	return answers;
}

/** Keys from all over the list, since those at fault may be neighbours. */
function takeSample(keys: string[]): string[] {
	const step = Math.ceil(keys.length / SAMPLE_SIZE);
	return keys.filter((_, index) => index % step === 0);
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
