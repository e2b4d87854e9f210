/**
 * One poll at a time works on a trigger, in a process. A poll that finds another one in progress does
 * nothing: what it would read, the next one reads. A newer registration of the trigger does not wait for
 * an older one. Invariant: a poll that is superseded, by one of these or because it has outlived its
 * time, stores nothing and hands nothing on.
 */
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { systemClock } from '../values/clock';
import type { Occasion } from './occasion';
import type { TriggerSettings } from './settings';
import { isSameIdentity, type Identity, type StoredState } from './state';

/** What the process remembers of a trigger; a restart of n8n forgets it. */
export class TriggerMemory {
	/** The poll in progress. */
	current: Turn | undefined;
	/**
	 * The newest registration of the trigger with n8n, which may leave an older one polling. Polls go
	 * by what the newest one was last told to do.
	 */
	newest: { registration?: object; settings?: TriggerSettings; identity?: Identity } = {};
	/** What the last durable poll emitted, until n8n is seen to have saved it. */
	unsaved: Unsaved | undefined;
	/** The state after the last poll. */
	last: StoredState | undefined;
	/** What the last poll knew of an outage. */
	outage: { known: IDataObject | undefined } | undefined;
}

/**
 * In durable polling, n8n saves what a poll emits some time after the poll, or rolls it back. Until
 * that is known, the poll counts as in progress.
 */
export interface Unsaved {
	/** When the poll's time is over, on the monotonic clock. */
	until: number;
	/** Whether n8n had saved it when it read these data. */
	isIn(nodeData: IDataObject): boolean;
	/** The emitted state's number of saves, and the state before it. */
	saves?: number;
	before?: StoredState | undefined;
}

/** By workflow and node. */
const triggers = new Map<string, TriggerMemory>();
/** The node's data of all registrations in memory mode, each of which has an object of its own. */
const registrations = new WeakSet<object>();

export class Turn {
	isSuperseded = false;

	private constructor(
		readonly memory: TriggerMemory,
		private readonly registration: object,
		/** When its time is over, on the monotonic clock. */
		readonly end: number,
	) {}

	/** The turn of a poll; undefined if another one is in progress. */
	static take(context: IPollFunctions, { isDurable, timeAt }: Occasion): Turn | undefined {
		const memory = memoryOf(context);
		const nodeData = context.getWorkflowStaticData('node');
		const { current, unsaved, newest } = memory;
		const now = systemClock.now();
		// All durable polls belong to what is published.
		const registration = isDurable ? memory : nodeData;
		const isNew = isDurable || !registrations.has(nodeData);
		if (current !== undefined && now < current.end) {
			const isOfAnother = current.registration !== registration;
			const isNewest = isNew || newest.registration === registration;
			if (isDurable || !isOfAnother || !isNewest) return undefined;
		}
		if (unsaved?.isIn(nodeData)) memory.unsaved = undefined;
		else if (unsaved !== undefined && isDurable && now < unsaved.until) return undefined;
		if (current !== undefined) current.isSuperseded = true;
		if (isNew) memory.newest = { registration };
		registrations.add(nodeData);
		memory.current = new Turn(memory, registration, timeAt(1));
		return memory.current;
	}

	finish(): void {
		if (this.memory.current === this) this.memory.current = undefined;
	}

	/** What the poll is to do: what the newest registration was told. */
	settings(own: TriggerSettings): TriggerSettings {
		const { newest } = this.memory;
		if (this.isNewest) newest.settings = own;
		return newest.settings ?? own;
	}

	/** Whether the newest registration has another identity, so that an older one has nothing to do. */
	isReplaced(own: Identity): boolean {
		const { newest } = this.memory;
		if (this.isNewest) newest.identity = own;
		return newest.identity !== undefined && !isSameIdentity(newest.identity, own);
	}

	private get isNewest(): boolean {
		return this.memory.newest.registration === this.registration;
	}
}

/** For tests: forgets all triggers, as a restart of n8n does. */
export function forgetProcess(): void {
	triggers.clear();
}

function memoryOf(context: IPollFunctions): TriggerMemory {
	const key = JSON.stringify([context.getWorkflow().id, context.getNode().id]);
	const memory = triggers.get(key) ?? new TriggerMemory();
	triggers.set(key, memory);
	return memory;
}
