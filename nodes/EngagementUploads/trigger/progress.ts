/**
 * How far the upload list has been read. Invariants: the watermark never passes an upload that was
 * neither emitted nor filtered out; and each part of the list lies within the windows of at least
 * two passes, so that an upload that slips from one page to another is found the second time.
 */
import type { SeenUpload } from './upload';

const HOUR = 3_600_000;
/** A clock set back an hour at the end of summer time must not move an upload out of the window. */
const CLOCK_CHANGE = HOUR;
/** Time zones differ by up to 26 hours. */
export const MAX_ZONE_DIFFERENCE = 26 * HOUR;

/** Ways to sort the list by date; with the ID, equal dates keep their order. */
export type OrderBy = 'dateAndId' | 'date';

export interface Order {
	by: OrderBy;
	isDescending: boolean;
}

export interface Progress {
	/** The newest date processed; null as long as there is none. */
	watermark: number | null;
	/** The watermark when the last pass through the list began; the next window begins before it. */
	previous: number | null;
	/** The latest start of a window so far: uploads dated before it are forgotten and not emitted. */
	since: number | null;
	/** The last pass left something unread, or not emitted. */
	isBacklog?: boolean;
	/** The order that the service is known to honour. */
	order?: OrderBy;
}

/** The part of the list that was read. */
export interface Reading {
	uploads: SeenUpload[];
	/** Number of pages read. */
	pages: number;
	/** Whether everything from the start of the window was read. */
	isWhole: boolean;
	/** Whether every unread upload is newer than those that were read. */
	isOldestFirst: boolean;
	order?: OrderBy;
	/** What kept it from reading more. */
	failure?: unknown;
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
export function nextProgress(
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
	return { watermark, previous, since, order, isBacklog: !isDone || undefined };
}

function later(a: number | null, b: number | null): number | null {
	return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
