/** A service that answers lookups by key. */
import { ServiceFailure } from '../../nodes/EngagementUploads/transport/failures/errors.ts';
import { Batch, type BatchPlan } from '../../nodes/EngagementUploads/lookups/batch.ts';

/** The error of a request that the service answered with a status, after all attempts. */
export function failureOf(keys: string[], status: number): Error {
	return new ServiceFailure(`get ${keys.join(',')}`, {
		problem: `it failed (${status})`,
		advice: 'Try again',
		status,
		fault: status < 500 ? 'request' : 'service',
	});
}

/** A service that knows some keys, and answers a request for a bad one with this status. */
export class KeyedService {
	readonly requests: string[][] = [];
	readonly triedOnce: boolean[] = [];

	constructor(
		private readonly known: (key: string) => boolean,
		private readonly bad: (key: string) => boolean = () => false,
		private readonly status = 422,
	) {}

	batch(given: Partial<BatchPlan<string>> = {}): Batch<string> {
		return new Batch({
			fetch: async (keys, { isTriedOnce }) => await this.answer(keys, isTriedOnce),
			maxKeys: 100,
			maxCharacters: 1500,
			...given,
		});
	}

	private async answer(keys: string[], isTriedOnce = false): Promise<Map<string, string>> {
		this.requests.push(keys);
		this.triedOnce.push(isTriedOnce);
		await Promise.resolve();
		if (keys.some(this.bad)) throw failureOf(keys, this.status);
		return new Map(keys.filter(this.known).map((key) => [key, `value of ${key}`]));
	}
}

export const all = () => true;
export const numbers = (count: number) =>
	Array.from({ length: count }, (_, index) => String(1000 + index));

export async function askFor(batch: Batch<string>, keys: string[]) {
	for (const key of keys) batch.add(key);
	return await Promise.allSettled(keys.map(async (key) => await batch.get(key)));
}
