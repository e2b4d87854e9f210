/** Writes of several items with On Error: Continue, whose requests end in any order. */
import fc from 'fast-check';
import type { INode } from 'n8n-workflow';
import type { Execution } from '../../nodes/EngagementUploads/actions/execution.ts';
import { Memory, type Outcome } from '../../nodes/EngagementUploads/actions/memory.ts';
import { runWrites, type Write } from '../../nodes/EngagementUploads/actions/writes.ts';
import type { Item } from '../../nodes/EngagementUploads/fields/item.ts';
import { serviceError } from '../../nodes/EngagementUploads/transport/errors.ts';
import { playOut } from '../support/anyOrder.mts';

interface RandomWrite {
	/** Undefined: it may overlap any other. */
	key?: string;
	/** The key is an external ID that cannot be looked up. */
	isKeyLost: boolean;
	fate: 'done' | 'rejected' | 'unknown';
}

const randomWrites: fc.Arbitrary<RandomWrite[]> = fc.array(
	fc.record({
		key: fc.constantFrom('A', 'B', 'C', undefined),
		isKeyLost: fc.integer({ min: 0, max: 9 }).map((number) => number === 9),
		fate: fc.constantFrom('done', 'done', 'rejected', 'unknown'),
	}),
	{ minLength: 1, maxLength: 12 },
);

const node = { name: 'Engagement Uploads' } as INode;

/** Runs writes whose requests end when the scheduler says so. */
class Writing {
	readonly memory = new Memory();
	readonly started: number[] = [];
	readonly running = new Set<number>();
	readonly ended = new Set<number>();

	constructor(
		private readonly scheduler: fc.Scheduler,
		readonly writes: RandomWrite[],
		readonly parallel: number,
	) {}

	/** Runs all of them; `check` is called whenever nothing happens until a request ends. */
	async run(check: () => void = () => {}): Promise<Outcome[] | undefined> {
		let outcomes: Outcome[] | undefined;
		const execution = {
			client: { options: { parallel: this.parallel }, stop: () => {} },
			context: { getNode: () => node },
			continuesOnFail: true,
			items: this.writes.map((_, index) => ({ index, options: {} })),
			memory: this.memory,
		} as unknown as Execution;
		void runWrites(execution, 'startedUploads', (item) => this.prepare(item)).then(
			(given) => (outcomes = given),
		);
		await playOut(this.scheduler, check);
		return outcomes;
	}

	/** The key by which a write must wait for others. */
	keyOf(index: number): string | undefined {
		const write = this.writes[index];
		return write?.isKeyLost === true ? undefined : write?.key;
	}

	/** How many writes could run if there were no limit. */
	get possible(): number {
		const left = [...this.writes.keys()].filter((index) => !this.ended.has(index));
		return new Set(left.map((index) => this.keyOf(index) ?? index)).size;
	}

	private prepare({ index }: Item): Write {
		const { key, isKeyLost, fate } = this.writes[index] as RandomWrite;
		const lookUp = async () => {
			await this.scheduler.schedule(Promise.resolve(), `lookup for item ${index}`);
			return isKeyLost ? await Promise.reject(new Error('not found')) : key;
		};
		const run = async () => {
			this.started.push(index);
			this.running.add(index);
			await this.scheduler.schedule(Promise.resolve(), `write of item ${index}`);
			this.running.delete(index);
			this.ended.add(index);
			if (fate === 'done') return { records: [{ index }] };
			const report = { purpose: `write item ${index}`, problem: 'it failed', advice: 'Look' };
			throw serviceError(node, { ...report, isOutcomeUnknown: fate === 'unknown' });
		};
		return { run, ...(key !== undefined && { key: lookUp }) };
	}
}

/** Checks a property of random writes. */
async function always(property: (writing: Writing) => Promise<void>): Promise<void> {
	const arbitrary = fc.asyncProperty(
		fc.scheduler(),
		randomWrites,
		fc.integer({ min: 1, max: 5 }),
		async (...given) => await property(new Writing(...given)),
	);
	await fc.assert(arbitrary);
}

const sorted = (numbers: number[]) => numbers.toSorted((one, other) => one - other);

it('writes with the same key never overlap, and keep the order of the items', async () => {
	await always(async (writing) => {
		await writing.run(() => {
			const keys = [...writing.running].flatMap((index) => writing.keyOf(index) ?? []);
			expect(keys).toHaveLength(new Set(keys).size);
		});
		for (const key of ['A', 'B', 'C']) {
			const started = writing.started.filter((index) => writing.keyOf(index) === key);
			expect(started).toEqual(sorted(started));
		}
	});
});

it('as many run at once as keys and Parallel Requests allow, and no more', async () => {
	await always(async (writing) => {
		await writing.run(() => {
			const hasBegun = writing.started.length > 0;
			const most = Math.min(writing.parallel, writing.possible);
			expect(writing.running.size).toBe(hasBegun ? most : 0);
		});
	});
});

it('each runs once, and its result has the place of its item', async () => {
	await always(async (writing) => {
		const outcomes = await writing.run();
		expect(sorted(writing.started)).toEqual([...writing.writes.keys()]);
		expect(outcomes).toEqual(
			writing.writes.map(({ fate }, index) =>
				fate === 'done'
					? { records: [{ index }] }
					: { error: expect.objectContaining({ context: { itemIndex: index } }) },
			),
		);
	});
});

it('another attempt runs only those that were rejected', async () => {
	await always(async (writing) => {
		const isRejected = (index: number) => writing.writes[index]?.fate === 'rejected';
		const first = await writing.run();
		writing.started.splice(0);
		const second = await writing.run();
		expect(sorted(writing.started)).toEqual([...writing.writes.keys()].filter(isRejected));
		expect(second).toHaveLength(writing.writes.length);
		for (const [index, outcome] of (second ?? []).entries())
			if (!isRejected(index)) expect(outcome).toEqual(first?.[index]);
	});
});
