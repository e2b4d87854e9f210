/**
 * Reads the part of the upload list that begins at a date. Invariants: the date filter is trusted
 * only to leave out uploads dated well before the window; an order is relied on only once it is
 * proven, and only while what is read is in that order; and the result is complete, or consists of
 * the oldest uploads, or says that it is neither.
 */
import type { UploadList } from './list';
import { PageRun } from './pageRun';
import { MAX_ZONE_DIFFERENCE, type OrderBy, type Progress, type Reading } from './progress';
import type { SeenUpload } from './upload';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/**
 * The service may read the filter in a different zone from that of its records, and may compare
 * only days.
 */
const FILTER_MARGIN = MAX_ZONE_DIFFERENCE + 25 * HOUR;
const ORDERS: readonly OrderBy[] = ['dateAndId', 'date'];

/** Reading newest first ends at this part of a poll's time, so that some is left for oldest first. */
const NEWEST_FIRST = 0.35;
const OLDEST_FIRST = 0.6;
/** What cannot be read in part is read for this long. */
export const WHOLE = 0.75;

export interface ScanRequest extends Pick<Progress, 'mark' | 'order'> {
	/** Where the date filter begins. */
	from: number;
	/** Uploads dated before this do not matter; may depend on the service's time. */
	lower(): number;
	/** Whether to read oldest first from the start, because there is more than one poll can emit. */
	isBacklog: boolean;
	/** Number of uploads known to be in the window. */
	known: number;
	/** How many a poll may emit. */
	maxUploads: number;
	/** Whether these uploads are enough for this poll. */
	isEnough(uploads: SeenUpload[]): boolean;
}

/** Reads uploads dated `lower` or later: newest first, or oldest first if there are many. */
export async function scan(list: UploadList, request: ScanRequest): Promise<Reading> {
	const { lower, order, isEnough } = request;
	if (request.isBacklog && order !== undefined) {
		const reading = await readOldestFirst(list, request, order);
		if (reading !== undefined) return reading;
	}
	const { run, order: proven } = await openNewest(list, request);
	// A page may be in order by chance, so only a proven order says that nothing more is to come.
	const isWhole = () => run.isWholeFrom(proven === undefined ? -Infinity : lower());
	const isDone = () => isWhole() || !run.isOrdered || isEnough(run.uploads);
	if (proven !== undefined) await run.read(NEWEST_FIRST, isDone);
	if (isWhole()) return run.reading(proven, true);
	const isUseful = proven !== undefined && run.isOrdered;
	const oldestFirst = isUseful ? await readOldestFirst(list, request, proven) : undefined;
	return oldestFirst ?? (await readWhole(list, filterFrom(lower())));
}

/** Reads from the newest upload back to a date, which may depend on what has been read. */
export async function scanLatest(
	list: UploadList,
	lower: (uploads: SeenUpload[]) => number,
	known?: OrderBy,
): Promise<Reading> {
	const { run, order } = await openNewest(list, { from: 0, order: known });
	const isWhole = () => run.isWholeFrom(lower(run.uploads));
	if (order !== undefined) await run.read(WHOLE, () => isWhole() || !run.isOrdered);
	if (run.isComplete || (order !== undefined && run.isOrdered))
		return run.reading(run.isOrdered ? order : undefined, isWhole());
	return await readBackwards(list, lower);
}

/**
 * Without an order, the date filter finds the newest uploads: it begins some days ago, and earlier
 * and earlier until what it lets through shows where the newest are.
 */
async function readBackwards(list: UploadList, lower: (uploads: SeenUpload[]) => number) {
	const { serviceTime } = list.client;
	const atLeast = lower([]);
	const begin = Number.isFinite(atLeast) ? atLeast : serviceTime - DAY;
	for (let from = filterFrom(begin), days = 4; ; days *= 4) {
		const reading = await readWhole(list, from);
		const start = filterFrom(lower(reading.uploads));
		if (!reading.isWhole || from <= start || from === 0) return reading;
		from = start > 0 ? start : filterFrom(serviceTime - days * DAY);
	}
}

/** Reads all that the date filter lets through, in whatever order. */
async function readWhole(list: UploadList, from: number): Promise<Reading> {
	const run = new PageRun(list, { from });
	await run.read(WHOLE);
	return run.reading(undefined, run.isComplete);
}

