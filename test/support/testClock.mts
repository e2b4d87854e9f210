import type { Clock } from '../../nodes/EngagementUploads/values/clock.ts';

/** A clock that only runs while something sleeps; times in milliseconds. */
export class TestClock implements Clock {
	private time = 1_000_000;
	private readonly alarms: Array<{ at: number; ring(): void }> = [];

	now(): number {
		return this.time;
	}

	async sleep(milliseconds: number): Promise<void> {
		// Whole ones, as timers have.
		this.time += Math.ceil(milliseconds);
		for (const alarm of this.alarms.splice(0)) {
			if (alarm.at <= this.time) alarm.ring();
			else this.alarms.push(alarm);
		}
		await Promise.resolve();
	}

	/** Fires after this much time. */
	after(milliseconds: number, ring: () => void): void {
		this.alarms.push({ at: this.time + milliseconds, ring });
	}
}
