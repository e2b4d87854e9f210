/**
 * Reads the part of the upload list that begins at a date. Invariants: the date filter is trusted
 * only to leave out uploads dated well before the window; an order is relied on only once it is
 * proven; and the result is complete, or consists of the oldest uploads, or says where to continue.
 */
import { PageRun, type ListQuery, type UploadList } from './pageRun';
import { MAX_ZONE_DIFFERENCE, type OrderBy, type Place, type Reading } from './progress';
import type { SeenUpload } from './upload';

const HOUR = 3_600_000;
/**
 * The service may read the filter in a different zone from that of its records, and may compare
 * only days.
 */
export const FILTER_MARGIN = MAX_ZONE_DIFFERENCE + 25 * HOUR;
const ORDERS: readonly OrderBy[] = ['dateAndId', 'date'];

export interface ScanRequest {
	/** Uploads dated before this do not matter. */
	lower: number;
	/** The order that the service is known to honour. */
	order?: OrderBy;
	place?: Place;
	isMixed?: boolean;
	/** Whether to read oldest first from the start, because there is more than one poll can emit. */
	isBacklog: boolean;
	/** Expected number of uploads: those known within the window, and those that may be emitted. */
	expected: number;
	/** Whether these uploads are enough for this poll. */
	isEnough(uploads: SeenUpload[]): boolean;
	/** Whether time is up. */
	isTimeUp(): boolean;
}

/** Reads uploads dated `lower` or later: newest first, or oldest first if there are many. */
export async function scan(list: UploadList, request: ScanRequest): Promise<Reading> {
	const { place, lower, isMixed } = request;
	const from = filterFrom(lower);
	if (place !== undefined && place.from === from && place.size === list.pageSize) {
		const run = new PageRun(list, { ...place, isMixed }, place.page);
		const reading = await continueReading(run, request);
		if (run.hasBegun) return reading;
	}
	return { ...(await scanFromStart(list, request, from)), isRestarted: true };
}

async function scanFromStart(
	list: UploadList,
	request: ScanRequest,
	from: number,
): Promise<Reading> {
	const { isBacklog, lower, expected, isTimeUp } = request;
	const oldestFirst =
		isBacklog && request.order && (await readOldestFirst(list, request, request.order));
	if (oldestFirst) return oldestFirst;
	const { run, order, oldest } = await openNewest(list, from, request);
	if (order === undefined) return await continueReading(run, request);
	// No time for another page: the page that proved the order is the oldest one, so the next poll
	// continues from there.
	if (oldest && isTimeUp() && !run.isWholeFrom(lower))
		return { ...(await continueReading(oldest, request)), order };
	const isTooMuch = () => isBacklog || run.uploads.length > expected + list.pageSize;
	const isDone = () => run.isWholeFrom(lower) || isTooMuch() || !run.isOrdered;
	await run.read(isDone, { isTimeUp, expected: () => expected });
	if (run.isWholeFrom(lower)) return { ...run.reading, isWhole: true, order };
	const ordered = run.isOrdered && (await readOldestFirst(list, request, order));
	return ordered || (await continueReading(run, request));
}

export interface NewestRequest extends Pick<ScanRequest, 'order' | 'isMixed' | 'isTimeUp'> {
	/** Uploads dated before this do not matter; may depend on what has been read. */
	lower(uploads: SeenUpload[]): number;
	/** Where the date filter begins, in the form of `lower`. */
	filterLower: number;
	isEnough?(uploads: SeenUpload[], isOrdered: boolean): boolean;
	/** Maximum number of records to scan. */
	maxRecords?: number;
}

/** Reads from the newest upload back to a date, or everything if no order is honoured. */
export async function scanNewest(list: UploadList, request: NewestRequest): Promise<Reading> {
	const { maxRecords = Infinity, isTimeUp, isEnough = () => false } = request;
	const { run, order } = await openNewest(list, filterFrom(request.filterLower), request);
	const isOrdered = () => order !== undefined && run.isOrdered;
	const isWhole = () =>
		isOrdered() ? run.isWholeFrom(request.lower(run.uploads)) : run.isComplete;
	const isDone = () =>
		isWhole() || run.records.length >= maxRecords || isEnough(run.uploads, isOrdered());
	// Doubles the number of pages each round, since their total is unknown.
	const expected = () => Math.min(2 * run.records.length, maxRecords);
	await run.read(isDone, { isTimeUp, expected });
	return { ...run.reading, isWhole: isWhole(), order: isOrdered() ? order : undefined };
}

/** The date filter for uploads dated `lower` or later. There were no uploads before 1970. */
export function filterFrom(lower: number): number {
	return Math.max(0, Math.floor(lower) - FILTER_MARGIN);
}

