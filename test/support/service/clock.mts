/**
 * The service's clock, and what happens when it passes a time. It shows the real time until it is moved
 * (it keeps running) or set (it stands still).
 */
export class Clock {
	private standing: number | null = null;
	private shift = 0;
	private readonly planned: Array<{ at: number; run: (at: number) => void }> = [];

	/** Epoch ms. */
	get time(): number {
		return this.standing ?? Date.now() + this.shift;
	}

	/** Moves the clock ahead or back; a stopped one stays stopped at the new time. */
	move(ms: number): void {
		if (this.standing === null) this.shift += ms;
		else this.standing += ms;
		this.settle();
	}

	/** Stops the clock at a time in epoch ms; then only `move` and `set` move it. */
	set(ms: number): void {
		this.standing = ms;
		this.settle();
	}

	/** Runs a function once the clock reaches `at` (epoch ms). */
	plan(at: number, run: (at: number) => void): void {
		this.planned.push({ at, run });
		this.planned.sort((one, other) => one.at - other.at);
	}

	/** Runs what is due by now, in order of time, including what that plans. */
	settle(): void {
		const now = this.time;
		for (let next = this.planned[0]; next !== undefined && next.at <= now; ) {
			this.planned.shift();
			next.run(next.at);
			next = this.planned[0];
		}
	}
}
