import type { Clock } from '../../../nodes/EngagementUploads/values/clock.ts';

/** A clock that only runs while something sleeps; times in milliseconds. */
export class TestClock implements Clock {
	private time = 1_000_000;

	now(): number {
		return this.time;
	}

	async sleep(milliseconds: number): Promise<void> {
		// Whole ones, as timers have.
		this.time += Math.ceil(milliseconds);
		await Promise.resolve();
	}
}
