/**
 * Stores the state between polls: in the node's data, and also in the workflow's own data under the
 * node's ID, so that a renamed trigger finds it and the first poll's state is not lost in durable
 * polling. In memory mode, n8n saves neither after a poll that emits nothing. The state of such a
 * poll is remembered in this process, and is valid as long as n8n still has the state that it
 * continued from.
 */
import { randomBytes } from 'crypto';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { pollBudget, USUAL_POLL_BUDGET } from '../transport/n8nCompat';
import { isFromSource, isOldState, convertOldState, type OldIdentity } from './oldState';
import { parseState, toData, type CursorState, type Identity } from './state';
import { Turn } from './turns';
import { isObject } from '../values/objects';

/** A state as it is stored. */
interface StoredState extends CursorState {
	nodeId: string;
	/** Increases with each state that n8n is sure to save. */
	saves: number;
	/** Identifies the last state that n8n is sure to have saved; shared by all states since. */
	savedAs: string;
}

/** The state that the last poll left in this process. */
interface Remembered {
	state: StoredState;
	/** Epoch milliseconds. */
	at: number;
}

/**
 * In durable polling, n8n reads the state some time before it polls, and commits it some time
 * after. For this long (milliseconds), a newer state remembered by this process is valid; after
 * that, n8n has discarded it.
 */
const TIME_TO_COMMIT = 30_000;

/** Both are keyed by workflow and node. */
const activeTurns = new Map<string, Array<Turn<StoredState>>>();
const lastStates = new Map<string, Remembered>();
/** Static data of in-memory registrations that have polled. */
const polledBefore = new WeakSet<object>();

export interface Loaded {
	state: CursorState;
	/** Whether nothing from later polls can be missing. */
	isUpToDate: boolean;
}

export class CursorStore {
	private readonly nodeData: IDataObject;
	private readonly workflowData: IDataObject;
	private readonly nodeId: string;
	private readonly workflowDataName: string;
	private loaded: StoredState | undefined;

	private constructor(
		context: IPollFunctions,
		private readonly key: string,
		private readonly turn: Turn<StoredState>,
		private readonly isDurable: boolean,
		/** The final state of a poll that this one waited for. */
		private readonly left: StoredState | undefined,
	) {
		this.nodeData = context.getWorkflowStaticData('node');
		this.workflowData = context.getWorkflowStaticData('global');
		this.nodeId = context.getNode().id;
		this.workflowDataName = `engagementUploadsTrigger ${this.nodeId}`;
	}

	/** Runs a poll once it is its turn; it has until `end`. */
	static async inTurn<T>(
		context: IPollFunctions,
		end: number,
		poll: (store: CursorStore) => Promise<T>,
	): Promise<T> {
		const key = JSON.stringify([context.getWorkflow().id, context.getNode().id]);
		// Only durable polling calls a scheduled poll like this.
		const isDurable =
			pollBudget(context) < USUAL_POLL_BUDGET && context.getActivationMode() === 'update';
		const container = context.getWorkflowStaticData('node');
		return await Turn.take(
			activeTurns,
			key,
			{ container, end, isShared: !isDurable },
			(turn, left) => poll(new CursorStore(context, key, turn, isDurable, left)),
		);
	}

	/** The state of this event, client and start; undefined if there is none yet. */
	load(identity: Identity, old: OldIdentity): Loaded | undefined {
		const saved = [this.left, this.nodeData.cursor, this.workflowData[this.workflowDataName]]
			.map((value) => this.kept(value, old))
			.filter((state) => state !== undefined && belongsTo(state, identity));
		const newest = saved.reduce(
			(best, state) => (best !== undefined && best.saves >= (state?.saves ?? -1) ? best : state),
			undefined,
		);
		const last = lastStates.get(this.key);
		const isSince =
			last !== undefined && belongsTo(last.state, identity) && this.continues(last, newest);
		this.loaded = isSince ? last.state : newest;
		return this.loaded && { state: this.loaded, isUpToDate: isSince || this.isDurable };
	}

	/** Whether the state of the last poll has merely not been saved yet. */
	private continues({ state, at }: Remembered, newest: StoredState | undefined): boolean {
		if (newest === undefined) return this.isDurable;
		if (newest.savedAs === state.savedAs) return true;
		const isNewer = state.saves > newest.saves && Date.now() - at < TIME_TO_COMMIT;
		return this.isDurable && isNewer;
	}

	/** Stores the state, as the last action of a poll; false if another poll has taken over. */
	save(state: CursorState, isEmitting: boolean): boolean {
		if (this.turn.isOvertaken) return false;
		// n8n saves the state after the first poll of a registration, whatever its result.
		const isSaved = isEmitting || (!this.isDurable && !polledBefore.has(this.nodeData));
		polledBefore.add(this.nodeData);
		const { saves = 0, savedAs = '' } = this.loaded ?? {};
		const kept: StoredState = {
			...state,
			nodeId: this.nodeId,
			saves: isSaved ? saves + 1 : saves,
			savedAs: isSaved || savedAs === '' ? randomBytes(6).toString('base64url') : savedAs,
		};
		const data = toData(kept);
		if (!isSame(this.nodeData.cursor, data)) this.nodeData.cursor = data;
		const isWorkflowDataSaved = isEmitting || !this.isDurable;
		if (isWorkflowDataSaved && !isSame(this.workflowData[this.workflowDataName], data))
			this.workflowData[this.workflowDataName] = toData(kept);
		this.turn.finalState = data as unknown as StoredState;
		lastStates.set(this.key, { state: this.turn.finalState, at: Date.now() });
		return true;
	}

	/** A state stored for this node; those of version 0.1.0 do not name one. */
	private kept(value: unknown, old: OldIdentity): StoredState | undefined {
		if (isOldState(value)) {
			const state = convertOldState(value, old);
			// The Base URL may have changed since, which is no reason to start over.
			const saves = isFromSource(value, old) ? 0 : -1;
			return state && { ...state, nodeId: this.nodeId, saves, savedAs: '' };
		}
		const state = parseState(value);
		return isObject(value) && value.nodeId === this.nodeId ? (state as StoredState) : undefined;
	}
}

/** Clears the memory of this process, as a restart of n8n does. */
export function forgetProcess(): void {
	lastStates.clear();
}

function belongsTo(state: CursorState, { event, client, start }: Identity): boolean {
	const isSameClient = client === '' || state.client === '' || state.client === client;
	return state.event === event && state.start === start && isSameClient;
}

function isSame(before: unknown, after: unknown): boolean {
	return JSON.stringify(before) === JSON.stringify(after);
}
