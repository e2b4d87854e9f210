/**
 * Which kind of poll this is, how long it may take, and whether another one is in progress. No other
 * file asks n8n in which mode it polls.
 */
import type { IPollFunctions } from 'n8n-workflow';
import { pollBudget, USUAL_POLL_BUDGET } from '../transport/n8nCompat';
import { systemClock } from '../values/clock';

export interface PollMode {
	/**
	 * - `test`: a user fetches a test event in the editor.
	 * - `first`: the workflow was published, or n8n has started. n8n waits for it, and tells the user if
	 *   it fails.
	 * - `scheduled`: each later poll.
	 */
	readonly kind: 'test' | 'first' | 'scheduled';
	/**
	 * A scheduled poll in durable polling, where n8n commits the node's data together with what the poll
	 * emits. A first poll there cannot be told from one in memory mode.
	 */
	readonly isDurable: boolean;
	/** When a part of the poll's time is over, on the monotonic clock. */
	timeAt(part: number): number;
}

/** The fraction of a poll's time after which each kind of work ends, so that time is left for the next. */
export const PARTS = { list: 0.6, followed: 0.75, steps: 0.9 } as const;

/** n8n gives up on publishing a workflow after a minute and a half, and starts again. */
const FIRST_BUDGET = 60_000;

/** The node's data of registrations whose first poll has succeeded; n8n makes an object for each. */
const registered = new WeakSet<object>();

export function pollMode(context: IPollFunctions): PollMode {
	const budget = pollBudget(context);
	// Only durable polling limits a poll's time, and calls a scheduled poll an update.
	const isDurable = budget !== USUAL_POLL_BUDGET && context.getActivationMode() === 'update';
	const isLater = isDurable || registered.has(context.getWorkflowStaticData('node'));
	const kind = context.getMode() === 'manual' ? 'test' : isLater ? 'scheduled' : 'first';
	const start = systemClock.now();
	const time = kind === 'first' ? Math.min(budget, FIRST_BUDGET) : budget;
	return { kind, isDurable, timeAt: (part) => start + time * part };
}

/** Notes that a registration's first poll has succeeded. */
export function noteSuccess(context: IPollFunctions): void {
	registered.add(context.getWorkflowStaticData('node'));
}

/** What identifies a trigger within the process. */
export function triggerKey(context: IPollFunctions): string {
	return JSON.stringify([context.getWorkflow().id, context.getNode().id]);
}

/** The polls in progress, by trigger. */
const locks = new Map<string, PollLock>();

/**
 * One poll of a trigger at a time: what a second one would read, the next one reads. A poll that has
 * outlived its time is superseded, and then neither saves its state nor emits.
 */
export class PollLock {
	private constructor(
		private readonly key: string,
		private readonly end: number,
	) {}

	/** Undefined if another poll is in progress. */
	static tryAcquire(context: IPollFunctions, mode: PollMode): PollLock | undefined {
		const key = triggerKey(context);
		const current = locks.get(key);
		if (current !== undefined && systemClock.now() < current.end) return undefined;
		const lock = new PollLock(key, mode.timeAt(1));
		locks.set(key, lock);
		return lock;
	}

	get isHeld(): boolean {
		return locks.get(this.key) === this;
	}

	release(): void {
		if (this.isHeld) locks.delete(this.key);
	}
}

/** For tests: forgets the polls in progress, as a restart of n8n does. */
export function forgetPolls(): void {
	locks.clear();
}
