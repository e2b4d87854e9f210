/**
 * Reads the part of the upload list that a poll needs. Invariants: the date filter is trusted only
 * to leave out uploads dated well before the window; an order is relied on only once it is proven,
 * and only while what is read is in that order; and the result is complete, or consists of the
 * oldest uploads, or says that it is neither.
 */
import { floorOf, isDue, type Wanted } from './cursor';
import { PARTS } from './occasion';
import { PageRun, type Reading, type UploadList } from './list';
import { knownOf, type CursorState, type OrderBy } from './state';
import { MAX_ZONE_DIFFERENCE, type SeenUpload } from './upload';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/**
 * The service may read the filter in a different zone from that of its records, and may compare
 * only days.
 */
const FILTER_MARGIN = MAX_ZONE_DIFFERENCE + 25 * HOUR;
/** A filter that is this much earlier begins before the window, if it is in the zone of the records. */
const NEAR = 2 * HOUR;
const ORDERS: readonly OrderBy[] = ['dateAndId', 'date'];

/** After this many pages beyond the watermark, newest first, there is a backlog. */
const PAGES_OF_BACKLOG = 2;
/** Maximum number of uploads that a poll looks through, as a multiple of those it may emit. */
const MAX_SCAN_FACTOR = 20;
/** And at least this many, so that a small limit does not delay what matches rarely. */
const MIN_SCANNED = 50_000;

/** Reads what a poll needs of the list. */
export async function readUploads(
	list: UploadList,
	state: CursorState,
	wanted: Wanted,
): Promise<Reading> {
	const reading = await new Scan(list, state, wanted).run();
	const isBeginning = wanted.isFirstLook && state.watermark === null;
	if (!isBeginning || !reading.isWhole || reading.pages <= 1) return reading;
	// An upload that slipped from one page to another the first time, and would look new later, is
	// found the second time. What was found before counts as it was: changes since then are news.
	const again = { ...state, order: reading.order, isBacklog: false };
	const second = await new Scan(list, again, wanted).run();
	const uploads = new Map([...second.uploads, ...reading.uploads].map((each) => [each.id, each]));
	return { ...reading, uploads: [...uploads.values()] };
}

class Scan {
	/** Where the date filter begins. */
	private readonly from: number;
	/** Whether there is more than a poll may emit, or follow, as far as is known. */
	private readonly isBacklog: boolean;

	constructor(
		private readonly list: UploadList,
		private readonly state: CursorState,
		private readonly wanted: Wanted,
	) {
		const { isFirstLook, event } = wanted;
		// The first look only needs the latest uploads, unless they are followed.
		const isNeeded = !isFirstLook || event.isFollowing === true;
		this.isBacklog = state.isBacklog === true && isNeeded;
		// The service has not told its time yet.
		this.from = filterFrom(this.lowerAt(state.polledAt ?? -Infinity));
	}

	/** Reads all that matters: newest first, or oldest first if there is more than a poll can emit. */
	async run(): Promise<Reading> {
		const { order, polledAt = -Infinity } = this.state;
		if (this.isBacklog && order !== undefined) {
			const reading = await this.readOldestFirst(order, this.lowerAt(polledAt));
			if (reading !== undefined) return reading;
		}
		return await this.readFromNewest();
	}

	private async readFromNewest(): Promise<Reading> {
		const { list, from, state, expected, isBacklog, wanted } = this;
		// What a first look meets is not known, and small pages may be too many.
		const isLarge = isBacklog || wanted.isFirstLook;
		const pageSize = list.pageSizeFor(isLarge ? Infinity : expected);
		const { run, order: proven } = await openNewest(list, { from, state, expected, pageSize });
		// What the first look does not read would be new later. Where forms of dates are mixed, a local
		// time that the end of summer time repeats may be read an hour before what follows it.
		const spare = wanted.isFirstLook ? HOUR : 0;
		// A page may be in order by chance, so only a proven order says that nothing more is to come.
		const isWhole = () => {
			const isInOrder = proven !== undefined && run.isOrdered;
			return run.isComplete || (isInOrder && run.oldest < this.lower(run.uploads) - spare);
		};
		const isDone = () => isWhole() || !run.isOrdered || this.isBacklogAfter(run);
		const isLatestOnly = wanted.isFirstLook && !isBacklog;
		if (proven !== undefined)
			await run.read(isLatestOnly ? PARTS.whole : PARTS.newestFirst, isDone);
		const by = run.isOrdered ? proven : undefined;
		// For the latest uploads alone, reading oldest first is of no use.
		if (isWhole() || (isLatestOnly && by)) return run.reading(proven, isWhole());
		const oldestFirst = by && (await this.readOldestFirst(by, this.lower(run.uploads)));
		return oldestFirst ?? (await this.readWhole());
	}

	/** Reads oldest first; undefined if the order is not honoured any more. */
	private async readOldestFirst(by: OrderBy, lower: number): Promise<Reading | undefined> {
		const run = await this.openOldest(by, lower);
		if (run === undefined) return undefined;
		const isEnough = this.enoughIn(run.uploads);
		await run.read(PARTS.oldestFirst, () => !run.isOrdered || isEnough());
		if (run.isComplete) return run.reading(by, true);
		return run.isOrdered && run.count > 0 ? run.reading(by, false) : undefined;
	}

