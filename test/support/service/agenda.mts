interface Entry {
	at: number;
	run: (at: number) => void;
}

/** What happens in the service by itself when its clock passes a time; in order of time. */
export class Agenda {
	// Latest first, so that the next one due is taken off the end.
	private readonly entries: Entry[] = [];

	/** Has something done once the clock reaches `at` (epoch ms). */
	add(at: number, run: (at: number) => void): void {
		let low = 0;
		let high = this.entries.length;
		while (low < high) {
			const middle = (low + high) >>> 1;
			const entry = this.entries[middle];
			if (entry !== undefined && entry.at > at) low = middle + 1;
			else high = middle;
		}
		this.entries.splice(low, 0, { at, run });
	}

	/** Does what is due at `now`, also what that brings about by then. */
	runUntil(now: number): void {
		for (;;) {
			const next = this.entries.at(-1);
			if (next === undefined || next.at > now) return;
			this.entries.pop();
			next.run(next.at);
		}
	}
}
