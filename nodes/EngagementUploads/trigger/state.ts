/**
 * The state that the trigger keeps between polls: JSON, and no larger than what happens within the
 * look-back.
 */
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../values/objects';
import type { FilterRule } from '../fields/uploadFilters';
import { instantIn, withInstants, type Progress } from './progress';

export const VERSION = 2;

/** When one of these changes, the trigger starts over. */
export interface Identity {
	event: string;
	/** Fingerprints; the client's is empty until the client is known. */
	client: string;
	start: string;
}

/** An upload that is followed. */
export interface FollowedUpload {
	/** When it was created. */
	time: number;
	/** The status last seen. */
	status: string;
	/** When it ended, if it has. */
	end?: number;
	/** For events that occur once: whether it has been emitted, or filtered out for good. */
	isHandled?: true;
}

export interface CursorState extends Identity, Progress {
	version: typeof VERSION;
	/** Start Date as first evaluated, in epoch milliseconds. */
	startAt?: number;
	filter: FilterRule[];
	/**
	 * The former filter, which may have excluded uploads dated up to a time without n8n having saved
	 * that.
	 */
	formerFilter?: { rules: FilterRule[]; until: number };
	/** Dates of handled uploads within the window, and of later-dated ones, by ID. */
	seen: Record<string, number>;
	/**
	 * The same for uploads that were filtered out; one is emitted if its record changes and then
	 * matches.
	 */
	filteredOut: Record<string, number>;
	followed: Record<string, FollowedUpload>;
	/** When the last poll was; only if uploads are followed. */
	polledAt?: number;
}

/** The initial state. */
export function initialState(identity: Identity, filter: FilterRule[]): CursorState {
	return {
		version: VERSION,
		...identity,
		filter,
		mark: null,
		previous: null,
		since: null,
		isInstant: false,
		seen: {},
		filteredOut: {},
		followed: {},
	};
}

/** A saved state; undefined if it is not of this version. */
export function parseState(value: unknown): CursorState | undefined {
	const isState = isObject(value) && value.version === VERSION && isObject(value.seen);
	return isState ? (value as unknown as CursorState) : undefined;
}

/** A copy that shares nothing with the state, as plain data for n8n to keep. */
export function toData(state: object): IDataObject {
	return JSON.parse(JSON.stringify(state)) as IDataObject;
}

/** The state for another filter: what the old one filtered out is not emitted later. */
export function withFilter(state: CursorState, filter: FilterRule[]): CursorState {
	if (JSON.stringify(state.filter) === JSON.stringify(filter)) return state;
	return { ...state, filter, seen: { ...state.seen, ...state.filteredOut }, filteredOut: {} };
}

/** Converts all dates to instants, once the service has sent one. */
export function toInstants(state: CursorState, toInstant: (time: number) => number): CursorState {
	const convert = (times: Record<string, number>) =>
		mapValues(times, (time) => instantIn(time, toInstant));
	return {
		...withInstants(state, toInstant),
		seen: convert(state.seen),
		filteredOut: convert(state.filteredOut),
		followed: mapValues(state.followed, (upload) => ({
			...upload,
			time: instantIn(upload.time, toInstant),
			end: upload.end && instantIn(upload.end, toInstant),
		})),
		polledAt: state.polledAt && instantIn(state.polledAt, toInstant),
	};
}

/** Entries dated at a time or later; all entries without a time. */
export function datedFrom(times: Iterable<[string, number]>, since: number | null) {
	return Object.fromEntries([...times].filter(([, time]) => since === null || time >= since));
}

function mapValues<T>(record: Record<string, T>, map: (value: T) => T): Record<string, T> {
	return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
