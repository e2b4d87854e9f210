/**
 * The state that the trigger keeps between polls: JSON, and no larger than what happens within the
 * look-back, and what is followed.
 */
import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../values/objects';
import { toInstant, toLocalTime } from '../values/zones';
import type { FilterRule } from '../fields/uploadFilters';
import type { Progress } from './progress';
import { isReadable, type SeenUpload } from './upload';

export const VERSION = 3;

/** When one of these changes, the trigger starts over. */
export interface Identity {
	event: string;
	/** Fingerprints; the client's is empty until the client is known. */
	client: string;
	start: string;
}

/** A short text that differs if a longer one, which is not to be stored, does. */
export function fingerprint(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** What is remembered of an upload. */
export interface Known {
	/** Its date. */
	time: number;
	/** What had occurred to it when it was last read, if anything. */
	last?: string;
	/** The filter left it out: it is emitted if it changes and then matches. */
	isOpen?: true | undefined;
	/** It was due, but there were too many to emit: it is followed for longer. */
	isPostponed?: true;
	/** Only if it is followed. */
	engagementId?: string;
	/** When it ended, if it is followed and has. */
	end?: number;
}

/** Connectors as entered, and what uploads call them. */
export interface Connectors {
	entered: string[];
	names: string[];
}

export interface CursorState extends Identity, Progress {
	version: typeof VERSION;
	/** The zone of dates without an offset, if the service sends any. */
	zone?: string;
	/** Start Date as first evaluated, in epoch milliseconds. */
	startAt?: number;
	filter: FilterRule[];
	/** The connectors of the filter, as looked up when the workflow was published. */
	connectors?: Connectors;
	/** Uploads within the window, later-dated ones, and those that are followed, by ID. */
	known: Record<string, Known>;
	/** The service's time at the last poll, if uploads are followed. */
	polledAt?: number;
}

/** The initial state. */
export function initialState(identity: Identity, filter: FilterRule[]): CursorState {
	const unread = { watermark: null, previous: null, since: null, known: {} };
	return { version: VERSION, ...identity, filter, ...unread };
}

/** A saved state; undefined if it cannot be read. */
export function parseState(value: unknown): CursorState | undefined {
	if (!isObject(value) || value.version !== VERSION) return undefined;
	const { watermark, previous, since, known, filter, event, client, start } = value;
	const areTexts = [event, client, start].every((text) => typeof text === 'string');
	const areTimes = [watermark, previous, since].every(
		(time) => time === null || Number.isFinite(time),
	);
	const areKnown =
		isObject(known) &&
		Object.values(known).every((entry) => isObject(entry) && Number.isFinite(entry.time));
	const isState = areTexts && areTimes && areKnown && Array.isArray(filter);
	return isState ? (value as unknown as CursorState) : undefined;
}

/** A copy that shares nothing with the state, as plain data for n8n to keep. */
export function toData(state: object): IDataObject {
	return JSON.parse(JSON.stringify(state)) as IDataObject;
}

/** What is remembered of an upload, if anything. */
export function knownOf(state: CursorState, { id }: Pick<SeenUpload, 'id'>): Known | undefined {
	return Object.hasOwn(state.known, id) ? state.known[id] : undefined;
}

/** The state for another filter: what the old one left out is not emitted later. */
export function withFilter(state: CursorState, filter: FilterRule[]): CursorState {
	if (JSON.stringify(state.filter) === JSON.stringify(filter)) return state;
	const known = mapValues(state.known, (entry) => ({ ...entry, isOpen: undefined }));
	return { ...state, filter, known };
}

/**
 * The state after the credential's zone has changed, in which dates without an offset are read. Start
 * Date is an instant, whatever the zone.
 */
export function inZone(state: CursorState, zone: string): CursorState {
	const { zone: old, polledAt = -Infinity } = state;
	if (old === undefined || old === zone) return state;
	const convert = (time: number) =>
		isReadable(time) ? toInstant(toLocalTime(time, old), zone) : time;
	const watermark = state.watermark && convert(state.watermark);
	const previous = state.previous && convert(state.previous);
	const since = state.since && convert(state.since);
	const known = mapValues(state.known, ({ end, ...entry }) => ({
		...{ ...entry, time: convert(entry.time) },
		// It may be too early by as much as the zones differ, so it is followed for longer.
		...(end !== undefined && { end: Math.max(end, polledAt) }),
	}));
	return { ...state, zone, watermark, previous, since, known };
}

function mapValues<T>(record: Record<string, T>, map: (value: T) => T): Record<string, T> {
	return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
