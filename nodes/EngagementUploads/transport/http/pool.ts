/**
 * Bounded, ordered concurrency. Invariants: no request starts while `width` are under
 * way, and `width` never exceeds `max`. It doubles with each round trip until the service asks to
 * slow down; then it halves, and grows by one with each round trip. Retries that exceed it wait their
 * turn, since each failed attempt counts.
 */
import { TimeSlice, type Clock } from '../../values/clock';

const START_WIDTH = 32;

/** One request's slot in the pool, through which it reports how the service coped. */
export interface Slot {
	/** Before a retry, waits for a free slot if there are fewer than before. */
	takeTurn(): Promise<void>;
	/** The service answered in time, so there may be room for more. */
	onSuccess(): void;
	/** The service asked to slow down, or may have acted on a write without a response. */
	onThrottled(): void;
}

/** Concurrency of all requests in one execution; pages and items share it. */
export class RequestPool {
	private width: number;
	private running = 0;
	private added = 0;
	/** Counts the cuts, so that a burst of related rejections halves the width once. */
	private cuts = 0;
	/** Tasks, and retries that gave up their slot: the oldest request first. */
	private readonly queue: Array<{ number: number; start(): void }> = [];

	constructor(
		private readonly max: number,
		private readonly clock: Clock,
	) {
		this.width = Math.min(START_WIDTH, max);
	}

	/** Runs a task when a slot is free. Tasks start in the order in which they were added. */
	async run<T>(task: (slot: Slot) => Promise<T>): Promise<T> {
		const number = ++this.added;
		if (this.running < Math.floor(this.width)) this.running++;
		else await this.enqueue(number);
		try {
			// Requests started in one turn of the event loop are sent at its end, and their
			// responses arrive together. If each started in its own turn, they would be sent one by one.
			if (this.running > 1) await this.clock.sleep(0);
			return await task(this.slotFor(number));
		} finally {
			this.running--;
			this.startNext();
		}
	}

	private slotFor(number: number): Slot {
		let { cuts } = this;
		return {
			takeTurn: async () => {
				await this.takeTurn(number);
				cuts = this.cuts;
			},
			onSuccess: () => this.grow(),
			onThrottled: () => {
				if (cuts === this.cuts) this.cut();
				cuts = this.cuts;
			},
		};
	}

	/** Gives up a slot if there are more than `width`, and waits for another. */
	private async takeTurn(number: number): Promise<void> {
		if (this.running <= Math.floor(this.width)) return;
		this.running--;
		await this.enqueue(number);
	}

	private async enqueue(number: number): Promise<void> {
		const before = this.queue.findLastIndex((each) => each.number <= number);
		await new Promise<void>((start) => this.queue.splice(before + 1, 0, { number, start }));
	}

	private grow(): void {
		const step = this.cuts === 0 ? 1 : 1 / this.width;
		this.width = Math.min(this.max, this.width + step);
		this.startNext();
	}

	private cut(): void {
		this.cuts++;
		this.width = Math.max(1, Math.floor(this.width / 2));
	}

	private startNext(): void {
		while (this.queue.length > 0 && this.running < Math.floor(this.width)) {
			this.running++;
			this.queue.shift()?.start();
		}
	}
}

/**
 * Maps inputs to results in order, at most `width` at a time, with pauses. After a failure, no new
 * task is started; tasks in flight are awaited, then the failure is thrown.
 */
export async function mapOrdered<In, Out>(
	inputs: readonly In[],
	width: number,
	work: (input: In, index: number) => Promise<Out>,
): Promise<Out[]> {
	const results = new Array<Out>(inputs.length);
	let failure: Promise<never> | undefined;
	let next = 0;
	const slice = new TimeSlice();
	const worker = async () => {
		while (next < inputs.length && failure === undefined) {
			if (slice.isOver) {
				await slice.renew();
				continue;
			}
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
