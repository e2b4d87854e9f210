/** How many requests are sent at once. */
import { Limiter } from '../../nodes/EngagementUploads/transport/limiter.ts';
import { settled } from '../support/anyOrder.mts';
import { TestClock } from '../support/testClock.mts';

describe('a limiter', () => {
	/** A limiter with many tasks, each of which runs until `end` ends the oldest ones. */
	function busy(max: number) {
		const clock = new TestClock();
		const limiter = new Limiter(max, clock);
		const running: Array<() => void> = [];
		for (let task = 0; task < 500; task++)
			void limiter.run(async () => await new Promise<void>((end) => running.push(end)));
		const end = async (count: number) => {
			for (const endTask of running.splice(0, count)) endTask();
			await settled();
		};
		return { clock, limiter, running, end };
	}

	it('sends half as many once the service asks to slow down, and then one more with each round', async () => {
		const { clock, limiter, running, end } = busy(64);
		limiter.halve(clock.now());
		// The others of the same moment say nothing new.
		await clock.sleep(10);
		limiter.halve(clock.now() - 20);
		await end(32);
		expect(running).toHaveLength(16);
		for (let success = 0; success < 15; success++) limiter.grow();
		expect(running).toHaveLength(16);
		limiter.grow();
		limiter.grow();
		await settled();
		expect(running).toHaveLength(17);
		for (let asked = 0; asked < 9; asked++) {
			await clock.sleep(10);
			limiter.halve(clock.now());
		}
		await end(17);
		expect(running).toHaveLength(1);
	});
});
