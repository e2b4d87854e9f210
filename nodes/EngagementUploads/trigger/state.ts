/**
 * The state that the trigger keeps between polls, and where it is kept. It grows only with the uploads in the
 * look-back, and those that are followed.
 */
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { systemClock } from '../values/clock';
import { InputError } from '../values/inputError';
import { isObject } from '../values/objects';
import { toInstant, toLocalTime } from '../values/zones';
import { noteSuccess, triggerKey, type PollMode } from './pollMode';
import { isReadable } from './upload';

const VERSION = 5;

/** The trigger starts over when one of these changes. */
export interface Identity {
	event: string;
	/** The fingerprint of the client ID; empty until the first token has revealed that. */
	client: string;
	/** The fingerprint of where the trigger starts. */
	start: string;
}

/** What is remembered of an upload. */
export interface KnownUpload {
	/** Its latest date. */
	time: number;
	/** What had occurred to it when it was last emitted, or recorded by the first poll. */
	last?: string;
	/** Only for events that follow uploads. */
	engagementId?: string;
	/** When it ended, if it has; only for events that follow uploads. */
	end?: number;
}

export interface State extends Identity {
	version: typeof VERSION;
	/** The newest date processed, but never later than the service's own time; null before the first. */
	watermark: number | null;
	/** Uploads dated before this are neither emitted nor remembered; null if there is no such limit. */
	windowStart: number | null;
	/** Start Date, if the user chose one: the window never begins before it. */
	startDate?: number;
	/** How far before the window the next poll's date filter begins. */
	margin?: number;
	/** Uploads are recorded, not emitted, until the list has been read to its end once. */
	needsBaseline: boolean;
	/** By ID, the uploads that were emitted or that the first poll recorded, and those that are followed. */
	known: Record<string, KnownUpload>;
	/** The service's time at the last poll. */
	polledAt?: number;
	/** The zone in which dates without an offset were read, if the service sends any. */
	zone?: string;
	/** How many polls have emitted something. */
	emissions: number;
	/** Saved by durable polling, which prefers the node's own data. */
	isDurable?: boolean;
	/** In the copy of the first durable emission: the state before, in case n8n rolls the emission back. */
	before?: State;
}

export function isSameIdentity(one: Identity, other: Identity): boolean {
	const isSameClient = one.client === '' || other.client === '' || one.client === other.client;
	return one.event === other.event && one.start === other.start && isSameClient;
}

/** Where a trigger starts. */
type Start = Pick<State, 'windowStart' | 'startDate' | 'needsBaseline'>;

/** The state of a trigger that has not polled yet. */
export function emptyState(identity: Identity, start: Start): State {
	return { version: VERSION, ...identity, watermark: null, known: {}, emissions: 0, ...start };
}

/** What is remembered of an upload, if anything. */
export function findKnown({ known }: State, id: string): KnownUpload | undefined {
	return Object.hasOwn(known, id) ? known[id] : undefined;
}

/** The state for another Time Zone in the credential, which changes how dates without an offset are read. */
export function convertToZone(state: State, zone: string): State {
	const { zone: old, watermark, windowStart, startDate, polledAt = -Infinity } = state;
	if (old === undefined || old === zone || watermark === null) return state;
	const convert = (time: number) =>
		isReadable(time) ? toInstant(toLocalTime(time, old), zone) : time;
	const known = Object.entries(state.known).map(([id, { end, ...entry }]) => [
		id,
		// It may have ended later than it seemed.
		{ ...entry, time: convert(entry.time), ...(end && { end: Math.max(end, polledAt) }) },
	]);
	const converted = windowStart && Math.max(convert(windowStart), startDate ?? -Infinity);
	return {
		...state,
		zone,
		watermark: convert(watermark),
		// Start Date is the time that it names, whatever the zone.
		windowStart: windowStart === startDate ? windowStart : converted,
		known: Object.fromEntries(known) as State['known'],
	};
}

/** A saved state, if there is one with this identity. @throws InputError if it cannot be read */
function parseState(value: unknown, identity?: Identity): State | undefined {
	if (value === undefined) return undefined;
	if (isState(value)) return isSameIdentity(value, identity ?? value) ? value : undefined;
	throw new InputError(
		'The saved state of the trigger cannot be read',
		'Restore a backup of the workflow; or delete the trigger and add it again, so that it starts over',
	);
}

function isState(value: unknown): value is State {
	if (!isObject(value) || value.version !== VERSION) return false;
	const { watermark, windowStart, known, event, client, start, emissions, before } = value;
	const hasTexts = [event, client, start].every((text) => typeof text === 'string');
	const hasTimes = [watermark, windowStart].every((time) => time === null || Number.isFinite(time));
	const hasKnown =
		isObject(known) &&
		Object.values(known).every((entry) => isObject(entry) && Number.isFinite(entry.time));
	const hasBefore = before === undefined || isState(before);
	return hasTexts && hasTimes && hasKnown && Number.isFinite(emissions) && hasBefore;
}

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
		private readonly context: IPollFunctions,
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
		noteSuccess(this.context);
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