/**
 * Starts reading newest first, in the first order that is honoured, or else in the service's own.
 */
async function openNewest(
	list: UploadList,
	from: number,
	{ order: known, isMixed, isTimeUp }: Pick<ScanRequest, 'order' | 'isMixed' | 'isTimeUp'>,
): Promise<{ run: PageRun; order?: OrderBy; oldest?: PageRun }> {
	let run: PageRun | undefined;
	for (const by of new Set([...(known ? [known] : []), ...ORDERS])) {
		const newest = new PageRun(list, { from, order: { by, isDescending: true }, isMixed });
		if (!(await newest.next())) continue;
		// It may be the only page, which some services only reveal on the next one.
		if (by !== known && newest.records.length < list.pageSize) await newest.next();
		if (newest.isComplete || by === known) return { run: newest, order: known };
		if (isTimeUp()) return { run: newest };
		const oldest = await proofOf(list, newest, isTimeUp);
		if (oldest !== undefined) return { run: newest, order: by, oldest };
		if (isTimeUp()) return { run: newest };
		run = newest;
	}
	return { run: run ?? new PageRun(list, { from }) };
}

/**
 * Proves an order: since one page may look ordered by chance, the reverse query must begin
 * elsewhere. Returns that query, or undefined if there is no proof in time.
 */
async function proofOf(
	list: UploadList,
	newest: PageRun,
	isTimeUp: () => boolean,
): Promise<PageRun | undefined> {
	const { order } = newest.query;
	const oldest = new PageRun(list, {
		...newest.query,
		order: order && { ...order, isDescending: false },
	});
	try {
		if (!(await oldest.next()) || !newest.isOrdered || !oldest.isOrdered) return undefined;
	} catch (error) {
		if (isTimeUp()) return undefined;
		await Promise.reject(error);
	}
	const isElsewhere = ([first]: PageRun['records'], run: PageRun) =>
		run.records.every(({ uploadId }) => uploadId !== first?.uploadId);
	const isProven = isElsewhere(newest.records, oldest) && isElsewhere(oldest.records, newest);
	return isProven ? oldest : undefined;
}

/** Reads oldest first from the first page that matters; undefined if the order is now rejected. */
async function readOldestFirst(
	list: UploadList,
	request: ScanRequest,
	by: OrderBy,
): Promise<Reading | undefined> {
	const { lower, isMixed, isTimeUp } = request;
	const query = { from: filterFrom(lower), order: { by, isDescending: false }, isMixed };
	const run = await firstPageFrom(list, query, lower, isTimeUp);
	const reading = await continueReading(run, request);
	return run.hasBegun ? { ...reading, order: by } : undefined;
}

/** Continues as far as time allows: until there is enough if oldest first, otherwise to the end. */
async function continueReading(run: PageRun, request: ScanRequest): Promise<Reading> {
	const isOldestFirst = () => run.isOrdered && run.query.order?.isDescending === false;
	const isEnough = () => isOldestFirst() && request.isEnough(run.uploads);
	let more = run.pageSize;
	const expected = () => {
		if (!isOldestFirst()) return Infinity;
		const read = run.uploads.length;
		return read < request.expected ? request.expected + run.pageSize : read + (more *= 2);
	};
	await run.read(isEnough, { isTimeUp: request.isTimeUp, expected });
	const isStopped = run.isComplete || isEnough();
	return {
		...run.reading,
		...{ isWhole: run.isComplete, isOldestFirst: isOldestFirst(), order: request.order },
		...(!isStopped && { place: run.place }),
	};
}

/**
 * A run from the last page that begins before a date, found by bisection; if time is up, from the
 * last one found, which need not be read again.
 */
async function firstPageFrom(
	list: UploadList,
	query: ListQuery,
	lower: number,
	isTimeUp: () => boolean,
): Promise<PageRun> {
	let found = new PageRun(list, query);
	let [before, beyond, step] = [0, query.from === 0 ? 1 : Infinity, 1];
	let lastId: string | undefined;
	while (beyond - before > 1 && !isTimeUp()) {
		const page = beyond === Infinity ? before + step : Math.floor((before + beyond) / 2);
		const run = new PageRun(list, query, page);
		await run.next();
		const [first] = run.uploads;
		// Uploads without the date may be anywhere in a list that ignores the filter.
		if (run.uploads.length < run.records.length) return new PageRun(list, query);
		// Beyond the end, some services repeat their last page.
		const isBefore = first !== undefined && first.time < lower && first.id !== lastId;
		if (isBefore) [found, before, step, lastId] = [run, page, step * 2, first.id];
		else beyond = page;
	}
	return isTimeUp() ? found : new PageRun(list, query, before);
}
