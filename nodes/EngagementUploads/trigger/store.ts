/**
 * Stores the state between polls: in the node's data, and also in the workflow's own data under the
 * node's ID, so that a renamed trigger finds it and the first poll's state is not lost in durable
 * polling. In memory mode, n8n saves neither after a poll that emits nothing; this process remembers
 * the state of such a poll. In durable polling, n8n may discard what a poll emits, with the node's
 * data. Invariants: of all copies that n8n cannot have discarded, the one that was saved most often
 * counts; only one poll works on a state, unless the previous one has exceeded its time or belongs
 * to an older registration; and a poll that was overtaken emits nothing.
 */
import {
	NodeOperationError,
	type IDataObject,
	type INode,
	type IPollFunctions,
} from 'n8n-workflow';
import { systemClock } from '../transport/http/pool';
import { pollBudget, USUAL_POLL_BUDGET } from '../transport/n8nCompat';
import { isObject } from '../values/objects';
import type { TriggerSettings } from './settings';
import { parseState, toData, type CursorState, type Identity } from './state';

/** A state as it is stored. */
interface StoredState extends CursorState {
	nodeId: string;
	/** Increases with each state that n8n is sure to save. */
	saves: number;
	/**
	 * In the workflow's own data: a durable poll of the trigger of this name emitted something with
	 * this state. `before` is the last state before that, unless the node's own data have it.
	 */
	handedOver?: { by: string; before?: StoredState };
}

/** What this process remembers of a trigger. */
interface Remembered {
	/** Its polls, in the order in which they arrived. */
	polls: Set<CursorStore>;
	/** Static data of the newest registration, and what its last poll was told to do. */
	newest: { container: object; settings?: TriggerSettings };
	/**
	 * The last state, and when it was stored, on the monotonic clock; `isHandedOver`: with what a
	 * durable poll emitted, both of which n8n discards if it has given the poll's turn to another.
	 */
	last?: { state: StoredState; at: number; isHandedOver: boolean };
	/** What the last poll knew of an outage, and when it ended, on the monotonic clock. */
	outage?: { known: IDataObject | undefined; at: number };
}

/**
 * In durable polling, n8n reads the state some time before it polls, and commits it some time
 * after. For this long (milliseconds), a newer state remembered by this process is valid; after
 * that, n8n has discarded it.
 */
const TIME_TO_COMMIT = 30_000;
/** How often a poll checks whether an earlier one has finished (milliseconds). */
const SLICE = 100;

/** By workflow and node. */
const triggers = new Map<string, Remembered>();
/** Static data of registrations, and of those that have polled with success. */
const registrations = new WeakSet<object>();
const polledBefore = new WeakSet<object>();

/** The store of one poll. */
export class CursorStore {
	private readonly nodeData: IDataObject;
	private readonly workflowData: IDataObject;
	private readonly node: INode;
	private readonly workflowDataName: string;
	private readonly isDurable: boolean;
	private readonly trigger: Remembered;
	/** n8n read the saved state before this, on the monotonic clock. */
	private readonly startedAt = systemClock.now();
	private isOvertaken = false;
	/**
	 * Whether n8n read this poll's state before it saved, or discarded, what an earlier poll emitted.
	 * Only a later poll can tell which, so this one must emit and change nothing.
	 */
	isOutdated = false;
	private loaded: StoredState | undefined;
	/** The saved state before this poll, if the node's own data are older. */
	private onlyInCopy: StoredState | undefined;

	private constructor(
		context: IPollFunctions,
		/** The earliest time at which n8n abandons the poll, on the monotonic clock. */
		private readonly end: number,
	) {
		const container = context.getWorkflowStaticData('node');
		this.nodeData = container;
		this.workflowData = context.getWorkflowStaticData('global');
		this.node = context.getNode();
		this.workflowDataName = `engagementUploadsTrigger ${this.node.id}`;
		// Only durable polling calls a scheduled poll like this.
		this.isDurable =
			pollBudget(context) < USUAL_POLL_BUDGET && context.getActivationMode() === 'update';
		const key = JSON.stringify([context.getWorkflow().id, this.node.id]);
		this.trigger = triggers.get(key) ?? { polls: new Set(), newest: { container } };
		triggers.set(key, this.trigger);
		if (this.isDurable || !registrations.has(container)) this.trigger.newest = { container };
		registrations.add(container);
	}

	/** Runs a poll once it is its turn; it has until `end`, on the monotonic clock. */
	static async inTurn<T>(
		context: IPollFunctions,
		end: number,
		poll: (store: CursorStore) => Promise<T>,
	): Promise<T> {
		const store = new CursorStore(context, end);
		const { polls } = store.trigger;
		const earlier = [...polls];
		polls.add(store);
		try {
			for (const other of earlier) await store.startAfter(other);
			return await poll(store);
		} finally {
			polls.delete(store);
		}
	}

	/** Waits until an earlier poll has finished, or n8n has abandoned it; or else overtakes it. */
	private async startAfter(other: CursorStore): Promise<void> {
		const { trigger, isDurable, isNewest } = this;
		// The newest registration overtakes polls of older ones.
		const isWaiting = isDurable || !isNewest || other.isNewest;
		const isRunning = () => trigger.polls.has(other);
		while (isWaiting && isRunning() && systemClock.now() < other.end)
			await systemClock.sleep(SLICE);
		other.isOvertaken = isRunning();
	}

	/** Whether it belongs to the newest registration of the trigger. */
	private get isNewest(): boolean {
		return this.trigger.newest.container === this.nodeData;
	}

