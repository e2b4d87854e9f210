/**
 * Where the state is kept, and which copy of it counts. In memory mode, it is kept in the workflow's data, under
 * the node's ID, which does not change if the node is renamed. In durable polling, it is kept in the node's own
 * data, which n8n commits together with what the poll emits, or rolls back. The workflow's data then have a copy
 * of the state after each emission, so that a later first poll, or memory mode, knows of it.
 */
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { systemClock } from '../values/clock';
import { triggerKey, type PollMode } from './pollMode';
import { parseState, type Identity, type State } from './state';

/** The copies of a trigger's state. */
interface Copies {
	/** In the node's own data. */
	own?: State;
	/** In the node's own data, but of another event, start or client. */
	replaced?: State;
	/** In the workflow's data. */
	shared?: State;
	/** What this process saved last. */
	remembered?: State;
}

/**
 * The state that counts. One is older than another if fewer polls had emitted something.
 *
 * | Poll | What n8n hands over | What counts |
 * |---|---|---|
 * | durable, or the first one after it | own data, as n8n has committed them | own data |
 * | the same | own data, older than what memory mode has saved since | the workflow's data |
 * | durable | no own data, or older ones, since n8n has rolled back the first emission | the state before that emission |
 * | first | the same, but n8n may still commit the emission | the workflow's data |
 * | memory mode | the workflow's data, older if an earlier registration goes on polling | what this process saved last |
 * | first, memory mode | the workflow's data, one emission older, since n8n has discarded the last one | the workflow's data |
 * | first, memory mode | nothing, after an import or a reset | nothing |
 * | any | own data of another event, start or client, newer than what durable polling left in the workflow's data | nothing: the trigger starts over |
 */
export function chooseState(
	{ own, replaced, shared: copy, remembered }: Copies,
	{ kind, isDurable }: Pick<PollMode, 'kind' | 'isDurable'>,
): State | undefined {
	// The trigger has started over since that copy was made, unless n8n has rolled back what is newer.
	const areDurable = replaced?.isDurable && copy?.isDurable;
	const isLeftOver = areDurable && (replaced.polledAt ?? 0) >= (copy.polledAt ?? 0);
	const shared = isLeftOver ? undefined : copy;
	if (isDurable || own?.isDurable) {
		// The state before the first durable emission, or what memory mode has saved.
		const earlier = shared?.isDurable ? shared.before : shared;
		if (own !== undefined && own.emissions >= (earlier?.emissions ?? 0)) return own;
		return kind === 'first' ? shared : (earlier ?? shared);
	}
	if (remembered === undefined || shared?.isDurable) return shared;
	const isDiscarded = shared === undefined || remembered.emissions === shared.emissions + 1;
	return kind === 'first' && isDiscarded ? shared : remembered;
}

/**
 * The state that this process has saved last, by trigger. Before `until`, n8n may still be saving what that poll
 * has emitted (an alert, with `hasAlerted`), and start another poll with older data.
 */
const saved = new Map<string, { state: State; until: number; hasAlerted?: true }>();

export class StateStore {
	/** The node's own data, which also say whether an outage was reported. */
	readonly own: IDataObject;
	private readonly shared: IDataObject;
	private readonly name: string;
	private readonly key: string;
	/** This poll has read the list, so what fails after that is something else. */
	hasReadList = false;
	/** Whether the state that counts is in the node's own data. */
	private isOwn = false;

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
		const last = this.mode.isDurable ? saved.get(this.key) : undefined;
		if (last === undefined || systemClock.now() >= last.until) return false;
		if (last.hasAlerted && this.own.outage === undefined) return true;
		return (parseState(this.own[this.name], last.state)?.emissions ?? 0) < last.state.emissions;
	}

	/** Whether this process has saved nothing for the trigger yet. */
	get isNewProcess(): boolean {
		return !saved.has(this.key);
	}

	/** The state that counts, with this identity if one is given. @throws InputError if it cannot be read */
	load(identity?: Identity): State | undefined {
		const latest = parseState(this.own[this.name]);
		const own = parseState(latest, identity);
		const replaced = own === undefined ? latest : undefined;
		const shared = parseState(this.shared[this.name], identity);
		const remembered = parseState(saved.get(this.key)?.state, identity);
		const state = chooseState({ own, replaced, shared, remembered }, this.mode);
		this.isOwn = state !== undefined && state === own;
		return state;
	}

	/** Notes that a poll reports an outage, and leaves the state as it was. */
	noteAlert(state: State): void {
		saved.set(this.key, { state, until: this.mode.deadline('poll'), hasAlerted: true });
	}

	/** Saves the state after a poll, as the last thing that the poll does. */
	save(before: State, next: State, isEmitting: boolean): void {
		const { kind, isDurable } = this.mode;
		const emissions = next.emissions + (isEmitting ? 1 : 0);
		const state: State = { ...next, emissions, isDurable, before: undefined };
		// A first poll that emits may belong to durable polling; a scheduled one in memory mode does not.
		if (isDurable || (kind === 'first' && isEmitting)) this.own[this.name] = toData(state);
		else if (kind === 'scheduled' && this.name in this.own) delete this.own[this.name];
		// If n8n rolls this emission back, only the shared copy says what came before it.
		const isFirstCommit = isDurable && !this.isOwn;
		if (isEmitting || !isDurable)
			this.shared[this.name] = toData(isFirstCommit ? { ...state, before } : state);
		saved.set(this.key, { state, until: isEmitting ? this.mode.deadline('poll') : 0 });
	}
}

/** A copy that shares nothing with the state, as plain data for n8n to keep. */
function toData(state: State): IDataObject {
	return JSON.parse(JSON.stringify(state)) as IDataObject;
}
