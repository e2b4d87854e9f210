/** Parallel requests of one execution, answered in any order, by a service that asks to wait. */
import fc from 'fast-check';
import { upload } from '../../nodes/EngagementUploads/service/records.ts';
import type { ServiceClient } from '../../nodes/EngagementUploads/transport/client.ts';
import type { Clock } from '../../nodes/EngagementUploads/values/clock.ts';
import { playOut } from '../support/anyOrder.mts';
import { makeClient } from './makeClient.mts';

type Fate = 'record' | 'missing' | 'busy' | 'lost' | { retryAfter: number };

/** Each answer takes this long; in milliseconds. */
const LATENCY = 50;
const STATUSES = { record: 200, missing: 404, busy: 503 };

const fate: fc.Arbitrary<Fate> = fc.oneof(
	fc.constantFrom<Fate>('record', 'record', 'missing', 'busy', 'lost'),
	fc.record({ retryAfter: fc.constantFrom(0, 0.5, 1) }),
);

/** Time passes only while something sleeps; whatever sleeps may wake up too late. */
class LateClock implements Clock {
	private time = 1_000_000;

	constructor(private readonly scheduler: fc.Scheduler) {}

	now = () => this.time;

	async sleep(milliseconds: number): Promise<void> {
		const end = this.time + milliseconds;
		await this.scheduler.schedule(Promise.resolve(), `sleep until ${end}`);
		this.time = Math.max(this.time, end);
	}

	pass(milliseconds: number): void {
		this.time += milliseconds;
	}
}

/** A client, and a service that answers it when the scheduler says so. */
class Exchange {
	readonly client: ServiceClient;
	inFlight = 0;
	/** What was answered to each request. */
	readonly answers = new Map<string, Fate[]>();
	readonly settled = new Map<string, Array<'record' | 'error'>>();
	/** Requests that were sent although the service had asked to wait. */
	readonly unwanted: string[] = [];
	private readonly clock: LateClock;
	private readonly fates: Fate[];
	/** When the service is ready again. */
	private readyAt = 0;

	constructor(
		readonly scheduler: fc.Scheduler,
		fates: readonly Fate[],
		readonly parallel: number,
	) {
		this.fates = [...fates];
		this.clock = new LateClock(scheduler);
		const send = async (path: string) => await this.answer(path);
		this.client = makeClient({ send, clock: this.clock, parallel });
	}

	request(path: string): void {
		this.settled.set(path, []);
		const settle = (how: 'record' | 'error') => this.settled.get(path)?.push(how);
		void this.client.record({ method: 'GET', path, kind: upload, purpose: `get ${path}` }).then(
			({ uploadId }) => settle(uploadId === path ? 'record' : 'error'),
			() => settle('error'),
		);
	}

	private async answer(path: string): Promise<object> {
		if (this.clock.now() < this.readyAt) this.unwanted.push(`${path} before Retry-After`);
		this.inFlight++;
		await this.scheduler.schedule(Promise.resolve(), path);
		this.inFlight--;
		this.clock.pass(LATENCY);
		const next = this.fates.shift() ?? 'record';
		const answers = [...(this.answers.get(path) ?? []), next];
		this.answers.set(path, answers);
		if (next === 'lost') throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
		if (typeof next === 'string') return { ...this.response(STATUSES[next], path), headers: {} };
		this.readyAt = Math.max(this.readyAt, this.clock.now() + next.retryAfter * 1000);
		return { ...this.response(429, path), headers: { 'retry-after': String(next.retryAfter) } };
	}

	private response(statusCode: number, path: string) {
		return { statusCode, body: JSON.stringify(statusCode === 200 ? { uploadId: path } : {}) };
	}
}

// Jitter would make a failure hard to repeat.
beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0.5));
afterEach(() => jest.restoreAllMocks());

it('each request ends once, with no more in flight than allowed, and none before the service is ready', async () => {
	const property = fc.asyncProperty(
		fc.scheduler(),
		fc.array(fate, { maxLength: 15 }),
		fc.integer({ min: 1, max: 5 }),
		fc.integer({ min: 1, max: 10 }),
		async (scheduler, fates, parallel, count) => {
			const exchange = new Exchange(scheduler, fates, parallel);
			const paths = Array.from({ length: count }, (_, index) => `/${index}`);
			for (const path of paths) exchange.request(path);
			await playOut(scheduler, () => expect(exchange.inFlight).toBeLessThanOrEqual(parallel));
			expect(exchange.unwanted).toEqual([]);
			for (const path of paths) {
				const answers = exchange.answers.get(path) ?? [];
				const last = answers.at(-1);
				// With its own record, or with an error that is final or was repeated.
				expect(exchange.settled.get(path)).toEqual([last === 'record' ? 'record' : 'error']);
				expect(answers.slice(0, -1)).not.toContain('missing');
				if (last !== 'record' && last !== 'missing') expect(answers).toHaveLength(5);
			}
		},
	);
	await fc.assert(property);
});
