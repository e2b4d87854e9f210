/**
 * What a poll emits, and how far the list has been read after it: pure functions. Invariants: an upload
 * is emitted only if it is dated within the window or later (and, if the event follows uploads, within
 * Follow For), or is followed; each occurrence is emitted once; whatever is due and not emitted stays
 * due (if the event follows uploads, until Follow For ends); the watermark never passes an upload that
 * was neither emitted nor filtered out; and each part of the list lies within the windows of at least
 * two passes, so that an upload that slips from one page to another is found the second time.
 */
import { toText } from '../values/text';
import type { UploadEvent } from './events/event';
import type { Reading } from './list';
import type { TriggerSettings } from './settings';
import { knownOf, type CursorState, type Known, type Progress } from './state';
import { byTime, hasEnded, MAX_ZONE_DIFFERENCE, type SeenUpload } from './upload';

const HOUR = 3_600_000;
/** A clock set back an hour at the end of summer time must not move an upload out of the window. */
const CLOCK_CHANGE = HOUR;

/** What the user wants of the uploads that were read; times in milliseconds. */
export interface Wanted
	extends Pick<
		TriggerSettings,
		'event' | 'parameters' | 'lookback' | 'followFor' | 'maxUploadsPerPoll'
	> {
	/** The service's own time. While a poll reads, the latest that the service has sent. */
	readonly now: number;
	/** What is listed and not known yet is taken as it is: Start From: Now, until all was read once. */
	readonly isFirstLook: boolean;
	matches(upload: SeenUpload): boolean;
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
 * The earliest date that may still be emitted; undefined as long as no upload has been read. A
 * longer look-back does not extend the window beyond what is remembered.
 */
export function windowStart(
	{ previous, since }: Pick<Progress, 'previous' | 'since'>,
	lookback: number,
): number | undefined {
	if (previous === null) return since ?? undefined;
	return Math.max(previous - lookback - CLOCK_CHANGE, since ?? -Infinity);
}

/** Uploads dated before this do not matter, unless they are known; `read` is what was read so far. */
export function floorOf(state: CursorState, wanted: Wanted, read: SeenUpload[]): number {
	const { event, now, followFor, lookback, isFirstLook } = wanted;
	const isBeginning = isFirstLook && state.previous === null;
	const previous = isBeginning ? newestOf(read, now) : state.previous;
	const start = windowStart({ ...state, previous }, lookback);
	if (!event.isFollowing) return Math.max(start ?? -Infinity, state.startAt ?? -Infinity);
	if (isBeginning) return Math.min(start ?? Infinity, now - followFor);
	// After a long downtime, only uploads that would still be followed matter.
	return Math.max(start ?? -Infinity, now - Math.max(followFor, lookback + CLOCK_CHANGE));
}

/**
 * Whether to follow an upload: as long as the event may still occur to it, until the look-back has
 * passed after it ended, and no longer than Follow For.
 */
export function isFollowed(entry: Known, { event, now, lookback, followFor }: Wanted): boolean {
	if (!event.isFollowing || isSettled(entry, event)) return false;
	return now <= entry.time + followFor && now <= (entry.end ?? Infinity) + lookback;
}

/** Whether the event cannot occur to an upload any more. */
function isSettled({ last, isFilteredOut }: Known, { isRepeating }: UploadEvent): boolean {
	return last !== undefined && !isFilteredOut && !isRepeating;
}

/** Whether an upload is due: it matters, matches the filter, and something new has occurred. */
export function isDue(state: CursorState, upload: SeenUpload, wanted: Wanted): boolean {
	const { event, parameters, now, isFirstLook } = wanted;
	const entry = knownOf(state, upload);
	if (isFirstLook && entry === undefined) return false;
	const isEligible =
		entry !== undefined && event.isFollowing
			? isFollowed(entry, wanted)
			: upload.time >= floorOf(state, wanted, []);
	if (!isEligible) return false;
	const occurrence = event.occurrence(upload, now, parameters);
	const isNews =
		occurrence !== undefined && (occurrence !== entry?.last || entry.isFilteredOut === true);
	return isNews && wanted.matches(upload);
}

/**
 * Decides what to emit, and what to remember. `followed` are uploads that were asked for because
 * they are followed; they say nothing about how far the list has been read.
 */
export function advance(
	state: CursorState,
	reading: Reading,
	followed: SeenUpload[],
	wanted: Wanted,
): Step {
	const { event, maxUploadsPerPoll: most, isFirstLook, lookback } = wanted;
	const { polledAt } = state;
	const floor = floorOf(state, wanted, reading.uploads);
	const seen = [...reading.uploads, ...followed];
	const due = seen.filter((upload) => isDue(state, upload, wanted)).sort(byTime);
	const emit = due.slice(0, most);
	const cut = due.length > emit.length ? (emit.at(-1)?.time ?? -Infinity) : Infinity;
	const [emitted, postponed] = [new Set(emit), new Set(due.slice(most))];
	/** Whether an upload is left to the next poll, as if it were unread, or does not matter. */
	const isLeft = (upload: SeenUpload, entry: Known | undefined) => {
		if (postponed.has(upload)) return true;
		if (entry === undefined) return upload.time < floor || upload.time > cut;
		// Beyond the cut, what may still be due.
		return upload.time > cut && !event.isFollowing && !isSettled(entry, event);
	};

	const known = new Map(Object.entries(state.known));
	const reached: SeenUpload[] = [];
	for (const upload of seen) {
		const entry = knownOf(state, upload);
		if (isLeft(upload, entry)) continue;
		reached.push(upload);
		if (entry !== undefined && event.isFollowing && !isFollowed(entry, wanted)) continue;
		const isHandled = (isFirstLook && entry === undefined) || emitted.has(upload);
		known.set(upload.id, entryFor(upload, entry, { wanted, isHandled, cut, polledAt }));
	}
	const listed = new Set(reading.uploads);
	const newest = newestOf(
		reached.filter((upload) => listed.has(upload)),
		wanted.now,
		(upload) => upload.time === knownOf(state, upload)?.time,
	);
	const toEmission = (upload: SeenUpload): Emission => ({
		upload,
		...(event.isRepeating && { previousStatus: knownOf(state, upload)?.last ?? null }),
	});
	const next = {
		...state,
		...nextProgress(state, reading, { newest, cut, lookback, isFirstLook }),
	};
	return { emit: emit.map(toEmission), next: withKnown(next, known, state, wanted) };
}

/** What to remember of an upload; `isHandled`: it was emitted, or is taken as it is. */
function entryFor(
	upload: SeenUpload,
	entry: Known | undefined,
	how: { wanted: Wanted; isHandled: boolean; polledAt: number | undefined; cut: number },
): Known {
	const { wanted, isHandled, polledAt = 0, cut } = how;
	const { event, parameters, now } = wanted;
	const occurrence = event.occurrence(upload, now, parameters);
	const isSettledBefore = entry !== undefined && isSettled(entry, event);
	// If nothing occurs to it for a while, what was left out before still was.
	const isLeftOut = occurrence !== undefined || entry?.isFilteredOut === true;
	const isFilteredOut = isLeftOut && !isHandled && !isSettledBefore && !event.isRepeating;
	const last = occurrence ?? entry?.last;
	const engagementId = toText(upload.record.engagementId ?? '') || undefined;
	// It cannot have ended before the last poll, nor in the future.
	const ended = Math.max(Math.min(upload.completedAt ?? now, now), polledAt);
	const end = hasEnded(upload) ? (entry?.end ?? ended) : undefined;
	return {
		// An upload whose date has moved stays in the window; beyond the cut, it is not reached yet.
		time: Math.max(Math.min(upload.time, cut), entry?.time ?? -Infinity),
		...(last !== undefined && { last }),
		...(isFilteredOut && { isFilteredOut }),
		...(event.isFollowing && { engagementId, end }),
	};
}

/** Remembers followed uploads, and all others within the window, so that none of them looks new. */
function withKnown(
	next: CursorState,
	known: Iterable<[string, Known]>,
	{ polledAt }: CursorState,
	wanted: Wanted,
): CursorState {
	// One wrong Date header must not end following: the earlier of two counts.
	const now = Math.min(wanted.now, polledAt ?? Infinity);
	const isKept = (entry: Known) =>
		next.since === null || entry.time >= next.since || isFollowed(entry, { ...wanted, now });
	return {
		...next,
		known: Object.fromEntries([...known].filter(([, entry]) => isKept(entry))),
		...(wanted.event.isFollowing && { polledAt: wanted.now }),
	};
}

/**
 * The newest credible date. One too far ahead of the service's time is a mistake, and must not move
 * the watermark. `isKnown` tells which uploads were seen before with the same date: such a date
 * counts once it certainly lies in the past, so that a service whose dates are hours ahead does not
 * stop the watermark.
 */
export function newestOf(
	uploads: SeenUpload[],
	now: number,
	isKnown: (upload: SeenUpload) => boolean = () => false,
): number | null {
	let newest: number | null = null;
	for (const upload of uploads) {
		const ahead = upload.isLocal ? MAX_ZONE_DIFFERENCE : HOUR;
		const certain = upload.isLocal ? -MAX_ZONE_DIFFERENCE : 0;
		const limit = now + (isKnown(upload) ? certain : ahead);
		if (upload.time <= limit) newest = later(newest, upload.time);
	}
	return newest;
}

/**
 * The progress after a poll. `newest` is the newest credible date that it processed, `cut` that of
 * the last upload emitted if more were due (otherwise Infinity).
 */
function nextProgress(
	state: Progress,
	{ isWhole, isOldestFirst, order }: Reading,
	poll: { newest: number | null; cut: number; lookback: number; isFirstLook: boolean },
): Progress {
	const { newest, cut, lookback, isFirstLook } = poll;
	const upTo = newest === null ? null : Math.min(newest, cut);
	const watermark = isWhole || isOldestFirst ? later(state.watermark, upTo) : state.watermark;
	const isDone = isWhole && cut === Infinity;
	const isPassComplete = isDone || (watermark ?? -Infinity) > (state.watermark ?? -Infinity);
	const before = isFirstLook ? watermark : state.watermark;
	const previous = isPassComplete ? before : state.previous;
	const since = windowStart({ previous, since: state.since }, lookback) ?? null;
	const isLooking = (isFirstLook && !isWhole) || undefined;
	return { watermark, previous, since, order, isBacklog: !isDone || undefined, isLooking };
}

function later(a: number | null, b: number | null): number | null {
	return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
