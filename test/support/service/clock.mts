/**
 * The service's clock: the real one until it is moved (it keeps running) or set (it stands still).
 */
export class Clock {
	private standing: number | null = null;
	private shift = 0;

	/** Epoch ms, without the skew of the settings. */
	get time(): number {
		return this.standing ?? Date.now() + this.shift;
	}

	/** Moves a running clock ahead or back; a stopped one stays stopped at the new time. */
	move(ms: number): void {
		if (this.standing === null) this.shift += ms;
		else this.standing += ms;
	}

	/** Stops the clock at a time in epoch ms. */
	set(ms: number): void {
		this.standing = ms;
	}

	/** Lets a stopped clock run again, with the real time. */
	resume(): void {
		this.standing = null;
	}
}
