/**
 * Merges lookups into few requests. If the service rejects one of them, keeps failing on it, or does not answer
 * it readably in time, its keys are asked for in smaller parts, so that only the keys at fault fail.
 */
import { findFault, isAboutRequest } from '../transport/errors';
import { inParallel } from '../values/work';
import type { Call } from '../transport/request';

/** If this many single keys, from all over the list, all fail, every other key counts as failed too. */
const SAMPLE_SIZE = 20;
/** A failed request is split into this many parts: a hundred keys into ten times ten, then into one each. */
const PARTS = 10;
/** Maximum length of joined keys, as encoded in the URL. */
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

/** What is tried after a failure: a request that is split if it fails is not repeated. */
type Retries = Pick<Call, 'retries'>;

/** How keys are looked up together. */
interface Lookup<Value> {
	/** Requests the values of keys; those without a value are left out. */
	fetch(keys: string[], retries: Retries): Promise<Map<string, Value>>;
	/** Maximum number of keys in one request. */
	maxKeys: number;
}

/** Looks up keys, each once. The first request is sent alone, in case the service refuses all. */
export async function lookUp<Value>(
	keys: Iterable<string>,
	{ fetch, maxKeys }: Lookup<Value>,
): Promise<Answers<Value>> {
	const answers = new Answers<Value>();
	/** Returns the error, if any. `earlier` is that of a request before it, which had more keys. */
	const ask = async (asked: string[], earlier?: unknown): Promise<unknown> => {
		const retries: Call['retries'] = ({ fault }) => {
			const isSameFault = earlier !== undefined && findFault(earlier) === fault;
			// Several timeouts of many keys would take as long as an outage that ends the run.
			return !isSameFault && (fault !== 'timeout' || asked.length === 1);
		};
		try {
			const found = await fetch(asked, { retries });
			for (const key of asked) answers.errors.delete(key);
			for (const [key, value] of found) answers.values.set(key, value);
			return undefined;
		} catch (error) {
			for (const key of asked) answers.errors.set(key, error);
			return error;
		}
	};
	const askInParts = async (asked: string[], earlier: unknown): Promise<void> => {
		if (!isWorthSplitting(earlier)) return;
		const parts = splitIntoChunks(asked, Math.ceil(asked.length / PARTS));
		const errors = await Promise.all(parts.map(async (part) => await ask(part, earlier)));
		// If every part fails and none is rejected, no key is at fault: it is an outage.
		if (errors.every((error) => error !== undefined && findFault(error) !== 'request')) return;
		for (const [index, part] of parts.entries())
			if (part.length > 1) await askInParts(part, errors[index]);
	};

	const all = [...new Set(keys)];
	const [first = [], ...others] = splitIntoChunks(all, maxKeys);
	const failure = first.length > 0 ? await ask(first) : undefined;
	if (failure !== undefined && all.length > 1) {
		const sample = isWorthSplitting(failure) ? takeSample(all) : [];
		const errors = await Promise.all(sample.map(async (key) => await ask([key], failure)));
		if (errors.every((error) => error !== undefined)) {
			for (const key of all) if (!answers.errors.has(key)) answers.errors.set(key, failure);
			return answers;
		}
		const left = first.filter((key) => !sample.includes(key));
		await askInParts(left, failure);
	}
	await inParallel(others, PARALLEL, async (chunk) => {
		const error = await ask(chunk);
		if (chunk.length > 1) await askInParts(chunk, error);
	});
	return answers;
}

/** Whether asking for fewer keys may succeed. A list without an end has none for fewer of them either. */
function isWorthSplitting(error: unknown): boolean {
	return isAboutRequest(error) && findFault(error) !== 'list';
}

/** Keys from all over the list, since the ones at fault may be neighbours. */
function takeSample(keys: string[]): string[] {
	const step = Math.ceil(keys.length / SAMPLE_SIZE);
	return keys.filter((_, index) => index % step === 0);
}

/** Splits keys, in order, into lists of at most `maxKeys` keys that fit into one URL. */
export function splitIntoChunks(keys: readonly string[], maxKeys: number): string[][] {
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
