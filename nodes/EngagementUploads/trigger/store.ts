/**
 * Stores the state between polls: in the node's data, and a copy in the workflow's own data under the
 * node's ID, so that a renamed trigger finds it. In memory mode, n8n saves neither after a poll that
 * emits nothing; this process remembers the state of such a poll. In durable polling, n8n commits the
 * node's data with each poll, but may drop those of the first one. Invariants: of all copies, the one
 * that was saved most often counts; only one poll works on a trigger, unless the previous one has
 * exceeded its time or belongs to an older registration; and a poll that was overtaken emits nothing.
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
	 * A durable poll emitted something with this state. n8n may discard both, but still save the copy
	 * in the workflow's data, which therefore only counts if the node has no data of its own.
	 */
	isDurable?: true;
}

/** What this process remembers of a trigger. */
interface Remembered {
	/** The latest poll. */
	current?: CursorStore;
	/** Static data of the newest registration, and what its last poll was told to do. */
	newest: { container: object; settings?: TriggerSettings };
	last?: StoredState;
	/** What the last poll knew of an outage. */
	outage?: { known: IDataObject | undefined };
}

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
	private isOvertaken = false;
	private hasEnded = false;
	private loaded: StoredState | undefined;
	/** How often the state was saved, with what it emitted. */
	private emission: number | undefined;
	/** The poll before it, until it ends. */
	private previous: CursorStore | undefined;

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
		this.trigger = triggers.get(key) ?? { newest: { container } };
		triggers.set(key, this.trigger);
		if (this.isDurable || !registrations.has(container)) this.trigger.newest = { container };
		registrations.add(container);
	}

	/**
	 * Runs a poll, unless another one is under way: what it would read, the next one reads. The newest
	 * registration overtakes polls of older ones.
	 */
	static async run<T>(
		context: IPollFunctions,
		end: number,
		poll: (store: CursorStore) => Promise<T>,
	): Promise<T | undefined> {
		const store = new CursorStore(context, end);
		const { trigger } = store;
		const { current } = trigger;
		if (current?.isUnderWay(store)) return undefined;
		if (current) current.isOvertaken = true;
		store.previous = current;
		trigger.current = store;
		try {
			return await poll(store);
		} finally {
			store.hasEnded = true;
			store.previous = undefined;
		}
	}

	/**
	 * Whether another poll has to leave the trigger to this one: in durable polling, also until n8n has
	 * saved what it emitted.
	 */
	private isUnderWay(other: CursorStore): boolean {
		if (systemClock.now() >= this.end) return false;
		if (this.hasEnded) return this.isUnsaved(other);
		return other.isDurable || !other.isNewest || this.isNewest;
	}

	/** Whether the data that n8n gave to a durable poll lack what this one emitted. */
	private isUnsaved({ isDurable, nodeData: { cursor } }: CursorStore): boolean {
		const saves = isObject(cursor) ? Number(cursor.saves) : 0;
		return isDurable && (this.emission ?? 0) > saves;
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
		const { previous } = this;
		const isDiscarded = previous?.isUnsaved(this) && copy?.saves === previous.emission;
		const other = isDiscarded ? previous?.loaded : copy;
		const isOther = other !== undefined && !other.isDurable && other.saves > (own?.saves ?? 0);
		const best = isOther ? other : (own ?? other);
		// In memory mode, n8n has not saved what polls without emissions have read. When the workflow is
		// published, what n8n saved counts: it may have discarded an emission.
		const isNewer = best === undefined || (last?.saves ?? 0) > best.saves;
		const isLast =
			last !== undefined &&
			!this.isDurable &&
			belongsTo(last, identity) &&
			(isNewer ? !this.isFirst : last.saves === best.saves);
		this.loaded = isLast ? last : best;
		return this.loaded;
	}

	/** Stores the state, as the last action of a poll; false if another poll has taken over. */
	save(state: CursorState, isEmitting: boolean): boolean {
		if (this.isOvertaken) return false;
		const { trigger, loaded, nodeData, workflowData, workflowDataName } = this;
		// Also counts saves of another registration, so that the newest state counts for both.
		const saves = Math.max(loaded?.saves ?? 0, trigger.last?.saves ?? 0);
		// n8n saves the state after the first poll of a registration, whatever its result.
		const isSaved = isEmitting || this.isFirst;
		const stored = {
			...state,
			nodeId: this.node.id,
			saves: isSaved ? saves + 1 : saves,
			isDurable: undefined,
		};
		const data = toData(stored);
		polledBefore.add(nodeData);
		if (!isSame(nodeData.cursor, data)) nodeData.cursor = data;
		const isCopySaved = isEmitting || !this.isDurable;
		const copy = this.isDurable ? { ...data, isDurable: true } : data;
		if (isCopySaved && !isSame(workflowData[workflowDataName], copy))
			workflowData[workflowDataName] = copy;
		trigger.last = data as unknown as StoredState;
		if (isEmitting) this.emission = stored.saves;
		return true;
	}

	/**
	 * Whatever is known of an outage that has been reported, beside the state. In memory mode, n8n may
	 * not have saved how it ended, and registrations that take turns have different data.
	 */
	get outage(): unknown {
		const { outage } = this.trigger;
		return outage && !this.isDurable ? outage.known : this.nodeData.outage;
	}

	/** @param outage undefined once it is over */
	set outage(outage: IDataObject | undefined) {
		if (this.isOvertaken) return;
		this.trigger.outage = { known: outage };
		if (outage !== undefined) this.nodeData.outage = outage;
		else if (this.nodeData.outage !== undefined) delete this.nodeData.outage;
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