	/**
	 * Starts reading oldest first, as close to the window as the date filter allows: if its first
	 * upload is dated before the window, it lets all of the window through, whatever its zone.
	 */
	private async openOldest(by: OrderBy, lower: number): Promise<PageRun | undefined> {
		const { list, wanted } = this;
		const from = filterFrom(lower);
		const order = { by, isDescending: false };
		const expected = this.expected + wanted.maxUploadsPerPoll;
		const near = new PageRun(list, { from: Math.max(from, lower - NEAR), order }, expected);
		if (!(await near.next())) return undefined;
		if (near.query.from === from || (near.isOrdered && near.oldest < lower)) return near;
		const far = new PageRun(list, { from, order }, expected);
		return (await far.next()) ? far : undefined;
	}

	/**
	 * Reads all that the date filter lets through, in whatever order. At the first look, the filter
	 * begins some days ago, and earlier and earlier until the newest uploads are found.
	 */
	private async readWhole(): Promise<Reading> {
		const { serviceTime } = this.list.client;
		let from = filterFrom(this.lower([]));
		if (this.wanted.isFirstLook && from === 0) from = filterFrom(serviceTime - DAY);
		for (let days = 4; ; days *= 4) {
			const run = new PageRun(this.list, { from });
			await run.read(PARTS.whole);
			const start = filterFrom(this.lower(run.uploads));
			if (!run.isComplete || from <= start) return run.reading(undefined, run.isComplete);
			from = start > 0 ? start : filterFrom(serviceTime - days * DAY);
		}
	}

	/** How many uploads are known to be in the window; followed ones may be older. */
	private get expected(): number {
		const lower = this.lower([]);
		return Object.values(this.state.known).filter(({ time }) => time >= lower).length;
	}

	/** Uploads dated before this do not matter; may depend on the service's time. */
	private lower(read: SeenUpload[]): number {
		return floorOf(this.state, this.wanted, read);
	}

	/** The same, calculated with `now` before the service has sent its time, which is known to be later. */
	private lowerAt(now: number): number {
		return floorOf(this.state, { ...this.wanted, now: Math.min(now, this.wanted.now) }, []);
	}

	/** Whether what was read newest first has not reached the watermark, or is enough of a first look. */
	private isBacklogAfter({ pages, count, oldest }: PageRun): boolean {
		const { isFirstLook, maxUploadsPerPoll } = this.wanted;
		if (isFirstLook) return this.isBacklog && count >= maxUploadsPerPoll;
		return pages >= PAGES_OF_BACKLOG && oldest > (this.state.watermark ?? -Infinity);
	}

	/** Tells whether there is as much among the uploads, to which more are added, as a poll may emit. */
	private enoughIn(uploads: SeenUpload[]): () => boolean {
		const { state, wanted } = this;
		const { maxUploadsPerPoll: most } = wanted;
		const lower = this.lower([]);
		let [checked, unknown, due] = [0, 0, 0];
		return () => {
			if (wanted.isFirstLook) return false;
			for (; checked < uploads.length; checked++) {
				const upload = uploads[checked] as SeenUpload;
				// Known uploads do not count; otherwise a poll would never get past them.
				if (upload.time < lower || knownOf(state, upload)) continue;
				unknown++;
				if (isDue(state, upload, wanted)) due++;
			}
			return due >= most || unknown >= Math.max(most * MAX_SCAN_FACTOR, MIN_SCANNED);
		};
	}
}

/** The date filter for uploads dated `lower` or later. There were no uploads before 1970. */
export function filterFrom(lower: number): number {
	return Math.max(0, Math.floor(lower) - FILTER_MARGIN);
}

/** How the list is read newest first: where the date filter begins, and what is expected. */
interface NewestFirst {
	from: number;
	state?: Pick<CursorState, 'order' | 'watermark'>;
	expected?: number;
	pageSize: number;
}

/** Starts reading newest first, in the first order that is honoured; or else in none. */
export async function openNewest(
	list: UploadList,
	{ from, state, expected = 0, pageSize }: NewestFirst,
): Promise<{ run: PageRun; order?: OrderBy }> {
	const known = state?.order;
	let opened: PageRun | undefined;
	for (const by of new Set([...(known ? [known] : []), ...ORDERS])) {
		const order = { by, isDescending: true };
		const run = new PageRun(list, { from, order }, expected + 1, pageSize);
		if (!(await run.next())) continue;
		opened = run;
		// It may be the only page, which some services only reveal on the next one.
		if (by !== known && run.count < pageSize && !run.isComplete) await run.next();
		if (run.isComplete) return { run, order: known };
		// A list that begins before the watermark is in another order.
		const isAsKnown = by === known && run.newest >= (state?.watermark ?? -Infinity);
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
	const query = { ...newest.query, order: { by, isDescending: false } };
	const oldest = new PageRun(list, query, 0, newest.pageSize);
	if (!(await oldest.next()) || !oldest.isOrdered) return false;
	// Of all records: those without a date may be all that a page has.
	const isElsewhere = ({ recordIds: [first = ''] }: PageRun, other: PageRun) =>
		!other.recordIds.includes(first);
	return isElsewhere(newest, oldest) && isElsewhere(oldest, newest);
}
