/**
 * The state that the trigger keeps between polls, and where. It is JSON, no larger than what happens
 * within the look-back, and what is followed.
 */
import { createHash } from 'crypto';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { systemClock } from '../values/clock';
import { InputError } from '../values/inputError';
import { isObject } from '../values/objects';
import { toInstant, toLocalTime } from '../values/dates';
import { noteSuccess, triggerKey, type PollMode } from './pollMode';
import { isReadable } from './upload';

const VERSION = 5;

/** When one of these changes, the trigger starts over. */
export interface Identity {
	event: string;
	/** Fingerprints; that of the client ID is empty until the first token has revealed it. */
	client: string;
	start: string;
}

/** What is remembered of an upload. */
export interface Known {
	/** Its latest date. */
	time: number;
	/** What had occurred to it when it was last emitted, or recorded by the first poll. */
	last?: string;
	/** Only if the event follows uploads. */
	engagementId?: string;
	/** When it ended, if it is followed and has. */
	end?: number;
}

export interface State extends Identity {
	version: typeof VERSION;
	/** The newest date processed, but not beyond the service's own time; null if there is none. */
	watermark: number | null;
	/** Uploads dated before are neither emitted nor remembered; null if there is no such limit. */
	windowStart: number | null;
	/** Start Date, if the user chose one: the window never begins before it. */
	startDate?: number;
	/** How far before the window the next poll's date filter begins. */
	margin?: number;
	/** Until the list has been read to its end once, what is found is recorded and not emitted. */
	needsBaseline: boolean;
	/** The uploads that were emitted, or that the first poll found; and those that are followed. */
	known: Record<string, Known>;
	/** The service's time at the last poll. */
	polledAt?: number;
	/** The zone of dates without an offset, if the service sends any. */
	zone?: string;
	/** How often something was emitted. */
	emissions: number;
	/** Saved by durable polling, whose own data count, if they are there. */
	isDurable?: boolean;
	/** In the copy of the first durable emission: the state before it, in case n8n rolls it back. */
	before?: State;
}

export function isSameIdentity(one: Identity, other: Identity): boolean {
	const isSameClient = one.client === '' || other.client === '' || one.client === other.client;
	return one.event === other.event && one.start === other.start && isSameClient;
}

/** A short text that differs if a longer one, which is not to be stored, does. */
export function fingerprint(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** The state of a trigger that has not polled yet. */
export function initialState(identity: Identity, start: StateStart): State {
	return { version: VERSION, ...identity, watermark: null, known: {}, emissions: 0, ...start };
}

/** Where a trigger starts. */
export type StateStart = Pick<State, 'windowStart' | 'startDate' | 'needsBaseline'>;

/** What is remembered of an upload, if anything. */
export function findKnown({ known }: State, id: string): Known | undefined {
	return Object.hasOwn(known, id) ? known[id] : undefined;
}

/** The state after the credential's zone has changed, in which dates without an offset are read. */
export function inZone(state: State, zone: string): State {
	const { zone: old, watermark, windowStart, startDate, polledAt = -Infinity } = state;
	if (old === undefined || old === zone || watermark === null) return state;
	const convert = (time: number) =>
		isReadable(time) ? toInstant(toLocalTime(time, old), zone) : time;
	const known = Object.entries(state.known).map(([id, { end, ...entry }]) => [
		id,
		// It may have ended later than was thought.
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

/**
 * A saved state; undefined if there is none, or only that of another event, client or start.
 * @throws InputError if it cannot be read
 */
export function parseState(value: unknown, identity?: Identity): State | undefined {
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
	const areTexts = [event, client, start].every((text) => typeof text === 'string');
	const areTimes = [watermark, windowStart].every((time) => time === null || Number.isFinite(time));
	const areKnown =
		isObject(known) &&
		Object.values(known).every((entry) => isObject(entry) && Number.isFinite(entry.time));
	const isBeforeReadable = before === undefined || isState(before);
	return areTexts && areTimes && areKnown && Number.isFinite(emissions) && isBeforeReadable;
}

/** The states that this process has saved last in memory mode, by trigger. */
const lastSaved = new Map<string, State>();

/**
 * What durable polls emitted last, or first polls, which may be durable, by trigger. n8n saves an
 * emission some time after its poll, or rolls it back; meanwhile, it may start another poll with the
 * data from before.
 */
const emitted = new Map<string, { emissions: number; until: number }>();

/** For tests: forgets all states, as a restart of n8n does. */
export function forgetStates(): void {
	lastSaved.clear();
	emitted.clear();
}

/**
 * Where the state is kept. In memory mode, it is in the workflow's data under the node's ID, which a
 * rename does not change. In durable polling, it is in the node's own data, which n8n commits with each
 * poll; each emission is copied to the workflow's data, so that a later first poll, or memory mode,
 * knows of it. The process remembers what it saved last, since n8n may leave an older registration of
 * the trigger polling.
 */
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
		const mayBeDurable = isDurable || (kind === 'first' && isEmitting);
		if (mayBeDurable) this.own[this.name] = toData(state);
		else if (kind === 'scheduled' && this.name in this.own) delete this.own[this.name];
		if (isEmitting || !isDurable)
			this.shared[this.name] = toData(isFirstCommit ? { ...state, before } : state);
		if (!isDurable) lastSaved.set(this.key, state);
		if (!isEmitting) emitted.delete(this.key);
		else if (mayBeDurable) emitted.set(this.key, { emissions, until: timeAt(1) });
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
