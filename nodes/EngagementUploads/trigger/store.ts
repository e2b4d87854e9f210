/**
 * Where the state is stored between polls: in the node's data, and as a copy in the workflow's own data
 * under the node's ID, for a trigger that was renamed and for the first poll of durable polling, whose
 * node's data n8n may drop. In memory mode, n8n saves neither after a poll that emits nothing; this
 * process remembers the state of such a poll. Invariant: of all of them that belong to the same event,
 * client and start, the one that was saved most often counts.
 */
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { InputError } from '../values/inputError';
import { isObject } from '../values/objects';
import { noteSuccess, type Occasion } from './occasion';
import {
	isSameIdentity,
	parseState,
	toData,
	type CursorState,
	type Identity,
	type StoredState,
} from './state';
import type { Turn } from './turn';

/** The store of one poll. */
export class CursorStore {
	private readonly nodeData: IDataObject;
	private readonly workflowData: IDataObject;
	private readonly workflowDataName: string;
	private loaded: StoredState | undefined;

	constructor(
		private readonly context: IPollFunctions,
		private readonly occasion: Occasion,
		private readonly turn: Turn,
	) {
		this.nodeData = context.getWorkflowStaticData('node');
		this.workflowData = context.getWorkflowStaticData('global');
		this.workflowDataName = `engagementUploadsTrigger ${context.getNode().id}`;
	}

	/** The state of an event, client (if known) and start; without them, any state that there is. */
	load(identity?: Identity): CursorState | undefined {
		const own = this.stored(this.nodeData.cursor, identity);
		const copy = this.savedCopy(identity, own);
		// Where both were saved as often, the node's data is newer.
		const saved = copy !== undefined && copy.saves > (own?.saves ?? -1) ? copy : own;
		this.loaded = this.remembered(identity, saved) ?? saved;
		return this.loaded;
	}

	/** The copy in the workflow's data; if n8n has rolled back what was emitted with it, the one before. */
	private savedCopy(
		identity: Identity | undefined,
		own: StoredState | undefined,
	): StoredState | undefined {
		const copy = this.stored(this.workflowData[this.workflowDataName], identity);
		const { unsaved } = this.turn.memory;
		if (copy === undefined || copy.saves !== unsaved?.saves) return copy;
		// A trigger that was just renamed, or registered, may have no data of its own yet.
		return this.occasion.isDurable || own !== undefined ? unsaved.before : copy;
	}

	/** What this process remembers, if it is newer than what n8n saved. */
	private remembered(
		identity: Identity | undefined,
		saved: StoredState | undefined,
	): StoredState | undefined {
		const { last } = this.turn.memory;
		const { kind, isDurable } = this.occasion;
		if (last === undefined || isDurable || !belongsTo(last, identity)) return undefined;
		// n8n discards what a poll emits if the workflow is published meanwhile. After that, what was
		// read since the last saved emission is all that may count.
		if (kind === 'first') return last.saves === saved?.saves ? last : undefined;
		return last.saves >= (saved?.saves ?? 0) ? last : undefined;
	}

	/** Stores the state, as the last action of a poll; false if the poll was superseded. */
	save(state: CursorState, isEmitting: boolean): boolean {
		const { occasion, turn, loaded, nodeData, workflowData, workflowDataName } = this;
		const { memory } = turn;
		if (turn.isSuperseded) return false;
		// Also counts what another registration has saved, so that the newest state counts for both.
		const saves = Math.max(loaded?.saves ?? 0, memory.last?.saves ?? 0);
		const isSaved = isEmitting || occasion.kind === 'first';
		const stored: StoredState = {
			...state,
			nodeId: this.context.getNode().id,
			saves: isSaved ? saves + 1 : saves,
		};
		assign(nodeData, 'cursor', toData(stored));
		if (isEmitting || !occasion.isDurable) assign(workflowData, workflowDataName, toData(stored));
		noteSuccess(nodeData);
		memory.last = stored;
		memory.unsaved =
			isEmitting && occasion.isDurable
				? {
						until: turn.end,
						isIn: ({ cursor }) => isObject(cursor) && Number(cursor.saves) >= stored.saves,
						saves: stored.saves,
						before: loaded,
					}
				: undefined;
		return true;
	}

	/**
	 * Whatever is known of an outage that has been reported, beside the state. In memory mode, n8n may
	 * not have saved how it ended, and registrations that take turns have different data.
	 */
	get outage(): unknown {
		const { outage } = this.turn.memory;
		return outage !== undefined && !this.occasion.isDurable ? outage.known : this.nodeData.outage;
	}

	/** @param outage undefined once it is over */
	set outage(outage: IDataObject | undefined) {
		const { turn, nodeData, workflowData, workflowDataName, loaded } = this;
		if (turn.isSuperseded) return;
		if (outage !== undefined && this.outage === undefined) {
			// Once this is saved, nobody knows any more that the copy was rolled back.
			const isRolledBack = turn.memory.unsaved?.saves !== undefined;
			if (isRolledBack && loaded) assign(workflowData, workflowDataName, toData(loaded));
			// It is emitted, and n8n has yet to save that.
			turn.memory.unsaved = { until: turn.end, isIn: (data) => data.outage !== undefined };
		}
		turn.memory.outage = { known: outage };
		if (outage !== undefined) nodeData.outage = outage;
		else if (nodeData.outage !== undefined) delete nodeData.outage;
	}

	/**
	 * A stored state of this node with this identity. Data of another node that had its name or ID are
	 * none. @throws InputError if it cannot be read
	 */
	private stored(value: unknown, identity: Identity | undefined): StoredState | undefined {
		const node = this.context.getNode();
		if (value === undefined) return undefined;
		if (isObject(value) && typeof value.nodeId === 'string' && value.nodeId !== node.id)
			return undefined;
		const state = parseState(value);
		if (state !== undefined && isStored(state))
			return belongsTo(state, identity) ? state : undefined;
		throw new InputError(
			'The saved state of the trigger cannot be read',
			'Restore a backup of the workflow; or delete the trigger and add it again under another name, so that it starts over',
		);
	}
}

function belongsTo(state: StoredState, identity: Identity = state): boolean {
	return isSameIdentity(state, identity);
}

function isStored(state: CursorState): state is StoredState {
	return 'saves' in state && Number.isFinite(state.saves);
}

/** Only what changed is assigned: n8n saves the workflow's data whenever something was. */
function assign(data: IDataObject, name: string, value: IDataObject): void {
	if (JSON.stringify(data[name]) !== JSON.stringify(value)) data[name] = value;
}
