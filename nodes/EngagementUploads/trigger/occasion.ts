/**
 * What a poll is, and what it may do. It is told once, when the poll begins; nothing else asks n8n in
 * which mode it polls.
 */
import type { IPollFunctions } from 'n8n-workflow';
import { systemClock } from '../values/clock';
import { pollBudget, USUAL_POLL_BUDGET } from '../transport/n8nCompat';

/**
 * - `test`: a user fetches a test event in the editor.
 * - `first`: the workflow was published, or n8n has started. n8n waits for it, and tells the user if it
 *   fails; it has succeeded once it has stored a state.
 * - `scheduled`: each later poll.
 */
export type Kind = 'test' | 'first' | 'scheduled';

export interface Occasion {
	readonly kind: Kind;
	/**
	 * A scheduled poll in durable polling: n8n gives it a copy of the state in its database, and commits
	 * it. The first poll there is like one in memory mode.
	 */
	readonly isDurable: boolean;
	/** A user is there to correct the filter if it names a connector that does not exist. */
	readonly rejectsUnknownConnectors: boolean;
	/** When a part of its time is over, on the monotonic clock. */
	timeAt(part: number): number;
	/** Which part of its time is over. */
	timeUsed(): number;
}

/** The fraction of a poll's time after which each kind of work ends, so that time is left for the next. */
export const PARTS = {
	/** reading newest first */
	newestFirst: 0.35,
	/** reading oldest first */
	oldestFirst: 0.6,
	/** reading what is useful only as a whole */
	whole: 0.75,
	/** requests for followed uploads */
	followed: 0.77,
	/** fetching steps */
	steps: 0.8,
	/** requests of any kind */
	deadline: 0.9,
} as const;

/** n8n gives up on publishing a workflow after a minute and a half, and starts again. */
const FIRST_BUDGET = 60_000;

/** The node's data of registrations whose first poll has succeeded; n8n makes an object for each. */
const registered = new WeakSet<object>();

export function occasionOf(context: IPollFunctions): Occasion {
	const budget = pollBudget(context);
	const activation = context.getActivationMode();
	// Only durable polling calls a scheduled poll an update, and limits its time.
	const isDurable = budget !== USUAL_POLL_BUDGET && activation === 'update';
	const kind = kindOf(context, isDurable);
	const start = systemClock.now();
	const time = kind === 'first' ? Math.min(budget, FIRST_BUDGET) : budget;
	return {
		kind,
		isDurable,
		rejectsUnknownConnectors: kind === 'test' || (kind === 'first' && activation !== 'init'),
		timeAt: (part) => start + time * part,
		timeUsed: () => (systemClock.now() - start) / time,
	};
}

function kindOf(context: IPollFunctions, isDurable: boolean): Kind {
	if (context.getMode() === 'manual') return 'test';
	return isDurable || registered.has(context.getWorkflowStaticData('node')) ? 'scheduled' : 'first';
}

/** The first poll of a registration has succeeded. */
export function noteSuccess(nodeData: object): void {
	registered.add(nodeData);
}
