/**
 * Merges the lookups of many items into few requests. Every key is requested once; a request that
 * the service refuses, or keeps failing on, is split until only the key at fault fails.
 */
import type { Call } from '../transport/request';
import { faultOf } from '../transport/errors';
import { mapOrdered } from '../transport/limiter';
import { Access, MAX_AT_FIRST, type Probe } from './access';

/** If a request and this many levels of its parts fail in a row, no key is at fault: it is an outage. */
const MAX_FAILED_LEVELS = 2;
/** Starting thousands of requests at once would hold up the event loop, and gains nothing. */
const MAX_STARTED = 64;
/** Multiples of it, without their whole part, are spread over all from 0 to 1, in no regular pattern. */
const GOLDEN_RATIO = 0.618034;

/** How keys are requested in batches. */
export interface BatchPlan<Value> {
	/** Results for these keys; keys without a result are left out. */
	fetch(keys: string[], retries: Retries): Promise<Map<string, Value>>;
	/** Maximum number of keys in one request. */
	maxKeys: number;
	/** Maximum length of the joined keys, as encoded in the URL. */
	maxCharacters: number;
}

type Retries = Pick<Call, 'retriesServerErrors'>;
type Result<Value> = { value: Value | undefined } | { error: unknown };

/** Keys that are requested together, and what came of it. */
interface Answer<Value> {
	keys: string[];
	found?: Map<string, Value>;
	error?: unknown;
}

/** Keys are added while items are prepared; the first `get` requests all of them. */
export class Batch<Value> {
	private readonly keys = new Set<string>();
	private readonly results = new Map<string, Result<Value>>();
	private fetched: Promise<void> | undefined;

	/** Batches for the same kind of request may share what is known of it. */
	constructor(
		private readonly plan: BatchPlan<Value>,
		private readonly access = new Access(),
	) {}

	add(key: string): void {
		this.keys.add(key);
	}

	/** The result for a key that was added; undefined if the service has none. */
	async get(key: string): Promise<Value | undefined> {
		this.fetched ??= this.fetchAll();
		await this.fetched;
		const result = this.results.get(key);
		if (result !== undefined && 'error' in result) throw result.error;
		return result?.value;
	}

	private async fetchAll(): Promise<void> {
		const { maxKeys, maxCharacters } = this.plan;
		const chunks = chunked([...this.keys], maxKeys, maxCharacters);
		const fetch = async (chunk: string[]) => await this.fetchChunk(chunk);
		const first = mapOrdered(chunks.splice(0, MAX_AT_FIRST), MAX_AT_FIRST, fetch);
		await Promise.race([this.access.confirmed, first]);
		await Promise.all([first, mapOrdered(chunks, MAX_STARTED, fetch)]);
	}

	/** Requests keys together, then the halves of what failed, level by level. */
	private async fetchChunk(chunk: string[]): Promise<void> {
		let parts = [{ keys: chunk, retriesServerErrors: true }];
		/** The errors of the latest levels, as long as nothing but failures came. */
		let failedLevels: unknown[] = [];
		while (parts.length > 0) {
			const level = await Promise.all(
				parts.map(
					async ({ keys, retriesServerErrors }) => await this.request(keys, retriesServerErrors),
				),
			);
			const isLost = level.every(({ error }) => faultOf(error) === 'service');
			failedLevels = isLost ? [...failedLevels, level[0]?.error] : [];
			parts = [];
			if (failedLevels.length > MAX_FAILED_LEVELS) {
				const [error] = failedLevels;
				this.access.deny(error);
				for (const { keys } of level) this.note({ keys, error });
				return;
			}
			for (const answer of level) {
				if (await this.isWorthSplitting(answer)) parts.push(...this.halves(answer));
				else this.note(answer);
			}
		}
	}

	private async request(keys: string[], retriesServerErrors: boolean): Promise<Answer<Value>> {
		return await this.access
			.send(async () => await this.plan.fetch(keys, { retriesServerErrors }))
			.then(
				(found) => ({ keys, found }),
				(error: unknown) => ({ keys, error }),
			);
	}

	private async isWorthSplitting({ keys, error }: Answer<Value>): Promise<boolean> {
		if (keys.length === 1 || this.access.isDenied) return false;
		const fault = faultOf(error);
		if (fault !== 'request') return fault === 'service';
		return await this.access.isWorthSplitting(error, () => this.probes());
	}

	/** The halves of what is not known yet; after a failure of the service, each is tried once. */
	private halves({ keys, error }: Answer<Value>) {
		const open = keys.filter((key) => !this.results.has(key));
		const middle = Math.ceil(open.length / 2);
		return [open.slice(0, middle), open.slice(middle)]
			.filter((half) => half.length > 0)
			.map((half) => ({ keys: half, retriesServerErrors: faultOf(error) !== 'service' }));
	}

	/** Requests for single keys, from all over the batch, since those at fault may be neighbours. */
	private *probes(): Generator<Probe, void, undefined> {
		const place = (index: number) => (index * GOLDEN_RATIO) % 1;
		const order = [...this.keys].map((key, index) => ({ key, place: place(index) }));
		for (const { key } of order.sort((one, other) => one.place - other.place)) {
			if (this.results.has(key)) continue;
			yield async () => {
				const answer = await this.request([key], false);
				// After a failure of the service, the key is requested again, as part of its batch.
				if (faultOf(answer.error) !== 'service') this.note(answer);
				return answer.error;
			};
		}
	}

	private note({ keys, found, error }: Answer<Value>): void {
		for (const key of keys) {
			if (this.results.has(key)) continue;
			this.results.set(key, found === undefined ? { error } : { value: found.get(key) });
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