/** The date filter for uploads dated `lower` or later. There were no uploads before 1970. */
export function filterFrom(lower: number): number {
	return Math.max(0, Math.floor(lower) - FILTER_MARGIN);
}

/** Starts reading newest first, in the first order that is honoured; or else in none. */
export async function openNewest(
	list: UploadList,
	{
		from,
		order: known,
		mark = null,
		known: inWindow = 0,
	}: Pick<ScanRequest, 'from' | 'order'> & Partial<ScanRequest>,
): Promise<{ run: PageRun; order?: OrderBy }> {
	let opened: PageRun | undefined;
	for (const by of new Set([...(known ? [known] : []), ...ORDERS])) {
		const run = new PageRun(list, { from, order: { by, isDescending: true } }, inWindow + 1);
		if (!(await run.next())) continue;
		opened = run;
		// It may be the only page, which some services only reveal on the next one.
		if (by !== known && run.count < list.pageSize && !run.isComplete) await run.next();
		if (run.isComplete) return { run, order: run.isOrdered ? known : undefined };
		// A list that begins before the watermark is in another order.
		const isAsKnown = by === known && run.newest >= (mark ?? -Infinity);
		if (run.isOrdered && (isAsKnown || (await isProven(list, run, by)))) return { run, order: by };
	}
	if (opened !== undefined) return { run: opened };
	const run = new PageRun(list, { from });
	// The service's time must be known before anything depends on it.
	await run.next();
	return { run };
}

/**
 * Proves an order: since one page may look ordered by chance, the reverse query must begin
 * elsewhere.
 */
async function isProven(list: UploadList, newest: PageRun, by: OrderBy): Promise<boolean> {
	const oldest = new PageRun(list, { ...newest.query, order: { by, isDescending: false } });
	if (!(await oldest.next()) || !oldest.isOrdered) return false;
	// Of all records: those without a date may be all that a page has.
	const isElsewhere = ({ recordIds: [first = ''] }: PageRun, other: PageRun) =>
		!other.recordIds.includes(first);
	return isElsewhere(newest, oldest) && isElsewhere(oldest, newest);
}

/** Reads oldest first; undefined if the order is not honoured any more. */
async function readOldestFirst(
	list: UploadList,
	{ from, lower, known, maxUploads, isEnough }: ScanRequest,
	by: OrderBy,
): Promise<Reading | undefined> {
	const query = { from, order: { by, isDescending: false } };
	const open = (page: number) => new PageRun(list, query, known + maxUploads, page);
	let run = open(0);
	if (!(await run.next())) return undefined;
	const start = await firstPage(list, run, lower());
	if (start > 0) run = open(start);
	await run.read(OLDEST_FIRST, () => !run.isOrdered || isEnough(run.uploads));
	if (run.isComplete) return run.reading(run.isOrdered ? by : undefined, true);
	return run.isOrdered && run.count > 0 ? run.reading(by, false) : undefined;
}

/**
 * The last page, oldest first, that begins before a date, found by bisection: what the date filter
 * lets through in excess need not be read. It is page 0 unless all that is seen is in order.
 */
async function firstPage(list: UploadList, first: PageRun, lower: number): Promise<number> {
	const hasUse = first.isComplete || first.newest >= lower || first.uploads.length < first.count;
	let [before, beyond, step] = [0, hasUse ? 1 : Infinity, 1];
	let last = first;
	while (beyond - before > 1 && list.timeUsed() < OLDEST_FIRST) {
		const page = beyond === Infinity ? before + step : Math.floor((before + beyond) / 2);
		const run = new PageRun(list, first.query, 0, page);
		await run.next();
		const isInOrder = run.isOrdered && first.isOrdered && run.oldest >= first.newest;
		if (run.count > 0 && (!isInOrder || run.uploads.length < run.count)) return 0;
		// Beyond the end, some services repeat their last page.
		const isBefore = run.oldest < lower && run.uploads[0]?.id !== last.uploads[0]?.id;
		if (isBefore) [last, before, step] = [run, page, step * 2];
		else beyond = page;
	}
	return before;
}
