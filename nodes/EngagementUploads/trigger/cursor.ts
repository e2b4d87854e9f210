/**
 * Decides what a poll emits, and the state after it: pure functions. Invariants: each occurrence is emitted
 * once; what is due and not emitted stays due; each part of the list lies in the windows of two polls, so
 * that an upload that slips from one page to another is found the second time.
 */
import { HOUR } from '../values/clock';
import type { TriggerSettings } from './settings';
import { findKnown, MAX_AHEAD, type KnownUpload, type State } from './state';
import { byTime, hasEnded, isReadable, type SeenUpload } from './upload';
import { FAR, NEAR, type Reading } from './window';

/** Stands for no date, as one before all others. */
const NONE = -Infinity;

/** An upload to emit, with fields added to its record. */
export interface Emission {
	upload: SeenUpload;
	previousStatus?: string | null;
}

/** What a poll has found. */
export interface Found {
	reading: Reading;
	/** Followed uploads that the window does not contain, and why no more of them were found. */
	followed: { uploads: SeenUpload[]; failure?: unknown };
	/** The service's time. */
	now: number;
}

function isInWindow({ windowStart }: State, { time }: { time: number }): boolean {
	return windowStart === null || time >= windowStart;
}

/** Whether the event has occurred to an upload, and cannot occur again. */
function isSettled({ last }: KnownUpload, { event }: TriggerSettings): boolean {
	return last !== undefined && !event.isRepeating;
}

/**
 * Whether the event may still occur to a known upload: until the look-back has passed since its end, but no
 * longer than Follow For.
 */
export function isFollowed(entry: KnownUpload, settings: TriggerSettings, now: number): boolean {
	const { event, lookback, followFor } = settings;
	if (!event.isFollowing || isSettled(entry, settings)) return false;
	return now <= entry.time + followFor && now <= (entry.end ?? Infinity) + lookback;
}

/** Whether the event may occur to an upload: a new one in the window, or a known one, followed if need be. */
function isRelevant(
	state: State,
	upload: SeenUpload,
	settings: TriggerSettings,
	now: number,
): boolean {
	const { isFollowing } = settings.event;
	const entry = findKnown(state, upload.id);
	if (entry !== undefined) return !isFollowing || isFollowed(entry, settings, now);
	return isInWindow(state, upload) && !(isFollowing && now > upload.time + settings.followFor);
}

/** Whether something new has occurred to an upload, and it matches the filters. */
export function isDue(
	state: State,
	upload: SeenUpload,
	settings: TriggerSettings,
	now: number,
): boolean {
	const { event } = settings;
	const entry = findKnown(state, upload.id);
	const isNeverDue = entry === undefined ? state.needsBaseline : isSettled(entry, settings);
	if (isNeverDue || !isRelevant(state, upload, settings, now)) return false;
	const occurrence = event.occurrence(upload, now, settings);
	return occurrence !== undefined && occurrence !== entry?.last && settings.matches(upload.record);
}

/** What to emit, oldest first and at most `limit` uploads, and the state after that. */
export function advance(
	state: State,
	found: Found,
	settings: TriggerSettings,
	limit: number,
): { emit: Emission[]; next: State } {
	const { reading, followed, now } = found;
	const seen = [...reading.uploads, ...followed.uploads];
	const due = seen.filter((upload) => isDue(state, upload, settings, now)).sort(byTime);
	const emit = due.slice(0, limit);
	const emitted = new Set(emit);
	const deferred = new Set(due.slice(limit));
	const cut = deferred.size > 0 ? (emit.at(-1)?.time ?? NONE) : Infinity;

	const progress = { ...state, ...nextProgress(state, found, settings, cut), polledAt: now };
	const known = new Map(Object.entries(state.known));
	for (const upload of seen) {
		if (deferred.has(upload) || !isRelevant(state, upload, settings, now)) continue;
		const entry = known.get(upload.id);
		const isRecorded = emitted.has(upload) || (entry === undefined && state.needsBaseline);
		if (entry === undefined && !isRecorded && !settings.event.isFollowing) continue;
		known.set(upload.id, remember(upload, entry, isRecorded, state, settings, now));
	}
	// The earlier of two times, so that one wrong `Date` header, far ahead, does not end following.
	const earlier = Math.min(now, state.polledAt ?? Infinity);
	const kept = [...known].filter(
		([, entry]) => isInWindow(progress, entry) || isFollowed(entry, settings, earlier),
	);
	const toEmission = (upload: SeenUpload): Emission => {
		if (!settings.event.isRepeating) return { upload };
		return { upload, previousStatus: findKnown(state, upload.id)?.last ?? null };
	};
	return { emit: emit.map(toEmission), next: { ...progress, known: Object.fromEntries(kept) } };
}

