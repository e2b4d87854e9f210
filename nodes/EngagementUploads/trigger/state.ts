/**
 * The state that the trigger keeps between polls. It is JSON, no larger than what happens within the
 * look-back, and what is followed.
 */
import { createHash } from 'crypto';
import { InputError } from '../values/inputError';
import { isObject } from '../values/objects';
import { toInstant, toLocalTime } from '../values/zones';
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
