import { RequestPool, type Slot } from '../../nodes/EngagementUploads/transport/pool.ts';
import { settled } from '../support/anyOrder.mts';
import { TestClock } from './clock.mts';

/** Tasks of a pool that run until the test ends them. */
class Tasks {
	readonly started: number[] = [];
	private readonly underWay = new Map<number, { slot: Slot; end(): void }>();

	constructor(private readonly pool: RequestPool) {}

	get running(): number {
		return this.underWay.size;
	}

	async add(...numbers: number[]): Promise<void> {
		for (const number of numbers) void this.pool.run(async (slot) => await this.work(number, slot));
		await settled();
	}

	/** Ends the oldest running tasks with these outcomes. */
	async end(count: number, report: (slot: Slot) => void = () => {}): Promise<void> {
		const ending = [...this.underWay].slice(0, count);
		for (const [, { slot }] of ending) report(slot);
		for (const [number, { end }] of ending) {
			this.underWay.delete(number);
			end();
		}
		await settled();
	}

	report(count: number, report: (slot: Slot) => void): void {
		for (const { slot } of [...this.underWay.values()].slice(0, count)) report(slot);
	}

	private async work(number: number, slot: Slot): Promise<void> {
		this.started.push(number);
		await new Promise<void>((end) => this.underWay.set(number, { slot, end }));
	}
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const onSuccess = (slot: Slot) => slot.onSuccess();
const slowDown = (slot: Slot) => slot.onThrottled();
const goesOn = () => {};

function tasks(max: number): Tasks {
	return new Tasks(new RequestPool(max, new TestClock(), goesOn));
}

/** How many run at once, at the start and after each of these round trips of successes. */
async function widthsOver(work: Tasks, trips: number): Promise<number[]> {
	const widths = [work.running];
	for (let trip = 0; trip < trips; trip++) {
		await work.end(work.running, onSuccess);
		widths.push(work.running);
	}
	return widths;
}

describe('the width of a pool', () => {
	it('starts at 32 and doubles with each round trip, up to the maximum', async () => {
		const work = tasks(50);
		await work.add(...range(300));
		expect(await widthsOver(work, 2)).toEqual([32, 50, 50]);
	});

	it('starts at the maximum if that is below 32', async () => {
		const work = tasks(3);
		await work.add(...range(20));
		expect(await widthsOver(work, 1)).toEqual([3, 3]);
	});

	it.each([1, 0])(
		'costs at most one round trip more than starting at the maximum, after %i lone requests',
		async (alone) => {
			const most = 5000;
			const work = tasks(64);
			await work.add(...range(alone));
			await work.end(alone, onSuccess);
			await work.add(...range(most));
			// With fewer tasks, each round trip is the same until they run out.
			for (let done = 0, trip = 1; done < most; trip++) {
				const next = done + work.running;
				for (let count = done + 1; count <= next; count++)
					expect(trip).toBeLessThanOrEqual(Math.ceil(count / 64) + 1);
				await work.end(work.running, onSuccess);
				done = next;
			}
		},
	);

	it('falls to 8 when the service asks to slow down, and doubles up to half of what was too much', async () => {
		const work = tasks(64);
		await work.add(...range(300));
		await work.end(32, onSuccess);
		await work.end(64, slowDown);
		expect(await widthsOver(work, 4)).toEqual([8, 16, 32, 32, 33]);
	});

	it('is halved again if the same requests are rejected again', async () => {
		const work = tasks(8);
		await work.add(...range(100));
		work.report(8, slowDown);
		work.report(8, slowDown);
		await work.end(8);
		expect(work.running).toBe(2);
	});
});

describe('the tasks of a pool', () => {
	it('start in the order in which they were added, even if a slot becomes free in the meantime', async () => {
		const work = tasks(64);
		await work.add(...range(34));
		work.report(1, onSuccess);
		await work.add(34, 35);
		expect(work.started).toEqual(range(33));
		await work.end(33);
		expect(work.started).toEqual(range(36));
	});
});

it('waits for the event loop before a request among others, and sends a lone request at once', async () => {
	const clock = new TestClock();
	const pool = new RequestPool(4, clock, goesOn);
	let turns = 0;
	clock.sleep = async (milliseconds) => {
		turns += milliseconds === 0 ? 1 : 0;
		await settled();
	};
	await pool.run(settled);
	await pool.run(settled);
	expect(turns).toBe(0);
	await Promise.all(range(10).map(async () => await pool.run(settled)));
	expect(turns).toBe(9);
});
