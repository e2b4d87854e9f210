/** Any sequence of successes, failures, retries and requests to slow down, compared with a model. */
import fc from 'fast-check';
import { RequestPool, type Slot } from '../../../nodes/EngagementUploads/transport/limiter.ts';
import { settled } from '../../support/anyOrder.mts';
import { TestClock } from '../../support/testClock.mts';

/** How an attempt ends; `retried`: the service asks to slow down, and the task tries again. */
type Ending = 'succeeded' | 'failed' | 'throttled' | 'retried';

/** What a pool promises about its width and about who runs. */
class Model {
	/** Of each task, in the order in which they were added. */
	readonly outcomes: string[][] = [];
	/** In the order in which they started. */
	readonly started: number[] = [];
	readonly running = new Set<number>();
	/** What waits, the oldest request first. */
	private readonly queue: number[] = [];
	private width: number;
	private isCautious = false;
	/** Those that were under way when the service last asked to slow down, and have not tried again. */
	private readonly inBurst = new Set<number>();

	constructor(readonly max: number) {
		this.width = Math.min(32, max);
	}

	add(): void {
		const task = this.outcomes.push([]) - 1;
		this.enqueue(task);
		this.startNext();
	}

	report(task: number, ending: Ending): void {
		if (ending === 'succeeded') this.width = Math.min(this.max, this.width + this.step);
		if (ending === 'throttled' || ending === 'retried') this.slowDown(task);
		this.startNext();
	}

	end(task: number, ending: Ending): void {
		if (ending === 'retried') return this.retry(task);
		this.outcomes[task]?.push(`${ending} ${task}`);
		this.running.delete(task);
		this.startNext();
	}

	/** One with each success, or with each round trip once the service has asked to slow down. */
	private get step(): number {
		return this.isCautious ? 1 / this.width : 1;
	}

	private slowDown(task: number): void {
		if (this.inBurst.has(task)) return;
		this.isCautious = true;
		for (const other of this.running) this.inBurst.add(other);
		this.width = Math.max(1, Math.floor(this.width / 2));
	}

	private retry(task: number): void {
		if (this.running.size > Math.floor(this.width)) {
			this.running.delete(task);
			this.enqueue(task);
		}
		this.inBurst.delete(task);
		this.startNext();
	}

	private enqueue(task: number): void {
		this.queue.push(task);
		this.queue.sort((one, other) => one - other);
	}

	private startNext(): void {
		while (this.running.size < Math.floor(this.width)) {
			const next = this.queue.shift();
			if (next === undefined) return;
			if (!this.started.includes(next)) this.started.push(next);
			this.running.add(next);
		}
	}
}

/** The pool, with tasks whose attempts end when the test says so. */
class Real {
	readonly started: number[] = [];
	readonly running = new Map<number, { slot: Slot; end(ending: Ending): void }>();
	readonly outcomes: string[][] = [];
	private readonly pool: RequestPool;

	constructor(max: number) {
		this.pool = new RequestPool(max, new TestClock());
	}

	add(): void {
		const task = this.outcomes.push([]) - 1;
		const outcomes = this.outcomes[task] as string[];
		void this.pool
			.run(async (slot) => await this.work(task, slot))
			.then(
				(result) => outcomes.push(result),
				(error: Error) => outcomes.push(error.message),
			);
	}

	report(task: number, ending: Ending): void {
		const slot = this.running.get(task)?.slot;
		if (ending === 'succeeded') slot?.onSuccess();
		if (ending === 'throttled' || ending === 'retried') slot?.onThrottled();
	}

	end(task: number, ending: Ending): void {
		const underWay = this.running.get(task);
		this.running.delete(task);
		underWay?.end(ending);
	}

	private async work(task: number, slot: Slot): Promise<string> {
		this.started.push(task);
		for (;;) {
			const ending = await new Promise<Ending>((end) => this.running.set(task, { slot, end }));
			if (ending === 'succeeded') return `succeeded ${task}`;
			if (ending !== 'retried') throw new Error(`${ending} ${task}`);
			await slot.takeTurn();
		}
	}
}

/** Tasks are added, or attempts of tasks that run end, counted from some of them. */
type Step = { added: number } | { ended: number; first: number; ending: Ending };

/** Takes a step, after which the pool does whatever follows from it. */
async function take(step: Step, model: Model, real: Real): Promise<void> {
	const before = model.running.size;
	const first = 'first' in step && before > 0 ? step.first % before : 0;
	const tasks = 'ended' in step ? [...model.running].slice(first, first + step.ended) : [];
	for (const pool of [model, real]) {
		if ('added' in step) for (let count = 0; count < step.added; count++) pool.add();
		else {
			for (const task of tasks) pool.report(task, step.ending);
			for (const task of tasks) pool.end(task, step.ending);
		}
	}
	await settled();
	expect(new Set(real.running.keys())).toEqual(model.running);
	expect(real.started).toEqual(model.started);
	expect(real.running.size).toBeLessThanOrEqual(Math.max(before, model.max));
}

const count = fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 40 }));
const ending = fc.constantFrom<Ending>('succeeded', 'failed', 'throttled', 'retried');
const step: fc.Arbitrary<Step> = fc.oneof(
	fc.record({ added: count }),
	fc.record({ ended: count, first: fc.nat(40), ending }),
);
const steps = fc.array(step, { maxLength: 25, size: 'max' });
const max = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 64 }));

it('the width follows the rules, tasks start in order, and each ends once with its own result', async () => {
	const property = fc.asyncProperty(max, steps, async (most, taken) => {
		const [model, real] = [new Model(most), new Real(most)];
		for (const each of taken) await take(each, model, real);
		while (model.running.size > 0)
			await take({ ended: Infinity, first: 0, ending: 'succeeded' }, model, real);
		expect(real.outcomes).toEqual(model.outcomes);
		expect(real.outcomes.every((outcomes) => outcomes.length === 1)).toBe(true);
	});
	await fc.assert(property);
});

it('waits for the event loop before a request among others, and sends a lone request at once', async () => {
	const clock = new TestClock();
	const pool = new RequestPool(4, clock);
	let turns = 0;
	clock.sleep = async (milliseconds) => {
		turns += milliseconds === 0 ? 1 : 0;
		await settled();
	};
	await pool.run(settled);
	await pool.run(settled);
	expect(turns).toBe(0);
	await Promise.all(Array.from({ length: 10 }, async () => await pool.run(settled)));
	expect(turns).toBe(9);
});
