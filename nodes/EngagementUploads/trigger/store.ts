/**
 * Where the state is kept: in memory mode in the workflow's data, in durable polling in the node's own.
 */
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { systemClock } from '../values/clock';
import { triggerKey, type PollMode } from './pollMode';
import { isSameIdentity, parseState, type Identity, type State } from './state';

/** The states that this process has saved last in memory mode, by trigger. */
const lastSaved = new Map<string, State>();

/**
 * The last emissions of durable polls, and of first ones, which may be durable, by trigger. n8n saves an
 * emission some time after the poll, or rolls it back; meanwhile, it may start another poll with the data
 * from before.
 */
const emitted = new Map<string, { emissions: number; until: number }>();

/** For tests: forgets all states, as after a restart of n8n. */
export function forgetStates(): void {
	lastSaved.clear();
	emitted.clear();
}

/**
 * Where the state is kept. In memory mode, that is the workflow's data, under the node's ID, which does not
 * change if the node is renamed. In durable polling, it is the node's own data, which n8n commits with each
 * poll; the state after an emission is copied to the workflow's data, so that a later first poll, or memory
 * mode, knows of it. The process remembers the state that it saved last, since n8n may leave an older
 * registration of the trigger polling.
 */
export class StateStore {
	private readonly own: IDataObject;
	private readonly shared: IDataObject;
	private readonly name: string;
	private readonly key: string;

	constructor(
		context: IPollFunctions,
		private readonly mode: PollMode,
	) {
		this.own = context.getWorkflowStaticData('node');
		this.shared = context.getWorkflowStaticData('global');
		this.name = `engagementUploadsTrigger ${context.getNode().id}`;
		this.key = triggerKey(context);
	}

	/** Whether n8n may still be saving the last emission, so that these data are from before it. */
	get isOutdated(): boolean {
		const last = this.mode.isDurable ? emitted.get(this.key) : undefined;
		if (last === undefined || systemClock.now() >= last.until) return false;
		return (parseState(this.own[this.name])?.emissions ?? 0) < last.emissions;
	}

	/** The state that counts, with this identity if one is given. @throws InputError if it cannot be read */
	load(identity?: Identity): State | undefined {
		const { kind, isDurable } = this.mode;
		const shared = parseState(this.shared[this.name], identity);
		const own = parseState(this.own[this.name], identity);
		// Durable polling: if own data are missing, n8n has rolled back the first emission, or there was none.
		if (isDurable && own === undefined) return shared?.before ?? shared;
		// Own data count, unless memory mode has emitted something since.
		if (own && (isDurable || own.isDurable)) {
			const hasMemoryPolled =
				shared?.isDurable !== true && (shared?.emissions ?? 0) > own.emissions;
			return hasMemoryPolled ? shared : own;
		}
		// Memory mode: the process may know of a poll of another registration.
		const last = lastSaved.get(this.key);
		if (last === undefined || !isSameIdentity(last, identity ?? last)) return shared;
		// But n8n discards what a poll emits if the workflow is published meanwhile.
		const isDiscarded = last.emissions === (shared?.emissions ?? NaN) + 1;
		const isNew = kind === 'first' && (shared === undefined || isDiscarded);
		return shared?.isDurable || isNew ? shared : last;
	}

	/** Saves the state after a poll, as the last thing that the poll does. */
	save(before: State, next: State, isEmitting: boolean): void {
		const { kind, isDurable } = this.mode;
		const emissions = next.emissions + (isEmitting ? 1 : 0);
		const state: State = { ...next, emissions, isDurable, before: undefined };
		const isFirstCommit = isDurable && parseState(this.own[this.name], next) === undefined;
		// A first poll that emits may belong to durable polling; a scheduled one in memory mode does not.
		const mayBeDurable = isDurable || (kind === 'first' && isEmitting);
		if (mayBeDurable) this.own[this.name] = toData(state);
		else if (kind === 'scheduled' && this.name in this.own) delete this.own[this.name];
		if (isEmitting || !isDurable)
			this.shared[this.name] = toData(isFirstCommit ? { ...state, before } : state);
		if (!isDurable) lastSaved.set(this.key, state);
		if (!isEmitting) emitted.delete(this.key);
		else if (mayBeDurable) emitted.set(this.key, { emissions, until: this.mode.deadline('poll') });
	}

	/** The outage that was reported; undefined if there is none. */
	get outage(): unknown {
		return this.own.outage;
	}

	set outage(outage: IDataObject | undefined) {
		if (outage !== undefined) this.own.outage = outage;
		else if (this.own.outage !== undefined) delete this.own.outage;
	}
}

/** A copy that shares nothing with the state, as plain data for n8n to keep. */
function toData(state: State): IDataObject {
	return JSON.parse(JSON.stringify(state)) as IDataObject;
}
