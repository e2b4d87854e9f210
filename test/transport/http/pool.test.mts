/** Any sequence of successes, failures, retries and requests to slow down, compared with a model. */
import fc from 'fast-check';
import { RequestPool, type Slot } from '../../../nodes/EngagementUploads/transport/http/pool.ts';
import { settled } from '../../support/anyOrder.mts';
import { TestClock } from './clock.mts';

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
	private readonly queue: Array<{ task: number; number: number }> = [];
	private readonly followUps = new Set<number>();
	private width: number;
	/** Up to this width, every success adds one. */
	private doublesTo = Infinity;
	/** Those that were under way when the service last asked to slow down, and have not tried again. */
	private readonly inBurst = new Set<number>();

	constructor(readonly max: number) {
		this.width = Math.min(32, max);
	}

	add(isFollowUp: boolean): void {
		const task = this.outcomes.push([]) - 1;
		if (isFollowUp) this.followUps.add(task);
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

	private get step(): number {
		return this.width < this.doublesTo ? 1 : 1 / this.width;
	}

	private slowDown(task: number): void {
		if (this.inBurst.has(task)) return;
		for (const other of this.running) this.inBurst.add(other);
		this.doublesTo = Math.max(1, Math.floor(this.width / 2));
		this.width = Math.min(8, this.doublesTo);
	}

	private retry(task: number): void {
		if (this.running.size > Math.floor(this.width)) {
			this.running.delete(task);
			this.enqueue(task);
		}
		this.inBurst.delete(task);
		this.startNext();
	}

	/** Follow-ups of earlier tasks are as if they had been added before all others. */
	private enqueue(task: number): void {
		this.queue.push({ task, number: this.followUps.has(task) ? -1 : task });
		this.queue.sort((one, other) => one.number - other.number);
	}

	private startNext(): void {
		while (this.running.size < Math.floor(this.width)) {
			const next = this.queue.shift()?.task;
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

	add(isFollowUp: boolean): void {
		const task = this.outcomes.push([]) - 1;
		const outcomes = this.outcomes[task] as string[];
		void this.pool
			.run(async (slot) => await this.work(task, slot), isFollowUp)
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

/** A step of a sequence, after which the pool does whatever follows from it. */
abstract class Step implements fc.AsyncCommand<Model, Real> {
	constructor(protected readonly count: number) {}

	check(_: Model): boolean {
		return true;
	}

	async run(model: Model, real: Real): Promise<void> {
		const before = model.running.size;
		this.take(model, real);
		await settled();
		expect(new Set(real.running.keys())).toEqual(model.running);
		expect(real.started).toEqual(model.started);
		expect(real.running.size).toBeLessThanOrEqual(Math.max(before, model.max));
	}

	protected abstract take(model: Model, real: Real): void;
}

class Add extends Step {
	constructor(
		count: number,
		private readonly areFollowUps: boolean,
	) {
		super(count);
	}

	protected take(model: Model, real: Real): void {
		for (let times = 0; times < this.count; times++) {
			model.add(this.areFollowUps);
			real.add(this.areFollowUps);
		}
	}

	toString = () => `add ${this.count}${this.areFollowUps ? ' that follow up' : ''}`;
}

class End extends Step {
	constructor(
		count: number,
		/** The first of them, among those that run. */
		private readonly first: number,
		private readonly ending: Ending,
	) {
		super(count);
	}

	override check(model: Model): boolean {
		return model.running.size > 0;
	}

	protected take(model: Model, real: Real): void {
		const first = this.first % model.running.size;
		const tasks = [...model.running].slice(first, first + this.count);
		for (const each of [model, real]) {
			for (const task of tasks) each.report(task, this.ending);
			for (const task of tasks) each.end(task, this.ending);
		}
	}

	toString = () => `${this.count} ${this.ending} from ${this.first}`;
}

const count = fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 40 }));
const ending = fc.constantFrom<Ending>('succeeded', 'failed', 'throttled', 'retried');
const steps = fc.commands<Model, Real, false>(
	[
		fc.tuple(count, fc.boolean()).map((given) => new Add(...given)),
		fc.tuple(count, fc.nat(40), ending).map((given) => new End(...given)),
	],
	{ maxCommands: 25, size: 'medium' },
);
const max = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 64 }));

/** Takes the steps; the model and the pool afterwards. */
async function after(most: number, taken: Iterable<fc.AsyncCommand<Model, Real>>) {
	const both = { model: new Model(most), real: new Real(most) };
	await fc.asyncModelRun(() => both, taken);
	return both;
}

it('the width follows the rules, tasks start in order, and each ends once with its own result', async () => {
	await fc.assert(
		fc.asyncProperty(max, steps, async (most, taken) => {
			const { model, real } = await after(most, taken);
			while (model.running.size > 0) await new End(Infinity, 0, 'succeeded').run(model, real);
			expect(real.outcomes).toEqual(model.outcomes);
			expect(real.outcomes.every((outcomes) => outcomes.length === 1)).toBe(true);
		}),
	);
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
