import { RequestPool } from '../../nodes/EngagementUploads/transport/pool.ts';
import { TestClock } from './clock.mts';

describe('waits of a pool', () => {
	const MINUTE = 60_000;
	let clock: TestClock;
	let ended: boolean;
	let pool: RequestPool;

	beforeEach(() => {
		clock = new TestClock();
		ended = false;
		pool = new RequestPool(8, clock, () => {
			if (ended) throw new Error('the execution was stopped');
		});
	});

	async function timeOf(work: () => Promise<void>): Promise<number> {
		const start = clock.now();
		await work().catch(() => {});
		return clock.now() - start;
	}

	it('last as long as requested', async () => {
		expect(await timeOf(async () => await pool.wait(1234))).toBe(1234);
		expect(await timeOf(async () => await pool.wait(0))).toBe(0);
	});

	it('hold back every request until the pause is over', async () => {
		pool.pause(3000);
		expect(await timeOf(async () => await pool.ready())).toBe(3000);
		expect(await timeOf(async () => await pool.ready())).toBe(0);
	});

	it('are not shortened by a shorter pause, but are extended by a longer one', async () => {
		pool.pause(3000);
		pool.pause(1000);
		clock.after(2000, () => pool.pause(4000));
		expect(await timeOf(async () => await pool.ready())).toBe(6000);
	});

	it('end within a second when the execution is cancelled', async () => {
		for (const wait of [async () => await pool.wait(60 * MINUTE), async () => await pool.ready()]) {
			ended = false;
			pool.pause(60 * MINUTE);
			clock.after(5000, () => (ended = true));
			const start = clock.now();
			await expect(wait()).rejects.toThrow('the execution was stopped');
			expect(clock.now() - start).toBeLessThan(6000);
		}
	});

	it('end within a second when the result is no longer wanted', async () => {
		let isWanted = true;
		clock.after(5000, () => (isWanted = false));
		const start = clock.now();
		const waiting = pool.wait(60 * MINUTE, () => {
			if (!isWanted) throw new Error('it is not wanted');
		});
		await expect(waiting).rejects.toThrow('it is not wanted');
		expect(clock.now() - start).toBeLessThan(6000);
	});

	it('do not begin if the execution has already been cancelled', async () => {
		ended = true;
		await expect(pool.wait(MINUTE)).rejects.toThrow('the execution was stopped');
		expect(await timeOf(async () => await pool.wait(MINUTE))).toBe(0);
	});
});
