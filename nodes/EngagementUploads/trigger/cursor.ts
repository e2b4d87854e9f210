/**
 * Decides what to emit, for events that occur once per upload. Invariants: an upload is emitted
 * only if it is dated within the window or later, and its ID has not been seen there; and whatever
 * is due and not emitted stays due.
 */
import { firstProgress, isInWindow, nextProgress, type Reading } from './progress';
import { datedFrom, type CursorState } from './state';
import { byTime, type SeenUpload } from './upload';

/** Selects the uploads that the user wants among those that were read. */
export interface Wanted {
	/** milliseconds */
	lookback: number;
	maxUploads: number;
	/** Whether an upload is dated late enough for the chosen start. */
	isAfterStart(upload: SeenUpload): boolean;
	matches(upload: SeenUpload): boolean;
	/** Whether an earlier filter excluded the upload, without a trace in the state. */
	wasExcluded(upload: SeenUpload): boolean;
}

/** An upload to emit, with fields added to its record. */
export interface Emission {
	upload: SeenUpload;
	previousStatus?: string | null;
}

export interface Step {
	/** oldest first */
	emit: Emission[];
	next: CursorState;
}

/**
 * Marks everything that was read as seen, without emitting it: the first poll with Start From: Now.
 */
export function baseline(state: CursorState, reading: Reading, lookback: number): CursorState {
	const next = firstProgress(state, reading, lookback);
	const seen = reading.uploads.map(({ id, time }): [string, number] => [id, time]);
	return { ...next, seen: datedFrom(seen, next.since) };
}

/** Whether an upload is due: new, within the window, and not filtered out. */
export function isDue(state: CursorState, upload: SeenUpload, wanted: Wanted): boolean {
	return (
		isNew(state, upload, wanted) &&
		!wanted.wasExcluded(upload) &&
		wanted.isAfterStart(upload) &&
		wanted.matches(upload)
	);
}

function isNew(state: CursorState, upload: SeenUpload, { lookback }: Wanted): boolean {
	return isInWindow(state, upload, lookback) && !Object.hasOwn(state.seen, upload.id);
}

/** Decides which of the uploads to emit, and what to remember. */
export function advance(state: CursorState, reading: Reading, wanted: Wanted): Step {
	const due = reading.uploads.filter((upload) => isDue(state, upload, wanted)).sort(byTime);
	const emit = due.slice(0, wanted.maxUploads);
	const cut = due.length > emit.length ? (emit.at(-1)?.time ?? -Infinity) : Infinity;
	const emitted = new Set(emit);
	const postponed = new Set(due.slice(emit.length));

	const seen = new Map(Object.entries(state.seen));
	const filteredOut = new Map(Object.entries(state.filteredOut));
	const reached: SeenUpload[] = [];
	for (const upload of reading.uploads) {
		const { id, time } = upload;
		const known = seen.get(id) ?? filteredOut.get(id);
		const isFilteredOut = !emitted.has(upload) && !seen.has(id);
		if (postponed.has(upload) || (isFilteredOut && time > cut)) continue;
		if (known === undefined && !isNew(state, upload, wanted)) continue;
		// Known uploads do not count again, since a date in the future becomes credible as time
		// passes.
		if (time !== known) reached.push(upload);
		// An upload whose date has moved stays in the window; beyond the cut, it is not reached yet.
		const date = Math.max(Math.min(time, cut), known ?? -Infinity);
		const isOpen = isFilteredOut && !wanted.wasExcluded(upload);
		(isOpen ? filteredOut : seen).set(id, date);
		if (!isOpen) filteredOut.delete(id);
	}
	const next = nextProgress(state, reading, { reached, cut, lookback: wanted.lookback });
	return {
		emit: emit.map((upload) => ({ upload })),
		next: {
			...next,
			formerFilter: next.isBacklog ? next.formerFilter : undefined,
			seen: datedFrom(seen, next.since),
			filteredOut: datedFrom(filteredOut, next.since),
		},
	};
}
