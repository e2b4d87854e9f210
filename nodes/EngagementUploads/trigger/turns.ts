/**
 * One poll of a trigger at a time. Invariants: only one poll works on a state, unless the previous
 * one has exceeded its time; and a poll that was overtaken emits nothing.
 */
import { sleep } from 'n8n-workflow';

const SLICE = 100;

/** A poll, from its arrival. */
export class Turn<State> {
	isOvertaken = false;
	/** The state that it stored, for polls that were waiting with an older copy. */
	finalState: State | undefined;
	private isFinished = false;
	private finish = () => {};
	private readonly finished = new Promise<void>((resolve) => (this.finish = resolve));

	constructor(
		/** The object in which n8n holds the state; polls in memory mode share it. */
		private readonly container: object,
		/** The earliest time at which n8n abandons the poll, in epoch milliseconds. */
		private readonly end: number,
	) {}

	/**
	 * Runs `work` after earlier polls; in memory mode, it overtakes polls of an older registration.
	 */
	static async take<State, T>(
		activeTurns: Map<string, Array<Turn<State>>>,
		key: string,
		{ container, end, isShared }: { container: object; end: number; isShared: boolean },
		work: (turn: Turn<State>, finalState: State | undefined) => Promise<T>,
	): Promise<T> {
		const turn = new Turn<State>(container, end);
		const before = activeTurns.get(key) ?? [];
		activeTurns.set(key, [...before, turn]);
		try {
			let finalState: State | undefined;
			for (const other of before) {
				if (!isShared || other.container === container) await other.wait();
				if (!other.isFinished) other.isOvertaken = true;
				else if (!isShared) finalState = other.finalState ?? finalState;
			}
			return await work(turn, finalState);
		} finally {
			turn.isFinished = true;
			turn.finish();
			const others = (activeTurns.get(key) ?? []).filter((other) => other !== turn);
			if (others.length > 0) activeTurns.set(key, others);
			else activeTurns.delete(key);
		}
	}

	/** Waits until the poll has finished, or n8n has abandoned it. */
	private async wait(): Promise<void> {
		const untilEnd = async () => {
			while (!this.isFinished && Date.now() < this.end) await sleep(SLICE);
		};
		await Promise.race([this.finished, untilEnd()]);
	}
}
