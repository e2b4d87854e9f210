/**
 * What fires when. Invariants: an upload is emitted only when it completed within the window before
 * the watermark or after it, and its id is not among those noted there; and the watermark never
 * passes an upload that was read as complete but neither emitted nor turned down by the filter.
 */
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../values/objects';
import type { CompletedUpload } from './upload';

/** A clock set back an hour for winter must not carry an upload out of the window. */
const CLOCK_CHANGE = 3_600_000;
const VERSION = 1;

/** An upload that was taken in. */
export interface Noted {
	/** completion, as in `CompletedUpload` */
	time: number;
	/** Turned down by the filter as it is now: it is emitted if its record changes and then matches. */
	passedOver?: true;
	/** The service listed it before, and does not any more. */
	gone?: true;
}

/** What the trigger remembers between polls. JSON, and as small as the look-back is quiet. */
export interface CursorState {
	version: typeof VERSION;
	/** fingerprint of service, client and start */
	source: string;
	/** fingerprint of the filter */
	filter: string;
	/** The newest completion taken in: the watermark. Null as long as there was none. */
	mark: number | null;
	/** Where the window began at the latest so far: of what completed before it nothing is noted. */
	since: number | null;
	/** Whether the service prints instants rather than local times. */
	isInstant: boolean;
	/** Milliseconds by which the service's date filter may be off, as far as answers have shown. */
	filterShift: number | null;
	/** Uploads within the window before the watermark, and later ones. */
	noted: Record<string, Noted>;
}

/** Uploads that were read. */
export interface Reading {
	uploads: CompletedUpload[];
	/** Every upload listed as completed up to this time is among them; Infinity when all were read. */
	completeTo: number;
	filterShift: number | null;
	/** Noted uploads that the service should have listed, and did not. */
	gone: string[];
	/** Times beyond this are not believed (milliseconds as in `CompletedUpload`). */
	latestCredible: number;
}

/** What the user wants of the uploads that were read. */
export interface Wanted {
	/** milliseconds */
	lookback: number;
	maxUploads: number;
	/** Completed late enough for the chosen start. */
	isAfterStart(upload: CompletedUpload): boolean;
	matches(upload: CompletedUpload): boolean;
}

export interface Step {
	/** oldest first */
	emit: CompletedUpload[];
	next: CursorState;
}

/** The state before anything was read. */
export function initialState(source: string, filter: string): CursorState {
	return {
		version: VERSION,
		source,
		filter,
		mark: null,
		since: null,
		isInstant: false,
		filterShift: null,
		noted: {},
	};
}

/** A state as it was saved, or undefined when it is none of this version. */
export function savedState(value: unknown): CursorState | undefined {
	if (!isObject(value) || value.version !== VERSION || !isObject(value.noted)) return undefined;
	return value as unknown as CursorState;
}

/**
 * The earliest completion that may still come up; undefined before there was any. A look-back that
 * is made longer does not reach back behind what is noted: that was dealt with under the shorter one.
 */
export function windowStart(
	{ mark, since }: Pick<CursorState, 'mark' | 'since'>,
	lookback: number,
): number | undefined {
	return mark === null ? undefined : Math.max(mark - lookback - CLOCK_CHANGE, since ?? -Infinity);
}

/** A state for another filter: what the old one turned down is not taken up again. */
export function withFilter(state: CursorState, filter: string): CursorState {
	if (state.filter === filter) return state;
	const noted = entries(state).map(
		([id, { time, gone }]) => [id, gone ? { time, gone } : { time }] as const,
	);
	return { ...state, filter, noted: Object.fromEntries(noted) };
}

/** Takes in everything that was read without emitting it: the first look of a start from now. */
export function baseline(state: CursorState, reading: Reading, lookback: number): CursorState {
	const mark = newest(reading.uploads, state.mark, reading.latestCredible);
	const taken = reading.uploads.map((upload) => [upload.id, { time: upload.time }] as const);
	return nextState(state, reading, mark, new Map(taken), lookback);
}

/** Whether an upload that was read is due: new, within the window, and not turned down. */
export function isDue(state: CursorState, upload: CompletedUpload, wanted: Wanted): boolean {
	const start = windowStart(state, wanted.lookback);
	if (start !== undefined && upload.time < start) return false;
	const note = noteOf(state, upload.id);
	if (note !== undefined && note.passedOver !== true) return false;
	return wanted.isAfterStart(upload) && wanted.matches(upload);
}

/** Decides what to emit of what was read, and what to remember. */
export function advance(state: CursorState, reading: Reading, wanted: Wanted): Step {
	const complete = reading.uploads.filter(({ time }) => time <= reading.completeTo).sort(byTime);
	const due = complete.filter((upload) => isDue(state, upload, wanted));
	const emit = due.slice(0, Math.max(0, wanted.maxUploads));
	const cut = due.length > emit.length ? (emit.at(-1)?.time ?? -Infinity) : Infinity;
	const emitted = new Set(emit);
	const postponed = new Set(due.slice(emit.length));

	const taken = new Map<string, Noted>();
	for (const upload of complete) {
		const note = noteOf(state, upload.id);
		const isPassed = !emitted.has(upload) && (note === undefined || note.passedOver === true);
		if (postponed.has(upload) || (isPassed && upload.time > cut)) continue;
		// A date that moved on keeps its upload within the window, and so from being emitted again;
		// beyond the cut it has not been reached yet.
		const time = Math.max(Math.min(upload.time, cut), note?.time ?? -Infinity);
		taken.set(upload.id, isPassed ? { time, passedOver: true } : { time });
	}
	// What is noted does not count again: time comes nearer to a date far in the future.
	const reached = complete.filter(
		({ id, time }) => time <= cut && time !== noteOf(state, id)?.time,
	);
	const mark = newest(reached, state.mark, reading.latestCredible);
	return { emit, next: nextState(state, reading, mark, taken, wanted.lookback) };
}

function nextState(
	state: CursorState,
	{ uploads, filterShift, gone }: Reading,
	mark: number | null,
	taken: Map<string, Noted>,
	lookback: number,
): CursorState {
	const since = windowStart({ mark, since: state.since }, lookback) ?? null;
	const missing = new Set(gone);
	const kept = entries(state).map(
		([id, note]) => [id, missing.has(id) ? { ...note, gone: true as const } : note] as const,
	);
	const noted = [...new Map<string, Noted>([...kept, ...taken])].filter(
		([, { time }]) => since === null || time >= since,
	);
	const isInstant = uploads[0]?.isInstant ?? state.isInstant;
	return { ...state, mark, since, isInstant, filterShift, noted: Object.fromEntries(noted) };
}

function newest(
	uploads: CompletedUpload[],
	mark: number | null,
	latestCredible: number,
): number | null {
	let time = mark ?? -Infinity;
	for (const upload of uploads)
		if (upload.time <= latestCredible) time = Math.max(time, upload.time);
	return time === -Infinity ? null : time;
}

/** Oldest first; ids keep the order of equal times the same from poll to poll. */
export function byTime(a: CompletedUpload, b: CompletedUpload): number {
	return a.time - b.time || (a.id < b.id ? -1 : 1);
}

export function noteOf({ noted }: CursorState, id: string): Noted | undefined {
	return Object.hasOwn(noted, id) ? noted[id] : undefined;
}

function entries({ noted }: CursorState): Array<[string, Noted]> {
	return Object.entries(noted);
}

/** A copy of a state that shares nothing with it, as plain data for n8n to keep. */
export function asData(state: CursorState): IDataObject {
	return JSON.parse(JSON.stringify(state)) as IDataObject;
}
