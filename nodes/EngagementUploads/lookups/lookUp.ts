/**
 * Merges lookups into few requests. If one of them fails because of what it asks for, its keys are asked for one by
 * one, so that only the keys at fault fail. If all of them fail alike, none is at fault, and that ends it for all.
 */
import { findFault, isAboutRequest, isTemporary } from '../transport/errors';
import { inParallel } from '../values/work';

/** Maximum length of the joined keys, as encoded in the URL, which leaves room for everything else. */
const MAX_CHARACTERS = 1500;
/** Maximum number of lookups in progress; the client may allow fewer requests. */
const PARALLEL = 64;

/** The answer for each key: a value, nothing, or an error. */
export class Answers<Value> {
	readonly values = new Map<string, Value>();
	readonly errors = new Map<string, unknown>();

	/** The value for a key; undefined if there is none. @throws the error for it */
	get(key: string): Value | undefined {
		if (this.errors.has(key)) throw this.errors.get(key);
		return this.values.get(key);
	}
}

/** How keys are looked up together. */
interface Lookup<Value> {
	/** Requests the values of keys; those without a value are left out. */
	fetch(keys: string[]): Promise<Map<string, Value>>;
	/** Maximum number of keys in one request. */
	maxKeys: number;
}

/** Looks up keys, each once. The first request is sent alone, in case the service refuses all. */
export async function lookUp<Value>(
	keys: Iterable<string>,
	{ fetch, maxKeys }: Lookup<Value>,
): Promise<Answers<Value>> {
	const answers = new Answers<Value>();
	const ask = async (asked: string[]): Promise<void> => {
		try {
			for (const [key, value] of await fetch(asked)) answers.values.set(key, value);
			for (const key of asked) answers.errors.delete(key);
		} catch (error) {
			for (const key of asked) answers.errors.set(key, error);
		}
	};
	const askChunk = async (chunk: string[]): Promise<void> => {
		await ask(chunk);
		const error = answers.errors.get(chunk[0] ?? '');
		if (chunk.length === 1 || error === undefined || !isWorthSplitting(error)) return;
		const others = [...chunk];
		// Through an outage, one at a time; once one was answered or refused, the others are asked side by side.
		for (let isOutage = true; isOutage && others.length > 0; ) {
			const key = others.splice(0, 1);
			await ask(key);
			isOutage = isTemporary(answers.errors.get(key[0] ?? ''));
		}
		await inParallel(others, PARALLEL, async (key) => await ask([key]));
	};
	const [first = [], ...others] = splitIntoChunks([...new Set(keys)], maxKeys);
	if (first.length > 0) await askChunk(first);
	const [error] = answers.errors.values();
	const haveAllFailed = first.length > 1 && answers.errors.size === first.length;
	if (!haveAllFailed) await inParallel(others, PARALLEL, askChunk);
	else for (const key of others.flat()) answers.errors.set(key, error);
	return answers;
}

/** Whether asking for fewer keys may succeed. A list without an end has none for fewer of them either. */
function isWorthSplitting(error: unknown): boolean {
	return isAboutRequest(error) && findFault(error) !== 'list';
}

/** Splits keys, in order, into lists of at most `maxKeys` keys and `MAX_CHARACTERS` when joined. */
function splitIntoChunks(keys: readonly string[], maxKeys: number): string[][] {
	const chunks: string[][] = [];
	let characters = 0;
	for (const key of keys) {
		const length = encodeURIComponent(key).length + 1;
		const chunk = chunks.at(-1);
		if (chunk === undefined || chunk.length >= maxKeys || characters + length > MAX_CHARACTERS) {
			chunks.push([key]);
			characters = length;
		} else {
			chunk.push(key);
			characters += length;
		}
	}
	return chunks;
}
