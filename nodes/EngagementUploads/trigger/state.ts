/**
 * The state that the trigger keeps between polls: JSON, and no larger than what happens within the
 * look-back, and what is followed.
 */
import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../values/objects';
import { toInstant, toLocalTime } from '../values/zones';
import { isReadable, type SeenUpload } from './upload';

export const VERSION = 4;

/** When one of these changes, the trigger starts over. */
export interface Identity {
	event: string;
	/** Fingerprints; that of the client ID is empty until the first token has revealed it. */
	client: string;
	start: string;
}

export function isSameIdentity(one: Identity, other: Identity): boolean {
	const isSameClient = one.client === '' || other.client === '' || one.client === other.client;
	return one.event === other.event && one.start === other.start && isSameClient;
}

/** Ways to sort the list by date; with the ID, equal dates keep their order. */
export type OrderBy = 'dateAndId' | 'date';

/** How far the upload list has been read. */
export interface Progress {
	/** The newest date processed; null as long as there is none. */
	watermark: number | null;
	/** The watermark when the last pass through the list began; the next window begins before it. */
	previous: number | null;
	/** The latest start of a window so far: uploads dated before it are forgotten and not emitted. */
	since: number | null;
	/** Something was left unread, or not emitted: the next poll begins with the oldest. */
	isBacklog?: boolean;
	/** The first look is not complete: what it has not seen yet is taken as it is. */
	isLooking?: boolean;
	/** The order that the service is known to honour. */
	order?: OrderBy;
}

/** A short text that differs if a longer one, which is not to be stored, does. */
export function fingerprint(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** What is remembered of an upload. */
export interface Known {
	/** Its latest date, but not beyond what was emitted at the time. */
	time: number;
	/** What had occurred to it the last time that anything had. */
	last?: string;
	/** The filter left it out: it is emitted if it changes and then matches. */
	isFilteredOut?: true | undefined;
	/** Only if the event follows uploads. */
	engagementId?: string;
	/** When it ended, if it is followed and has. */
	end?: number;
}

/** Connectors of the filter: a fingerprint of what was entered, and what uploads call them. */
export interface Connectors {
	entered: string;
	names: string[];
}

export interface CursorState extends Identity, Progress {
	version: typeof VERSION;
	/** The zone of dates without an offset, if the service sends any. */
	zone?: string;
	/** Uploads dated before are never emitted: Start Date as first evaluated, or the first look's. */
	startAt?: number;
	/** A fingerprint of the filters. */
	filter: string;
	/** The connectors of the filter, as last looked up. */
	connectors?: Connectors;
	/** Uploads within the window, later-dated ones, and those that are followed, by ID. */
	known: Record<string, Known>;
	/** The service's time at the last poll, if uploads are followed. */
	polledAt?: number;
}

/** A state as it is stored. */
export interface StoredState extends CursorState {
	nodeId: string;
	/** Increases with each state that n8n is sure to save, and with each emission. */
	saves: number;
}

/** The initial state. */
export function initialState(identity: Identity, filter: string): CursorState {
	const unread = { watermark: null, previous: null, since: null, isBacklog: true, known: {} };
	return { version: VERSION, ...identity, filter, ...unread };
}

/** A saved state; undefined if it cannot be read. */
export function parseState(value: unknown): CursorState | undefined {
	if (!isObject(value) || value.version !== VERSION) return undefined;
	const { watermark, previous, since, known, filter, event, client, start } = value;
	const areTexts = [event, client, start, filter].every((text) => typeof text === 'string');
	const areTimes = [watermark, previous, since].every(
		(time) => time === null || Number.isFinite(time),
	);
	const areKnown =
		isObject(known) &&
		Object.values(known).every((entry) => isObject(entry) && Number.isFinite(entry.time));
	return areTexts && areTimes && areKnown ? (value as unknown as CursorState) : undefined;
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
export function withFilter(state: CursorState, filter: string): CursorState {
	if (state.filter === filter) return state;
	const known = mapValues(state.known, (entry) => ({ ...entry, isFilteredOut: undefined }));
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
