interface Entry {
	at: number;
	run: (at: number) => void;
}

/** What happens in the service when its clock passes a time, in order of time. */
export class Agenda {
	// Latest first, so that the next due entry is at the end.
	private readonly entries: Entry[] = [];

	/** Runs a function once the clock reaches `at` (epoch ms). */
	add(at: number, run: (at: number) => void): void {
		const place = this.entries.findIndex((entry) => entry.at <= at);
		this.entries.splice(place < 0 ? this.entries.length : place, 0, { at, run });
	}

	/** Runs what is due at `now`, including what that adds. */
	runUntil(now: number): void {
		for (;;) {
			const next = this.entries.at(-1);
			if (next === undefined || next.at > now) return;
			this.entries.pop();
			next.run(next.at);
		}
	}
}
