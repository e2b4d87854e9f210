/**
 * Decides what to emit, for events that follow uploads. Invariants: nothing is emitted twice for an
 * upload while it is remembered; and a change that is due and not emitted stays due.
 */
import { isFailedStatus } from '../api/uploadStatus';
import type { FollowRule } from './events/event';
import type { Emission, Step, Wanted } from './cursor';
import { firstProgress, isInWindow, nextProgress, type Reading } from './progress';
import { datedFrom, type CursorState, type FollowedUpload } from './state';
import { byTime, seenUpload, statusOf, type SeenUpload } from './upload';

export interface Following extends Omit<Wanted, 'isAfterStart'> {
	rule: FollowRule;
	/** milliseconds */
	followFor: number;
	/** The service's own time, in the form of the times in its records. */
	now: number;
	/** IANA zone of the state's dates. */
	zone: string;
}

/**
 * Whether to follow an upload: until the look-back has passed after it ended, but no longer than
 * Follow For.
 */
export function isFollowed(
	{ time, end }: FollowedUpload,
	{ now, lookback, followFor }: Pick<Following, 'now' | 'lookback' | 'followFor'>,
): boolean {
	return now <= time + followFor && (end === undefined || now <= end + lookback);
}

/** Marks existing uploads as seen, without emitting them. */
export function followBaseline(
	state: CursorState,
	reading: Reading,
	following: Following,
): CursorState {
	const next = firstProgress(state, reading, following.lookback);
	const followed = reading.uploads.map((upload): [string, FollowedUpload] => [
		upload.id,
		entryOf(undefined, upload, following, { polledAt: -Infinity, isHandled: true }),
	]);
	return remembered(next, new Map(followed), new Map(), following);
}

/** The state for another filter: what the old one filtered out is not emitted later. */
export function dismissFailures(state: CursorState, rule: FollowRule): CursorState {
	const entries = Object.entries(state.followed).map(([id, entry]) => [
		id,
		rule.isDue(entry.status, entry) ? { ...entry, isHandled: true } : entry,
	]);
	return { ...state, followed: Object.fromEntries(entries) as CursorState['followed'] };
}

/** Decides what to emit, and what to remember; the uploads in `gone` are no longer listed. */
export function advanceFollowing(
	state: CursorState,
	reading: Reading,
	following: Following,
	gone: readonly string[] = [],
): Step {
	const { rule, lookback } = following;
	const isNew = (upload: SeenUpload) =>
		!Object.hasOwn(state.followed, upload.id) &&
		!Object.hasOwn(state.seen, upload.id) &&
		isInWindow(state, upload, lookback);
	const entryFor = ({ id }: SeenUpload): FollowedUpload | undefined =>
		Object.hasOwn(state.followed, id) ? state.followed[id] : undefined;
	const isWatched = (upload: SeenUpload) => {
		const entry = entryFor(upload);
		return entry === undefined ? isNew(upload) : isFollowed(entry, following);
	};
	const watched = reading.uploads.filter(isWatched);
	const due = watched
		.filter(
			(upload) =>
				rule.isDue(statusOf(upload), entryFor(upload)) &&
				following.matches(upload) &&
				!following.wasExcluded(upload),
		)
		.sort(byTime);
	const emit = due.slice(0, following.maxUploads);
	const cut = due.length > emit.length ? (emit.at(-1)?.time ?? -Infinity) : Infinity;
	const emitted = new Set(emit);
	const postponed = new Set(due.slice(emit.length));

	const followed = new Map(Object.entries(state.followed));
	const reached: SeenUpload[] = [];
	for (const upload of watched) {
		const entry = entryFor(upload);
		if (postponed.has(upload) || (entry === undefined && upload.time > cut)) continue;
		if (entry === undefined) reached.push(upload);
		const isHandled = emitted.has(upload) || following.wasExcluded(upload);
		const polledAt = state.polledAt ?? -Infinity;
		followed.set(upload.id, entryOf(entry, upload, following, { polledAt, isHandled }));
	}
	const next = nextProgress(state, reading, { reached, cut, lookback });
	const seen = new Map(Object.entries(state.seen));
	for (const id of gone) {
		const entry = followed.get(id);
		if (entry !== undefined) seen.set(id, entry.time);
		followed.delete(id);
	}
	const toEmission = (upload: SeenUpload): Emission => ({
		upload,
		...(rule.hasPreviousStatus && { previousStatus: entryFor(upload)?.status ?? null }),
	});
	return { emit: emit.map(toEmission), next: remembered(next, followed, seen, following) };
}

function entryOf(
	entry: FollowedUpload | undefined,
	upload: SeenUpload,
	{ rule, now, zone }: Following,
	{ polledAt, isHandled }: { polledAt: number; isHandled: boolean },
): FollowedUpload {
	const status = statusOf(upload);
	const isOnce = !rule.hasPreviousStatus && rule.isDue(status, undefined);
	const completion = seenUpload(upload.record, 'completionDate', zone)?.time;
	const hasEnded = completion !== undefined || isFailedStatus(status);
	// It cannot have ended before the last poll, nor in the future.
	const ended = Math.min(now, Math.max(completion ?? now, polledAt));
	return {
		time: entry?.time ?? upload.time,
		status,
		...(hasEnded && { end: entry?.end ?? ended }),
		...((entry?.isHandled || (isHandled && isOnce)) && { isHandled: true as const }),
	};
}

/** Remembers followed uploads, and the others within the window, so that none of them looks new. */
function remembered(
	next: CursorState,
	followed: ReadonlyMap<string, FollowedUpload>,
	seen: ReadonlyMap<string, number>,
	following: Following,
): CursorState {
	const entries = [...followed];
	const isKept = ([, entry]: [string, FollowedUpload]) => isFollowed(entry, following);
	const dropped = entries
		.filter((entry) => !isKept(entry))
		.map(([id, { time }]): [string, number] => [id, time]);
	return {
		...next,
		formerFilter: next.isBacklog ? next.formerFilter : undefined,
		followed: Object.fromEntries(entries.filter(isKept)),
		seen: datedFrom([...seen, ...dropped], next.since),
		polledAt: following.now,
	};
}