	/** Whether no poll of this registration has succeeded: the workflow was just published. */
	get isFirst(): boolean {
		return !this.isDurable && !polledBefore.has(this.nodeData);
	}

	/**
	 * The settings that count. n8n may leave an older registration of the same trigger polling: it
	 * goes by the newest one's.
	 */
	settings(own: TriggerSettings): TriggerSettings {
		const { newest } = this.trigger;
		if (this.isNewest) newest.settings = own;
		return newest.settings ?? own;
	}

	/** The state of an event, client (if known) and start; without them, any state that there is. */
	load(identity?: Identity): CursorState | undefined {
		const { last } = this.trigger;
		const [own, copy] = [this.nodeData.cursor, this.workflowData[this.workflowDataName]]
			.map((value) => this.stored(value))
			.map((state) => (state && belongsTo(state, identity) ? state : undefined));
		const other = copy && this.notDiscarded(copy);
		const best = own && !(other && other.saves > own.saves) ? own : other;
		this.onlyInCopy = best === own ? undefined : best;
		const isLast = last && belongsTo(last.state, identity) && this.isValid(last, best);
		this.loaded = isLast ? last.state : best;
		return this.loaded;
	}

	/**
	 * The state in the workflow's data; or the one before, if n8n may have discarded what was emitted
	 * with it: the node's own data tell, unless the trigger was renamed since.
	 */
	private notDiscarded({ handedOver, ...copy }: StoredState): StoredState | undefined {
		return handedOver?.by === this.node.name ? handedOver.before : copy;
	}

	/** Whether what this process remembers counts, rather than the best of the saved states. */
	private isValid(
		{ state, at, isHandedOver }: NonNullable<Remembered['last']>,
		best: StoredState | undefined,
	): boolean {
		if (best === undefined) return this.isDurable || !this.isFirst;
		if (state.saves <= best.saves) return state.saves === best.saves;
		// n8n discards what a poll emits, with its state, if the workflow is published meanwhile: what
		// it has saved counts when the workflow is published.
		if (!this.isDurable && !isHandedOver) return !this.isFirst;
		const mayBeSaved = this.startedAt - at < TIME_TO_COMMIT;
		this.isOutdated = mayBeSaved && isHandedOver;
		return mayBeSaved && !isHandedOver;
	}

	/** Stores the state, as the last action of a poll; false if another poll has taken over. */
	save(state: CursorState, isEmitting: boolean): boolean {
		if (this.isOvertaken) return false;
		const { trigger, loaded, nodeData, workflowData, workflowDataName } = this;
		// Also counts saves of another registration, so that the newest state counts for both.
		const saves = Math.max(loaded?.saves ?? 0, trigger.last?.state.saves ?? 0);
		// n8n saves the state after the first poll of a registration, whatever its result.
		const isSaved = isEmitting || this.isFirst;
		const stored = { ...state, nodeId: this.node.id, saves: isSaved ? saves + 1 : saves };
		const data = toData(stored);
		polledBefore.add(nodeData);
		if (!isSame(nodeData.cursor, data)) nodeData.cursor = data;
		const isHandedOver = isEmitting && this.isDurable;
		const handedOver = { by: this.node.name, before: this.onlyInCopy };
		const copy = toData(isHandedOver ? { ...stored, handedOver } : stored);
		const isWorkflowDataSaved = isEmitting || !this.isDurable;
		if (isWorkflowDataSaved && !isSame(workflowData[workflowDataName], copy))
			workflowData[workflowDataName] = copy;
		trigger.last = { state: data as unknown as StoredState, at: systemClock.now(), isHandedOver };
		return true;
	}

	/**
	 * Whatever is known of an outage that has been reported, beside the state. In memory mode, n8n may
	 * not have saved how it ended, and registrations that take turns have different data; in durable
	 * polling, it may not have saved it yet.
	 */
	get outage(): unknown {
		const { outage } = this.trigger;
		const isValid = !this.isDurable || systemClock.now() - (outage?.at ?? 0) < TIME_TO_COMMIT;
		return outage && isValid ? outage.known : this.nodeData.outage;
	}

	/** @param outage undefined once it is over */
	set outage(outage: IDataObject | undefined) {
		if (this.isOvertaken || this.isOutdated) return;
		const isSaved = this.nodeData.outage !== undefined;
		// The poll that has reported it saves it, unless n8n discards what it emits.
		if (outage !== undefined && this.isDurable && !isSaved && this.outage !== undefined) return;
		this.trigger.outage = { known: outage, at: systemClock.now() };
		if (outage !== undefined) this.nodeData.outage = outage;
		else if (isSaved) delete this.nodeData.outage;
	}

	/** A state stored for this node. @throws NodeOperationError if it cannot be read */
	private stored(value: unknown): StoredState | undefined {
		if (value === undefined) return undefined;
		if (isObject(value) && typeof value.nodeId === 'string' && value.nodeId !== this.node.id)
			return undefined;
		const state = parseState(value);
		if (state !== undefined) return state as StoredState;
		throw new NodeOperationError(this.node, 'The saved state of the trigger cannot be read', {
			description:
				'Restore a backup of the workflow; or delete the trigger and add it again under another name, which starts over',
		});
	}
}

/** Clears the memory of this process, as a restart of n8n does. */
export function forgetProcess(): void {
	triggers.clear();
}

function belongsTo(state: CursorState, { event, client, start }: Identity = state): boolean {
	const isSameClient = client === '' || state.client === '' || state.client === client;
	return state.event === event && state.start === start && isSameClient;
}

function isSame(before: unknown, after: unknown): boolean {
	return JSON.stringify(before) === JSON.stringify(after);
}
