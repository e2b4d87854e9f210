/**
 * Which kind of poll this is, how long it may take, and whether another one is in progress. No other file
 * asks n8n in which mode it polls.
 */
import type { IPollFunctions } from 'n8n-workflow';
import { MINUTE, systemClock } from '../values/clock';

export interface PollMode {
	/**
	 * - `test`: a user fetches a test event in the editor.
	 * - `first`: the workflow was published, or n8n has started. n8n waits for the poll, and tells the user
	 *   if it fails.
	 * - `scheduled`: any later poll. In memory mode, n8n starts these only after a first poll that did not fail.
	 */
	readonly kind: 'test' | 'first' | 'scheduled';
	/** A user is testing or publishing, waits for the result, and can correct the parameters. */
	readonly isInteractive: boolean;
	/**
	 * A scheduled poll in durable polling, where n8n commits the node's data together with what the poll
	 * emits. A first poll there cannot be told from one in memory mode.
	 */
	readonly isDurable: boolean;
	/** When it must end, on the monotonic clock. */
	readonly deadline: number;
}

/** The time for a poll in memory mode, in milliseconds. Before 2.38, n8n does not limit it. */
const USUAL_BUDGET = 5 * MINUTE;
/** n8n gives up on publishing a workflow after a minute and a half, and starts again. */
const FIRST_BUDGET = MINUTE;

export function readPollMode(context: IPollFunctions): PollMode {
	const budget = context.getPollBudgetMs?.() ?? USUAL_BUDGET;
	const activation = context.getActivationMode();
	// Only durable polling limits a poll's time, and calls a scheduled poll an update.
	const isDurable = budget !== USUAL_BUDGET && activation === 'update';
	const isLater = isDurable || hasPolled(context);
	const kind = context.getMode() === 'manual' ? 'test' : isLater ? 'scheduled' : 'first';
	const isPublished = kind === 'first' && (activation === 'activate' || activation === 'update');
	const time = kind === 'first' ? Math.min(budget, FIRST_BUDGET) : budget;
	return {
		kind,
		isInteractive: kind === 'test' || isPublished,
		isDurable,
		deadline: systemClock.now() + time,
	};
}

/** The IDs of the triggers that n8n polls. The workflow's data stay the same object while they are registered. */
const registrations = new WeakMap<object, Set<string>>();

/** Marks the trigger as started, so that its next polls no longer count as first ones. */
export function noteStarted(context: IPollFunctions): void {
	const data = context.getWorkflowStaticData('global');
	registrations.set(data, (registrations.get(data) ?? new Set()).add(context.getNode().id));
}

function hasPolled(context: IPollFunctions): boolean {
	const polled = registrations.get(context.getWorkflowStaticData('global'));
	return polled?.has(context.getNode().id) === true;
}

/** Identifies a trigger within the process. */
export function triggerKey(context: IPollFunctions): string {
	return JSON.stringify([context.getWorkflow().id, context.getNode().id]);
}

/** The polls in progress, by trigger. */
const locks = new Map<string, PollLock>();

/**
 * Lets one poll of a trigger run at a time: a second one would read the same list. A poll that overruns its
 * time is superseded, and then neither saves its state nor emits.
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
		const lock = new PollLock(key, mode.deadline);
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
