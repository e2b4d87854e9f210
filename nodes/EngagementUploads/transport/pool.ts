/**
 * Bounded, ordered, abortable concurrency. Invariants: no request starts while `width` are under
 * way, and `width` never exceeds `max`. It starts high enough that growing costs at most one round
 * trip, and doubles with each round trip while the service keeps up. When the service asks to slow
 * down, `width` falls to at most 8, doubles up to half of what was too much, and then grows by
 * one per round trip; retries that exceed it wait their turn, since each failed attempt counts.
 */
import { sleep } from 'n8n-workflow';

const START_WIDTH = 32;
/** Maximum width right after the service asked to slow down. */
const RESTART_WIDTH = 8;
/** Waits are sliced, so that a cancelled execution stops within one slice. */
const SLICE = 200;

/** The pool's clock, injected so that tests need not wait. */
export interface Clock {
	now(): number;
	sleep(milliseconds: number): Promise<void>;
}

export const systemClock: Clock = { now: () => Date.now(), sleep };

/** Concurrency of all requests in one execution; pages and items share it. */
export class RequestPool {
	private width: number;
	private running = 0;
	/** Up to this width, it doubles with each round trip. */
	private doublesTo = Infinity;
	/** Counts the cuts, so that a burst of related rejections halves the width once. */
	private cuts = 0;
	private pausedUntil = 0;
	private readonly queue: Array<() => void> = [];
	/** Retries that gave up their slot, the oldest request first. */
	private readonly retries: Array<{ number: number; start: () => void }> = [];
	private started = 0;

	constructor(
		private readonly max: number,
		private readonly clock: Clock,
		/** Throws if the execution was cancelled or has failed. */
		private readonly throwIfAborted: () => void,
	) {
		this.width = Math.min(START_WIDTH, max);
	}

	/**
	 * Runs a task when a slot is free. Tasks start in the order in which they were added, except
	 * that follow-ups of earlier tasks go first.
	 */
	async run<T>(task: (slot: Slot) => Promise<T>, isFollowUp = false): Promise<T> {
		if (this.running < Math.floor(this.width)) this.running++;
		else
			await new Promise<void>((start) =>
				isFollowUp ? this.queue.unshift(start) : this.queue.push(start),
			);
		try {
			// Requests started in one turn of the event loop are sent at its end, and their
			// responses arrive together. If each started in its own turn, they would be sent one by one.
			if (this.running > 1) await this.clock.sleep(0);
			this.throwIfAborted();
			return await task(new Slot(this, this.started++));
		} finally {
			this.running--;
			this.startNext();
		}
	}

	/** Waits until every pause that the service asked for is over. */
	async ready(): Promise<void> {
		while (this.pausedUntil > this.clock.now())
			await this.wait(this.pausedUntil - this.clock.now());
	}

	/** Waits, unless the execution, or whatever the wait is for, ends first. */
	async wait(milliseconds: number, throwIfUnwanted = () => {}): Promise<void> {
		const end = this.clock.now() + milliseconds;
		for (let left = milliseconds; left > 0; left = end - this.clock.now()) {
			this.throwIfAborted();
			throwIfUnwanted();
			await this.clock.sleep(Math.min(left, SLICE));
		}
		this.throwIfAborted();
	}

	/** Pauses all requests, because the service asked for it. */
	pause(milliseconds: number): void {
		this.pausedUntil = Math.max(this.pausedUntil, this.clock.now() + milliseconds);
	}

	/** @internal Gives up a slot if there are more than `width`, and waits for another. */
	async takeTurn(number: number): Promise<void> {
		if (this.running <= Math.floor(this.width)) return;
		this.running--;
		await new Promise<void>((start) => {
			this.retries.push({ number, start });
			this.retries.sort((one, other) => one.number - other.number);
		});
	}

	/** @internal */
	get epoch(): number {
		return this.cuts;
	}

	/** @internal */
	grow(): void {
		const step = this.width < this.doublesTo ? 1 : 1 / this.width;
		this.width = Math.min(this.max, this.width + step);
		this.startNext();
	}

	/** @internal */
	cut(epoch: number): void {
		if (epoch !== this.cuts) return;
		this.cuts++;
		this.doublesTo = Math.max(1, Math.floor(this.width / 2));
		this.width = Math.min(this.doublesTo, RESTART_WIDTH);
	}

	private startNext(): void {
		while (this.running < Math.floor(this.width)) {
			const start = this.retries.shift()?.start ?? this.queue.shift();
			if (start === undefined) return;
			this.running++;
			start();
		}
	}
}

/** One request's slot in the pool, through which it reports how the service coped. */
export class Slot {
	private epoch: number;

	/** @param number of the request, in the order in which they started */
	constructor(
		private readonly pool: RequestPool,
		private readonly number: number,
	) {
		this.epoch = pool.epoch;
	}

	/** Waits, before a retry, until it is among as many requests as the service can take. */
	async takeTurn(): Promise<void> {
		await this.pool.takeTurn(this.number);
		this.epoch = this.pool.epoch;
	}

	/** The service answered in time, so there may be room for more. */
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
 * Maps inputs to results in order, at most `width` at a time. After a failure, no new task is
 * started; tasks in flight are awaited, then the failure is thrown.
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
				// The first failure counts, since later ones may be its consequences.
				failure ??= result as Promise<never>;
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(width, inputs.length) }, worker));
	return failure ?? results;
}
