/**
 * One poll of a trigger at a time. Invariants: only one poll works on a state, unless the previous
 * one has exceeded its time or belongs to an older registration; and a poll that was overtaken emits
 * nothing.
 */
import { systemClock } from '../transport/http/pool';

const SLICE = 100;

/** A poll, from its arrival. */
export class Turn {
	isOvertaken = false;
	private isFinished = false;
	private finish = () => {};
	private readonly finished = new Promise<void>((resolve) => (this.finish = resolve));

	constructor(
		/** The object in which n8n holds the state, the same for all polls of a registration. */
		readonly container: object,
		/** The earliest time at which n8n abandons the poll, on the monotonic clock. */
		private readonly end: number,
	) {}

	/** Runs `work` after the earlier polls among `turns`, except those that it need not wait for. */
	async take<T>(
		turns: Set<Turn>,
		waitsFor: (other: Turn) => boolean,
		work: () => Promise<T>,
	): Promise<T> {
		const before = [...turns];
		turns.add(this);
		try {
			for (const other of before) {
				if (waitsFor(other)) await other.wait();
				if (!other.isFinished) other.isOvertaken = true;
			}
			return await work();
		} finally {
			this.isFinished = true;
			this.finish();
			turns.delete(this);
		}
	}

	/** Waits until the poll has finished, or n8n has abandoned it. */
	private async wait(): Promise<void> {
		const untilEnd = async () => {
			while (!this.isFinished && systemClock.now() < this.end) await systemClock.sleep(SLICE);
		};
		await Promise.race([this.finished, untilEnd()]);
	}
}
