/**
 * One poll of a trigger at a time. Invariants: only one poll works on a state, unless the previous
 * one has exceeded its time; and a poll that was overtaken emits nothing.
 */
import { sleep } from 'n8n-workflow';

const SLICE = 100;

/** A poll, from its arrival. */
export class Turn<State> {
	isOvertaken = false;
	/** The state that it left, for polls that were waiting with an older copy. */
	left: State | undefined;
	private isOver = false;
	private finish = () => {};
	private readonly over = new Promise<void>((resolve) => (this.finish = resolve));

	constructor(
		/** The object in which n8n keeps the state; polls in memory mode share it. */
		private readonly keptIn: object,
		/** The earliest time at which n8n abandons the poll, in epoch milliseconds. */
		private readonly end: number,
	) {}

	/** Runs after earlier polls; in memory mode, polls of an older registration are overtaken. */
	static async take<State, T>(
		underWay: Map<string, Array<Turn<State>>>,
		key: string,
		{ keptIn, end, isShared }: { keptIn: object; end: number; isShared: boolean },
		work: (turn: Turn<State>, left: State | undefined) => Promise<T>,
	): Promise<T> {
		const turn = new Turn<State>(keptIn, end);
		const before = underWay.get(key) ?? [];
		underWay.set(key, [...before, turn]);
		try {
			let left: State | undefined;
			for (const other of before) {
				if (!isShared || other.keptIn === keptIn) await other.wait();
				if (!other.isOver) other.isOvertaken = true;
				else if (!isShared) left = other.left ?? left;
			}
			return await work(turn, left);
		} finally {
			turn.isOver = true;
			turn.finish();
			const others = (underWay.get(key) ?? []).filter((other) => other !== turn);
			if (others.length > 0) underWay.set(key, others);
			else underWay.delete(key);
		}
	}

	/** Waits until it is over, or n8n has abandoned it. */
	private async wait(): Promise<void> {
		const untilEnd = async () => {
			while (!this.isOver && Date.now() < this.end) await sleep(SLICE);
		};
		await Promise.race([this.over, untilEnd()]);
	}
}
