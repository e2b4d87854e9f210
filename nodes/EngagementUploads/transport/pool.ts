/**
 * Bounded, ordered, abortable concurrency. Invariant: never more than `width` requests are under
 * way, and `width` never exceeds `max`; it starts low, doubles per round trip while the service
 * keeps up, halves when the service asks to slow down, and then grows by one per round trip.
 */
import { sleep } from 'n8n-workflow';

const START_WIDTH = 8;
/** Waits are cut into slices, so that a cancelled execution stops within one of them. */
const SLICE = 200;

/** The time that a pool goes by, handed in so that tests need not wait. */
export interface Clock {
	now(): number;
	sleep(milliseconds: number): Promise<void>;
}

export const systemClock: Clock = { now: () => Date.now(), sleep };

/** Concurrency of all the requests of one execution; pages and items share it. */
export class RequestPool {
	private width: number;
	private running = 0;
	private slowStart = true;
	/** Counts the cuts, so that a burst of refusals that belong together halves the width once. */
	private cuts = 0;
	private pausedUntil = 0;
	private readonly queue: Array<() => void> = [];

	constructor(
		private readonly max: number,
		private readonly clock: Clock,
		/** Throws when the execution was cancelled or has failed. */
		private readonly throwIfAborted: () => void,
	) {
		this.width = Math.min(START_WIDTH, max);
	}

	/** Runs a task when there is a place for it; tasks start in the order in which they came. */
	async run<T>(task: (slot: Slot) => Promise<T>): Promise<T> {
		if (this.running < Math.floor(this.width)) this.running++;
		else await new Promise<void>((start) => this.queue.push(start));
		try {
			// What is begun in one turn of the event loop is sent at its end, and comes back in one lot
			// again: a turn each, and requests beside others go out one by one.
			if (this.running > 1) await this.clock.sleep(0);
			this.throwIfAborted();
			return await task(new Slot(this));
		} finally {
			this.running--;
			this.startNext();
		}
	}

	/** Waits until no pause that the service asked for is left. */
	async ready(): Promise<void> {
		while (this.pausedUntil > this.clock.now())
			await this.wait(this.pausedUntil - this.clock.now());
	}

	/** Waits, unless the execution, or what else it is for, ends before. */
	async wait(milliseconds: number, throwIfUnwanted = () => {}): Promise<void> {
		const end = this.clock.now() + milliseconds;
		for (let left = milliseconds; left > 0; left = end - this.clock.now()) {
			this.throwIfAborted();
			throwIfUnwanted();
			await this.clock.sleep(Math.min(left, SLICE));
		}
		this.throwIfAborted();
	}

	/** Nothing is sent for this long: the service asked for it. */
	pause(milliseconds: number): void {
		this.pausedUntil = Math.max(this.pausedUntil, this.clock.now() + milliseconds);
	}

	/** @internal */
	get epoch(): number {
		return this.cuts;
	}

	/** @internal */
	grow(): void {
		this.width = Math.min(this.max, this.width + (this.slowStart ? 1 : 1 / this.width));
		this.startNext();
	}

	/** @internal */
	cut(epoch: number): void {
		if (epoch !== this.cuts) return;
		this.cuts++;
		this.slowStart = false;
		this.width = Math.max(1, Math.floor(this.width / 2));
	}

	private startNext(): void {
		while (this.queue.length > 0 && this.running < Math.floor(this.width)) {
			this.running++;
			this.queue.shift()?.();
		}
	}
}

/** The place of one request in the pool, through which it tells how the service took it. */
export class Slot {
	private epoch: number;

	constructor(private readonly pool: RequestPool) {
		this.epoch = pool.epoch;
	}

	/** The service answered in time: there may be room for more. */
	onSuccess(): void {
		this.pool.grow();
	}

	/** The service asked to slow down. */
	onThrottled(): void {
		this.pool.cut(this.epoch);
		this.epoch = this.pool.epoch;
	}
}

/**
 * Maps inputs to results in their order, at most `width` at once. After a failure nothing new is
 * started; what is under way is waited for, then that failure is thrown.
 */
export async function mapOrdered<In, Out>(
	inputs: readonly In[],
	width: number,
	work: (input: In, index: number) => Promise<Out>,
): Promise<Out[]> {
	const results = new Array<Out>(inputs.length);
	let failure: Promise<never> | undefined;
	let next = 0;
	const worker = async () => {
		while (next < inputs.length && failure === undefined) {
			const index = next++;
			const result = work(inputs[index] as In, index);
			try {
				results[index] = await result;
			} catch {
				// The first failure counts: those after it may only be its consequences.
				failure ??= result as Promise<never>;
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(width, inputs.length) }, worker));
	return failure ?? results;
}
