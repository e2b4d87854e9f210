/**
 * Where the state is kept. In memory mode, it is in the workflow's data under the node's ID, which a
 * rename does not change. In durable polling, it is in the node's own data, which n8n commits with each
 * poll; each emission is copied to the workflow's data, so that a later first poll, or memory mode,
 * knows of it. The process remembers what it saved last, since n8n may leave an older registration of
 * the trigger polling.
 */
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { systemClock } from '../values/clock';
import { noteSuccess, triggerKey, type PollMode } from './pollMode';
import { isSameIdentity, parseState, type Identity, type State } from './state';

/** The states that this process has saved last in memory mode, by trigger. */
const lastSaved = new Map<string, State>();

/**
 * What durable polls emitted last, by trigger. n8n saves an emission some time after its poll, or rolls
 * it back; meanwhile, it may start another poll with the data from before.
 */
const emitted = new Map<string, { emissions: number; until: number }>();

/** For tests: forgets all states, as a restart of n8n does. */
export function forgetStates(): void {
	lastSaved.clear();
	emitted.clear();
}

export class StateHome {
	private readonly own: IDataObject;
	private readonly shared: IDataObject;
	private readonly name: string;
	private readonly key: string;

	constructor(
		private readonly context: IPollFunctions,
		private readonly mode: PollMode,
	) {
		this.own = context.getWorkflowStaticData('node');
		this.shared = context.getWorkflowStaticData('global');
		this.name = `engagementUploadsTrigger ${context.getNode().id}`;
		this.key = triggerKey(context);
	}

	/** Whether these data are from before the last emission, which n8n may still save. */
	get isOutdated(): boolean {
		const last = this.mode.isDurable ? emitted.get(this.key) : undefined;
		if (last === undefined || systemClock.now() >= last.until) return false;
		return (parseState(this.own[this.name])?.emissions ?? 0) < last.emissions;
	}

	/**
	 * The state of an event, client and start, or without them any state that there is.
	 * @throws InputError if it cannot be read
	 */
	load(identity?: Identity): State | undefined {
		const { kind, isDurable } = this.mode;
		const shared = parseState(this.shared[this.name], identity);
		const own = parseState(this.own[this.name], identity);
		// Without own data, n8n has rolled back the first emission, if there was one.
		if (isDurable && own === undefined) return shared?.before ?? shared;
		if (own && (isDurable || own.isDurable)) {
			const hasMemoryPolled =
				shared?.isDurable !== true && (shared?.emissions ?? 0) > own.emissions;
			return hasMemoryPolled ? shared : own;
		}
		const last = lastSaved.get(this.key);
		if (last === undefined || !isSameIdentity(last, identity ?? last)) return shared;
		// n8n discards what a poll emits if the workflow is published meanwhile.
		const isDiscarded = last.emissions === (shared?.emissions ?? NaN) + 1;
		const isNew = kind === 'first' && (shared === undefined || isDiscarded);
		return shared?.isDurable || isNew ? shared : last;
	}

	/** Saves the state that follows another, as the last action of a poll. */
	save(before: State, next: State, isEmitting: boolean): void {
		const { kind, isDurable, timeAt } = this.mode;
		const emissions = next.emissions + (isEmitting ? 1 : 0);
		const state: State = { ...next, emissions, isDurable, before: undefined };
		const isFirstCommit = isDurable && parseState(this.own[this.name], next) === undefined;
		// A first poll that emits may be one of durable polling; a scheduled one in memory mode is not.
		if (isDurable || (kind === 'first' && isEmitting)) this.own[this.name] = toData(state);
		else if (kind === 'scheduled' && this.name in this.own) delete this.own[this.name];
		if (isEmitting || !isDurable)
			this.shared[this.name] = toData(isFirstCommit ? { ...state, before } : state);
		if (!isDurable) lastSaved.set(this.key, state);
		if (!isEmitting) emitted.delete(this.key);
		else if (isDurable) emitted.set(this.key, { emissions, until: timeAt(1) });
		noteSuccess(this.context);
	}

	/** An outage that was reported; undefined if there is none. */
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
