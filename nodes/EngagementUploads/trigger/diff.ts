/**
 * Decides what a poll emits, and the state after it: pure functions. An upload is due if what has occurred to it
 * differs from what is known of it. Invariants: each occurrence is emitted once; what is due and not emitted stays
 * due; each part of the list is read by two polls, so that an upload that slips from one page to another is found
 * the second time.
 */
import type { TriggerSettings } from './settings';
import { findKnown, OVERLAP, type State } from './state';
import { byTime, type SeenUpload } from './upload';

/** An upload to emit, with fields added to its record. */
export interface Emission {
	upload: SeenUpload;
	previousStatus?: string | null;
}

/** What has occurred to an upload that is new or has changed, and matches the filters. */
function newOccurrence(state: State, upload: SeenUpload, settings: TriggerSettings, now: number) {
	const { event, matches } = settings;
	const entry = findKnown(state, upload.id);
	const occurrence = event.occurrence(upload, now, settings);
	if (occurrence === undefined || occurrence === entry?.last) return undefined;
	const isNew = entry === undefined ? !state.needsBaseline : event.isRepeating === true;
	return isNew && matches(upload.record) ? occurrence : undefined;
}

/** What to emit, oldest first, and the state after that. */
export function advance(
	state: State,
	seen: SeenUpload[],
	settings: TriggerSettings,
	now: number,
): { emit: Emission[]; next: State } {
	const { event, maxUploadsPerPoll } = settings;
	const inWindow = seen.filter(({ time }) => time >= (state.from ?? -Infinity));
	const isDue = (upload: SeenUpload) => newOccurrence(state, upload, settings, now) !== undefined;
	const due = inWindow.filter(isDue).sort(byTime);
	const emit = new Set(due.slice(0, maxUploadsPerPoll));
	const deferred = new Set(due.slice(maxUploadsPerPoll));

	const known = new Map(Object.entries(state.known));
	for (const upload of inWindow) {
		if (deferred.has(upload)) continue;
		const last = event.occurrence(upload, now, settings);
		const isRecorded = state.needsBaseline || emit.has(upload) || event.isRepeating;
		// A date may move back.
		const time = Math.max(upload.time, findKnown(state, upload.id)?.time ?? -Infinity);
		if (known.has(upload.id) || (isRecorded && last !== undefined))
			known.set(upload.id, { time, last: last ?? known.get(upload.id)?.last });
	}
	const { from, newest } = nextWindow(state, inWindow, [...deferred][0], settings, now);
	const kept = [...known].filter(([, { time }]) => time >= from);
	const toEmission = (upload: SeenUpload): Emission => {
		if (!event.isRepeating) return { upload };
		return { upload, previousStatus: findKnown(state, upload.id)?.last ?? null };
	};
	const next: State = {
		...state,
		from: toNull(from),
		newest: toNull(newest),
		needsBaseline: false,
		known: Object.fromEntries(kept),
	};
	return { emit: [...emit].map(toEmission), next };
}

/**
 * The newest date seen by now, but none after what is still due; and where the next window begins: the look-back and the
 * overlap before the earlier of two dates, the newest known when this poll began, and the newest by now less the event's span.
 */
function nextWindow(
	state: State,
	inWindow: SeenUpload[],
	earliestDue: SeenUpload | undefined,
	{ event, ...settings }: TriggerSettings,
	now: number,
): { from: number; newest: number } {
	const dueFrom = earliestDue?.time ?? Infinity;
	const known = state.newest ?? -Infinity;
	// A date in the future would hide what is dated before it.
	const credible = inWindow.map(({ time }) =>
		time <= now + OVERLAP ? Math.min(time, now) : known,
	);
	const newest = Math.min(
		dueFrom,
		credible.reduce((one, other) => Math.max(one, other), known),
	);
	const span = event.span?.(settings) ?? 0;
	const reached = Math.min(known, newest - span);
	// The window never moves back, since what was known before it is forgotten.
	const from = Math.max(state.from ?? -Infinity, reached - settings.lookback - OVERLAP);
	return { from, newest };
}

const toNull = (time: number) => (time === -Infinity ? null : time);
