import type { Clock } from '../../../nodes/EngagementUploads/values/clock.ts';
import { SeededRandom } from '../service/random.mts';

/** A clock that only runs while something sleeps; times in milliseconds. */
export class TestClock implements Clock {
	private time = 1_000_000;
	private readonly chance = new SeededRandom(1);

	now(): number {
		return this.time;
	}

	async sleep(milliseconds: number): Promise<void> {
		// Whole ones, as timers have.
		this.time += Math.ceil(milliseconds);
		await Promise.resolve();
	}

	random(): number {
		return this.chance.fraction();
	}
}
