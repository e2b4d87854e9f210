/** Parallel requests of one execution, answered in any order, by a service that asks to wait. */
import fc from 'fast-check';
import { upload } from '../../nodes/EngagementUploads/service/uploadRecords.ts';
import type { Clock } from '../../nodes/EngagementUploads/values/clock.ts';
import { playOut } from '../support/time/anyOrder.mts';
import { makeClient } from './makeClient.mts';

/** Each answer takes this long; in milliseconds. */
const LATENCY = 50;
/** In place of a status: there is no answer. */
const LOST = 0;

interface Fate {
	statusCode: number;
	retryAfter?: number;
}
const fate: fc.Arbitrary<Fate> = fc.oneof(
	fc.constantFrom(200, 200, 404, 503, LOST).map((statusCode) => ({ statusCode })),
	fc.constantFrom(0, 1, 2).map((retryAfter) => ({ statusCode: 429, retryAfter })),
);

/** Time passes only while something sleeps or is answered; whatever sleeps may wake up too late. */
class LateClock implements Clock {
	time = 1_000_000;

	constructor(private readonly scheduler: fc.Scheduler) {}

	now = () => this.time;
	random = () => 0.5;

	async sleep(milliseconds: number): Promise<void> {
		const end = this.time + milliseconds;
		await this.scheduler.schedule(Promise.resolve(), `sleep until ${end}`);
		this.time = Math.max(this.time, end);
	}
}

/** A client, and a service that answers it when the scheduler says so. */
function connect(scheduler: fc.Scheduler, fates: readonly Fate[], parallel: number) {
	const clock = new LateClock(scheduler);
	const left = [...fates];
	const seen = {
		inFlight: 0,
		/** How each request was answered. */
		fates: new Map<string, Fate[]>(),
		/** Requests that were sent although the service had asked to wait. */
		unwanted: [] as string[],
	};
	let readyAt = 0;
	const send = async (path: string) => {
		if (clock.time < readyAt) seen.unwanted.push(path);
		seen.inFlight++;
		await scheduler.schedule(Promise.resolve(), path);
		seen.inFlight--;
		clock.time += LATENCY;
		const next = left.shift() ?? { statusCode: 200 };
		const { statusCode, retryAfter } = next;
		seen.fates.set(path, [...(seen.fates.get(path) ?? []), next]);
		if (statusCode === LOST) throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
		readyAt = Math.max(readyAt, clock.time + (retryAfter ?? 0) * 1000);
		const body = statusCode === 200 ? { uploadId: path } : {};
		return { statusCode, headers: { 'retry-after': retryAfter }, body };
	};
	return { client: makeClient({ send, clock, parallel }), seen };
}

it('each request ends once, with no more in flight than allowed, and none before the service is ready', async () => {
	const property = fc.asyncProperty(
		fc.scheduler(),
		fc.array(fate, { maxLength: 15 }),
		fc.integer({ min: 1, max: 5 }),
		fc.integer({ min: 1, max: 10 }),
		async (scheduler, fates, parallel, count) => {
			const { client, seen } = connect(scheduler, fates, parallel);
			const paths = Array.from({ length: count }, (_, index) => `/${index}`);
			const ended: string[] = [];
			const requests = paths.map(async (path) => {
				const call = { method: 'GET', path, kind: upload, purpose: `get ${path}` } as const;
				const result = await client.record(call).catch(() => undefined);
				ended.push(path);
				return result?.uploadId;
			});
			await playOut(scheduler, () => expect(seen.inFlight).toBeLessThanOrEqual(parallel));
			expect(seen.unwanted).toEqual([]);
			expect(ended.sort()).toEqual(paths);
			const results = await Promise.all(requests);
			for (const [index, path] of paths.entries()) {
				const statuses = (seen.fates.get(path) ?? []).map(({ statusCode }) => statusCode);
				const last = statuses.at(-1) ?? LOST;
				// With its own record, or with an error that is final or was repeated.
				expect(results[index]).toBe(last === 200 ? path : undefined);
				expect(statuses.slice(0, -1)).not.toContain(404);
				if (last !== 200 && last !== 404) expect(statuses).toHaveLength(6);
			}
		},
	);
	await fc.assert(property);
});
