/**
 * Where the state is kept, and which copy of it counts: the one after more emissions. Durable polling keeps it in the
 * node's own data, which n8n commits together with what the poll emits, or rolls back. All other polls keep it there and
 * in the workflow's data, under the node's ID, which does not change if the node is renamed; and the process remembers
 * it, since n8n saves neither if a poll in memory mode emits nothing. A first poll may be a durable one, so what it
 * emits counts only in the node's own data.
 */
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { systemClock } from '../values/clock';
import { triggerKey, type PollMode } from './pollMode';
import type { TriggerSettings } from './settings';
import { parseState, type State } from './state';

interface Remembered {
	/** Without that of a durable poll, which n8n may roll back. */
	state?: State;
	emissions: number;
	/** Before then, n8n may still be saving what the poll has emitted. */
	until: number;
}

/** What this process has saved last, by trigger. */
const remembered = new Map<string, Remembered>();

export class StateStore {
	/** The node's own data, which also say whether an outage was reported. */
	readonly own: IDataObject;
	private readonly shared: IDataObject;
	private readonly name: string;
	private readonly key: string;

	constructor(
		context: IPollFunctions,
		private readonly mode: PollMode,
		private readonly settings: TriggerSettings,
	) {
		this.own = context.getWorkflowStaticData('node');
		this.shared = context.getWorkflowStaticData('global');
		this.name = `engagementUploadsTrigger ${context.getNode().id}`;
		this.key = triggerKey(context);
	}

	/** Whether this process has saved nothing for the trigger yet. */
	get isNewProcess(): boolean {
		return !remembered.has(this.key);
	}

	/** The state that counts; undefined if there is none of this event and start. @throws if it cannot be read */
	load(): State | undefined {
		const state = this.latest;
		const { event, start } = this.settings;
		return state?.event === event.value && state.start === start ? state : undefined;
	}

	/** Whether n8n is still saving what the last poll has emitted, so that its data are from before that. */
	get isOutdated(): boolean {
		const last = this.mode.isDurable ? remembered.get(this.key) : undefined;
		if (last === undefined || systemClock.now() >= last.until) return false;
		return (this.latest?.emissions ?? 0) < last.emissions;
	}

	/** Saves the state, as the last thing that a poll does. */
	save(next: State, isEmitting: boolean): void {
		const { kind, isDurable, deadline } = this.mode;
		const emissions = (this.latest?.emissions ?? 0) + (isEmitting ? 1 : 0);
		const state: State = { ...next, emissions };
		this.own[this.name] = toData(state);
		if (!isDurable && !(isEmitting && kind === 'first')) this.shared[this.name] = toData(state);
		const until = isEmitting ? deadline : 0;
		remembered.set(this.key, { ...(!isDurable && { state }), emissions, until });
	}

	/** The copy after more emissions. What n8n has taken back is only in the process. */
	private get latest(): State | undefined {
		const { kind, isDurable } = this.mode;
		const own = parseState(this.own[this.name]);
		const saved = later(own, parseState(this.shared[this.name]));
		const last = remembered.get(this.key)?.state;
		const isTakenBack = kind === 'first' && own !== undefined && later(saved, last) === last;
		return isDurable || isTakenBack ? saved : later(last, saved);
	}
}

/** The copy after more emissions; the first one if there are as many. */
function later(one: State | undefined, other: State | undefined): State | undefined {
	return (other?.emissions ?? -1) > (one?.emissions ?? -1) ? other : one;
}

/** A copy that shares nothing with the state, as plain data for n8n to keep. */
function toData(state: State): IDataObject {
	return JSON.parse(JSON.stringify(state)) as IDataObject;
}