/** What to remember of an upload; `isRecorded` if it is emitted now, or belongs to the baseline. */
function remember(
	upload: SeenUpload,
	entry: KnownUpload | undefined,
	isRecorded: boolean,
	state: State,
	settings: TriggerSettings,
	now: number,
): KnownUpload {
	const { event } = settings;
	const occurrence = event.occurrence(upload, now, settings) ?? entry?.last;
	const last = isRecorded || event.isRepeating ? occurrence : entry?.last;
	// The later date, so that an upload whose date moves back stays known. One that could not be read does not count.
	const earlier = entry !== undefined && isReadable(entry.time) ? entry.time : NONE;
	const time = Math.max(upload.time, earlier);
	if (!event.isFollowing) return { time, last };
	// It ended no later than now, and no earlier than the last poll, which saw it unfinished if at all.
	const ended = Math.max(Math.min(upload.completedAt ?? now, now), state.polledAt ?? 0);
	const { engagementId } = upload;
	return { time, last, engagementId, ...(hasEnded(upload) && { end: entry?.end ?? ended }) };
}

/** How far the list has been read. If more is due than emitted, `cut` is the date of the last one emitted. */
function nextProgress(
	state: State,
	{ reading, now }: Found,
	settings: TriggerSettings,
	cut: number,
): Partial<State> {
	const latest = Math.min(now + MAX_AHEAD, cut);
	const credible = reading.uploads.filter(({ time }) => time <= latest);
	// No later than the service's time, so that dates in the future do not hide what is dated before them.
	const last = state.watermark ?? NONE;
	const reached = credible.reduce(
		(newest, { time }) => Math.max(newest, Math.min(time, now)),
		last,
	);

	// The next window begins one look-back before the previous watermark, or before this one after a baseline;
	// and an hour earlier, since clocks may be set back.
	const hasMoved = reading.isComplete || reached > last;
	const base = Math.min(state.needsBaseline ? reached : last, cut);
	const start = Math.max(
		state.windowStart ?? NONE,
		hasMoved ? base - settings.lookback - HOUR : NONE,
	);
	return {
		watermark: reached === NONE ? null : reached,
		windowStart: start === NONE ? null : start,
		margin: nextMargin(state, start, reading),
		needsBaseline: state.needsBaseline && !reading.isComplete,
	};
}

/**
 * How far before the next window its date filter must begin for the list to start with something older, which
 * proves that the filter leaves out nothing: half an hour before the newest of the older uploads. `delay` is how
 * late this list's filter began, since the service may read it in another zone.
 */
function nextMargin({ windowStart }: State, nextStart: number, reading: Reading): number {
	const { uploads, queryFrom, oldest } = reading;
	const delay = windowStart !== null && oldest < windowStart ? oldest - queryFrom : 0;
	const older = uploads.filter(({ time }) => time < nextStart);
	const newest = older.reduce((latest, { time }) => Math.max(latest, time), NONE);
	return newest === NONE ? FAR : Math.min(nextStart - newest + delay + NEAR, FAR);
}
