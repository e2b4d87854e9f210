/** Reads what a poll needs of the list: the first one, or one that continues from the state. */
import { floorOf, isDue, type Wanted } from './cursor';
import { fetchFollowed } from './followed';
import type { UploadList } from './list';
import { newestOf, windowStart, type Reading } from './progress';
import { filterFrom, scan, scanLatest } from './scan';
import { knownOf, type CursorState } from './state';
import type { SeenUpload } from './upload';

/** Maximum number of uploads that a poll looks through, as a multiple of those it may emit. */
const MAX_SCAN_FACTOR = 20;
/** And at least this many, so that a small limit does not delay what matches rarely. */
const MIN_SCANNED = 50_000;

interface Read {
	reading: Reading;
	/** Followed uploads that are older than the window. */
	followed: SeenUpload[];
}

/** Reads everything that is to be taken as it is, so that only what is new later is emitted. */
export async function readFirst(list: UploadList, wanted: Wanted): Promise<Read> {
	const { event, lookback, followFor } = wanted;
	const windowLower = (found: SeenUpload[]) =>
		windowStart({ previous: newestOf(found, wanted.now), since: null }, lookback);
	const reading = await scanLatest(list, (found) => {
		const start = windowLower(found);
		if (!event.isFollowing) return start ?? -Infinity;
		return Math.min(start ?? Infinity, wanted.now - followFor);
	});
	const start = windowLower(reading.uploads) ?? -Infinity;
	if (!reading.isWhole || reading.pages <= 1) return { reading, followed: [] };
	// An upload that slipped from one page to another the first time is found the second time.
	const second = await scanLatest(list, () => start, reading.order);
	const ids = new Set(reading.uploads.map(({ id }) => id));
	const slipped = second.uploads.filter(({ id }) => !ids.has(id));
	return { reading: { ...reading, uploads: [...reading.uploads, ...slipped] }, followed: [] };
}

/** Continues reading the list. */
export async function readOn(list: UploadList, wanted: Wanted, state: CursorState): Promise<Read> {
	const { mark, order, isBacklog = mark === null } = state;
	const reading = await scan(list, {
		...{ mark, order, isBacklog, maxUploads: wanted.maxUploads },
		from: filterFrom(windowStart(state, wanted.lookback) ?? state.startAt ?? 0),
		lower: () => floorOf(state, wanted),
		known: Object.keys(state.known).length,
		isEnough: (found) => isEnough(found, state, wanted),
	});
	return { reading, followed: await fetchFollowed(state, list, reading.uploads, wanted) };
}

/** Whether there is more than a poll may emit, or look through. */
function isEnough(found: SeenUpload[], state: CursorState, wanted: Wanted): boolean {
	const { maxUploads } = wanted;
	if (found.length < maxUploads) return false;
	const floor = floorOf(state, wanted);
	// Known uploads do not count; otherwise a poll would never get past them.
	const unknown = found.filter((upload) => upload.time >= floor && !knownOf(state, upload));
	if (unknown.length >= Math.max(maxUploads * MAX_SCAN_FACTOR, MIN_SCANNED)) return true;
	if (unknown.length < maxUploads) return false;
	return unknown.filter((upload) => isDue(state, upload, wanted)).length >= maxUploads;
}
