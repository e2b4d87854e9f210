/**
 * How far the upload list has been read. Invariants: the watermark never passes an upload that was
 * neither emitted nor filtered out; and each part of the list lies within the windows of at least
 * two passes, so that an upload that slips from one page to another is found the second time.
 */
import { isReadable, type SeenUpload } from './upload';

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

/** Where to continue if there was not enough time to read everything. */
export interface Place {
	page: number;
	size: number;
	/** The value of the date filter. */
	from: number;
	order?: Order;
	/** The watermark when the pass began. */
	mark: number | null;
	/** The newest date read since. */
	newest: number | null;
}

export interface Progress {
	/** The watermark: the newest date processed; null as long as there is none. */
	mark: number | null;
	/** The watermark when the last pass through the list began; the next window begins before it. */
	previous: number | null;
	/** The latest start of a window so far: uploads dated before it are forgotten and not emitted. */
	since: number | null;
	/** Whether dates are stored as instants rather than as local times. */
	isInstant: boolean;
	/** The service sends both instants and local times. */
	isMixed?: boolean;
	/**
	 * The only kind of dates before they were mixed; uploads of this kind are forgotten up to
	 * `since`.
	 */
	unmixed?: { isInstant: boolean; since: number };
	/** The last pass left something unread. */
	isBacklog?: boolean;
	place?: Place;
	/** The order that the service is known to honour. */
	order?: OrderBy;
}

/** The part of the list that was read. */
export interface Reading {
	uploads: SeenUpload[];
	/** Whether the records take more than one page, between which some may have slipped. */
	isPaged?: boolean;
	/** Whether everything from the start of the window was read. */
	isWhole: boolean;
	/** Whether every unread upload is newer than those that were read. */
	isOldestFirst: boolean;
	/** Where to continue if time was up. */
	place?: Pick<Place, 'page' | 'size' | 'from' | 'order'>;
	/** Whether reading started over instead of at the saved place. */
	isRestarted?: boolean;
	order?: OrderBy;
	/** The service's own time, epoch milliseconds. */
	serviceTime: number;
}

/**
 * The earliest date that may still be emitted; undefined as long as no upload has been read. A
 * longer look-back does not extend the window beyond what is remembered.
 */
export function windowStart(
	{ previous, since, isMixed }: Pick<Progress, 'previous' | 'since' | 'isMixed'>,
	lookback: number,
): number | undefined {
	if (previous === null) return since ?? undefined;
	const start = previous - lookback - CLOCK_CHANGE - (isMixed ? MAX_ZONE_DIFFERENCE : 0);
	return Math.max(start, since ?? -Infinity);
}

/** Whether an upload may still be emitted. */
export function isInWindow(
	state: Progress,
	{ time, isInstant }: SeenUpload,
	lookback: number,
): boolean {
	const { unmixed } = state;
	if (unmixed !== undefined && isInstant === unmixed.isInstant && time < unmixed.since)
		return false;
	return time >= (windowStart(state, lookback) ?? -Infinity);
}

/** The state once dates are mixed: nothing of the new kind has been seen yet, whatever the zone. */
export function withMixedDates<P extends Progress>(state: P, wasInstant: boolean): P {
	const { since } = state;
	if (since === null) return { ...state, isMixed: true };
	const unmixed = { isInstant: wasInstant, since };
	return { ...state, isMixed: true, unmixed, since: since - MAX_ZONE_DIFFERENCE };
}

/**
 * Whether a date is credible: one too far ahead of the service's time is a mistake, and does not
 * move the watermark.
 */
export function isCredible({ time, isInstant }: SeenUpload, serviceTime: number): boolean {
	return time <= serviceTime + (isInstant ? HOUR : MAX_ZONE_DIFFERENCE);
}

/** The newest credible date. */
export function newestOf(uploads: SeenUpload[], serviceTime: number): number | null {
	let newest: number | null = null;
	for (const upload of uploads)
		if (isCredible(upload, serviceTime)) newest = later(newest, upload.time);
	return newest;
}

/**
 * The progress after a poll. `reached` are the uploads that it processed; `cut` is the date of the
 * last one emitted if more were due (otherwise Infinity).
 */
export function nextProgress<P extends Progress>(
	state: P,
	reading: Reading,
	{ reached, cut, lookback }: { reached: SeenUpload[]; cut: number; lookback: number },
): P {
	const place = reading.isRestarted ? undefined : state.place;
	const begun = place === undefined ? state.mark : place.mark;
	const newest = later(newestOf(reached, reading.serviceTime), place?.newest ?? null);
	const isKnownUpTo = reading.isWhole || reading.isOldestFirst;
	const upTo = newest === null ? null : Math.min(newest, cut);
	const mark = isKnownUpTo ? later(state.mark, upTo) : state.mark;
	const isCut = cut < Infinity;
	const isDone = reading.isWhole && !isCut;
	const isPassComplete = isDone || (mark !== null && mark > (begun ?? -Infinity));
	const next: P = {
		...state,
		mark,
		previous: isPassComplete ? begun : state.previous,
		isBacklog: !isDone || undefined,
		order: reading.order ?? state.order,
		place: isPassComplete
			? undefined
			: !isCut && reading.place !== undefined
				? { ...reading.place, mark: begun, newest }
				: place,
	};
	const since = windowStart(next, lookback) ?? null;
	const isUnmixed = state.unmixed !== undefined && (since ?? 0) < state.unmixed.since;
	return { ...next, since, unmixed: isUnmixed ? state.unmixed : undefined };
}

/** The progress after the first poll; uploads that it had no time to read are skipped. */
export function firstProgress<P extends Progress>(state: P, reading: Reading, lookback: number): P {
	const mark = newestOf(reading.uploads, reading.serviceTime);
	const oldest = reading.uploads.reduce((least, { time }) => Math.min(least, time), Infinity);
	const since = reading.isWhole || oldest === Infinity ? null : oldest;
	const next = { ...state, mark, previous: mark, since, order: reading.order ?? state.order };
	return { ...next, since: windowStart(next, lookback) ?? null };
}

/**
 * The progress with dates as instants from now on; `toInstant` converts a local time in the
 * credential's zone.
 */
export function withInstants<P extends Progress>(state: P, toInstant: (time: number) => number): P {
	const convert = (time: number | null) => (time === null ? null : instantIn(time, toInstant));
	return {
		...state,
		isInstant: true,
		place: undefined,
		mark: convert(state.mark),
		previous: convert(state.previous),
		since: convert(state.since),
	};
}

export function instantIn(time: number, toInstant: (time: number) => number): number {
	return isReadable(time) ? toInstant(time) : time;
}

function later(a: number | null, b: number | null): number | null {
	return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
