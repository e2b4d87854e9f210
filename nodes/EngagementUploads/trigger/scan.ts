/**
 * Reads the upload list from a date on. Invariants: the date filter is trusted only to leave out
 * what is dated well before the window; an order counts only once it is proven; and the result is
 * whole, or consists of the oldest uploads, or says where to continue.
 */
import type { IDataObject } from 'n8n-workflow';
import { upload as uploadKind } from '../api/records';
import type { RecordPage } from '../transport/answers';
import { PageReader } from '../transport/pageReader';
import { WIDEST_ZONES, type Order, type OrderBy, type Place, type Reading } from './progress';
import { isReadable, type SeenUpload } from './upload';

const HOUR = 3_600_000;
/**
 * The service may read the filter in a different zone from the one it prints, and may only compare
 * days.
 */
export const FILTER_MARGIN = WIDEST_ZONES + 25 * HOUR;
/**
 * Printed dates of a sorted list may go backwards, since clocks are set back and zones may be
 * mixed.
 */
const DISORDER = HOUR;
const ORDERS: readonly OrderBy[] = ['dateAndId', 'date'];

export interface UploadQuery {
	/** As `SeenUpload.time`. */
	from: number;
	page: number;
	order?: Order;
}

/** The upload list of the service. */
export interface UploadList {
	readonly pageSize: number;
	/** Maximum number of pages in flight. */
	readonly parallel: number;
	/** The service's own time at its last response, in epoch milliseconds. */
	readonly serviceTime: number;
	ask(query: UploadQuery): Promise<RecordPage>;
	/** Whether an error means that the service rejects an order. */
	isRefusedOrder(error: unknown): boolean;
	/** Undefined for a record without the date. */
	read(record: IDataObject): SeenUpload | undefined;
}

export interface ScanRequest {
	/** Uploads dated before this do not matter. */
	lower: number;
	/** The order that the service is known to honour. */
	order?: OrderBy;
	place?: Place;
	isMixed?: boolean;
	/**
	 * Whether to read oldest first from the start, because there is more than one poll can emit.
	 */
	isBacklog: boolean;
	/** Expected number of uploads: those known within the window, and those that may be emitted. */
	expected: number;
	/** Whether these uploads are enough for this poll. */
	isEnough(uploads: SeenUpload[]): boolean;
	/** Whether time is up. */
	isOver(): boolean;
}

/** Reads uploads dated from `lower` on: newest first, or oldest first if there are many. */
export async function scan(list: UploadList, request: ScanRequest): Promise<Reading> {
	const from = filterFrom(request.lower);
	const { place, isMixed } = request;
	if (place !== undefined && place.from === from && place.size === list.pageSize) {
		const run = new PageRun(list, { ...place, isMixed }, place.page);
		const reading = await readToEnd(run, request);
		if (run.hasBegun) return reading;
	}
	return { ...(await scanAnew(list, request, from)), isRestarted: true };
}

async function scanAnew(list: UploadList, request: ScanRequest, from: number): Promise<Reading> {
	if (request.isBacklog && request.order !== undefined) {
		const reading = await readOldestFirst(list, request, request.order);
		if (reading !== undefined) return reading;
	}
	const { run, order } = await openNewest(list, from, request);
	if (order === undefined) return await readToEnd(run, request);
	while (!run.isWholeFrom(request.lower)) {
		const isMuch = request.isBacklog || run.uploads.length > request.expected + list.pageSize;
		if (isMuch || request.isOver() || !run.isOrdered) break;
		if (!(await run.attempt(request.expected, request.isOver))) break;
	}
	if (!run.isOrdered) return await readToEnd(run, request);
	if (run.isWholeFrom(request.lower)) return run.reading({ isWhole: true, order });
	return (await readOldestFirst(list, request, order)) ?? (await readToEnd(run, request));
}

export interface NewestRequest extends Pick<ScanRequest, 'order' | 'isMixed' | 'isOver'> {
	/** Uploads dated before this do not matter; it may depend on what was read. */
	lower(uploads: SeenUpload[]): number;
	/** The date filter, like `lower`. */
	filterLower: number;
	isEnough?(uploads: SeenUpload[], isOrdered: boolean): boolean;
	/** Maximum number of records to look through. */
	most?: number;
}

/** Reads from the newest upload back to a date, or everything if no order is honoured. */
export async function scanNewest(list: UploadList, request: NewestRequest): Promise<Reading> {
	const { run, order } = await openNewest(list, filterFrom(request.filterLower), request);
	const isOrdered = () => order !== undefined && run.isOrdered;
	const isWhole = () =>
		isOrdered() ? run.isWholeFrom(request.lower(run.uploads)) : run.isComplete;
	const { most = Infinity } = request;
	const isEnough = () =>
		run.records.length >= most || request.isEnough?.(run.uploads, isOrdered()) === true;
	for (let width = 1; !isWhole() && !isEnough() && !request.isOver(); width *= 2) {
		const expected = Math.min(width * list.pageSize + run.records.length, most);
		if (!(await run.attempt(expected, request.isOver))) break;
	}
	return run.reading({ isWhole: isWhole(), order: isOrdered() ? order : undefined });
}

/** The date filter for uploads dated from `lower` on. There were no uploads before 1970. */
export function filterFrom(lower: number): number {
	return Math.max(0, Math.floor(lower) - FILTER_MARGIN);
}

/**
 * The first page, newest first in the first order that is honoured, or else as the service lists
 * it.
 */
async function openNewest(
	list: UploadList,
	from: number,
	{ order: known, isMixed }: Pick<ScanRequest, 'order' | 'isMixed'>,
): Promise<{ run: PageRun; order?: OrderBy }> {
	let unproven: PageRun | undefined;
	for (const by of known === undefined ? ORDERS : [known, ...ORDERS.filter((o) => o !== known)]) {
		const run = new PageRun(list, { from, order: { by, isDescending: true }, isMixed });
		if (!(await run.next())) continue;
		// It may be the only page, which some services only reveal on the next one.
		if (by !== known && run.records.length < list.pageSize && !run.isComplete) await run.next();
		if (run.isComplete || by === known) return { run, order: known };
		if (await isProven(list, run)) return { run, order: by };
		unproven = run;
	}
	if (unproven !== undefined) return { run: unproven };
	const run = new PageRun(list, { from });
	await run.next();
	return { run };
}

/** One page may look ordered by chance: the reverse query must begin elsewhere. */
async function isProven(list: UploadList, newest: PageRun): Promise<boolean> {
	const { from, order, isMixed } = newest.query;
	if (order === undefined) return false;
	const reverse = { ...order, isDescending: !order.isDescending };
	const oldest = new PageRun(list, { from, order: reverse, isMixed });
	if (!(await oldest.next()) || !newest.isOrdered || !oldest.isOrdered) return false;
	const [first] = newest.records;
	const [last] = oldest.records;
	const isElsewhere = (id: unknown, run: PageRun) =>
		run.records.every(({ uploadId }) => uploadId !== id);
	return isElsewhere(first?.uploadId, oldest) && isElsewhere(last?.uploadId, newest);
}

/** Reads oldest first from the first page that matters; undefined if the order is now rejected. */
async function readOldestFirst(
	list: UploadList,
	request: ScanRequest,
	by: OrderBy,
): Promise<Reading | undefined> {
	const { lower, isMixed } = request;
	const query = { from: filterFrom(lower), order: { by, isDescending: false }, isMixed };
	const first = await firstPageFrom(list, query, lower, request.isOver);
	const run = new PageRun(list, query, first);
	const reading = await readToEnd(run, request);
	return run.hasBegun ? { ...reading, order: by } : undefined;
}

/**
 * Continues reading: oldest first until there is enough, otherwise to the end; as far as time
 * allows.
 */
async function readToEnd(run: PageRun, request: ScanRequest): Promise<Reading> {
	const isOldestFirst = () => run.isOrdered && run.query.order?.isDescending === false;
	const isEnough = () => isOldestFirst() && request.isEnough(run.uploads);
	while (!run.isComplete && !isEnough() && !(run.hasBegun && request.isOver())) {
		const isLikely = isOldestFirst() && run.uploads.length < request.expected;
		if (!(await run.attempt(isLikely ? request.expected : Infinity, request.isOver))) break;
	}
	return {
		...run.reading({ isWhole: run.isComplete, order: request.order }),
		isOldestFirst: isOldestFirst(),
		place: run.isComplete || isEnough() ? undefined : run.place,
	};
}

/** The last page that begins before a date, found by bisection. */
async function firstPageFrom(
	list: UploadList,
	query: Omit<UploadQuery, 'page'>,
	lower: number,
	isOver: () => boolean,
): Promise<number> {
	if (query.from === 0) return 0;
	let startsUndated: boolean | undefined;
	const probe = async (page: number) => {
		const run = new PageRun(list, query, page);
		await run.next();
		const { records } = run;
		const dated = records.map((record) => list.read(record));
		const first = dated.find((upload) => upload !== undefined);
		return { first, isUndated: records.length > 0 && dated[0] === undefined };
	};
	let previousId: string | undefined;
	const isBefore = async (page: number): Promise<boolean> => {
		const { first, isUndated } = await probe(page);
		// Beyond the end, some services repeat their last page.
		if (first !== undefined && first.id === previousId) return false;
		if (first !== undefined) previousId = first.id;
		if (first === undefined && isUndated) {
			startsUndated ??= (await probe(0)).isUndated;
			return startsUndated;
		}
		return first !== undefined && first.time < lower;
	};
	let [before, step] = [0, 1];
	while (!isOver() && (await isBefore(before + step))) [before, step] = [before + step, step * 2];
	let beyond = before + step;
	while (beyond - before > 1 && !isOver()) {
		const middle = Math.floor((before + beyond) / 2);
		if (await isBefore(middle)) before = middle;
		else beyond = middle;
	}
	return before;
}

/** Reads the pages of the list in one order, starting at a page. */
class PageRun {
	readonly uploads: SeenUpload[] = [];
	isOrdered = true;
	hasBegun = false;
	private readonly reader: PageReader;
	private totalPages: number | undefined;
	private taken = 0;
	private newest = -Infinity;
	private oldest = Infinity;

	constructor(
		private readonly list: UploadList,
		readonly query: Omit<UploadQuery, 'page'> & { isMixed?: boolean },
		private page = 0,
	) {
		this.reader = new PageReader({ kind: uploadKind, pageSize: list.pageSize, parallel: 1 });
	}

	get isComplete(): boolean {
		return this.reader.complete;
	}

	get records(): readonly IDataObject[] {
		return this.reader.records;
	}

	get place(): Reading['place'] {
		const { from, order } = this.query;
		return { page: this.page, size: this.list.pageSize, from, order };
	}

	/** Whether everything from a date on was read, newest first. */
	isWholeFrom(lower: number): boolean {
		return this.isComplete || (this.isOrdered && this.oldest < lower);
	}

	reading({ isWhole, order }: Pick<Reading, 'isWhole' | 'order'>): Reading {
		const { uploads, list } = this;
		return { uploads, isWhole, isOldestFirst: false, order, serviceTime: list.serviceTime };
	}

	/**
	 * Reads the next pages, in parallel if their number is known; false if the order is rejected.
	 */
	async next(expected = 0): Promise<boolean> {
		const { page, totalPages = page + 1, list } = this;
		const missing = Math.ceil((expected - this.uploads.length) / list.pageSize);
		const count = Math.max(1, Math.min(missing, totalPages - page, list.parallel));
		const { from, order } = this.query;
		const pages = Array.from({ length: count }, (_, index) => page + index);
		const asked = await Promise.allSettled(
			pages.map(async (number) => await list.ask({ from, order, page: number })),
		);
		for (const answer of asked) {
			if (answer.status === 'rejected') {
				const isRefused = !this.hasBegun && order && list.isRefusedOrder(answer.reason);
				return isRefused ? false : await Promise.reject(answer.reason);
			}
			if (!this.isComplete) this.add(answer.value);
		}
		return true;
	}

	/** The same; also false if time was up before the next page arrived. */
	async attempt(expected: number, isOver: () => boolean): Promise<boolean> {
		try {
			return await this.next(expected);
		} catch (error) {
			if (this.hasBegun && isOver()) return false;
			return await Promise.reject(error);
		}
	}

	private add(answer: RecordPage): void {
		this.reader.add(this.page, answer);
		this.hasBegun = true;
		this.page += 1;
		this.totalPages = answer.page.totalPages ?? this.totalPages;
		for (const record of this.records.slice(this.taken)) {
			const upload = this.list.read(record);
			if (upload !== undefined) this.take(upload);
		}
		this.taken = this.records.length;
	}

	private take(upload: SeenUpload): void {
		this.uploads.push(upload);
		if (!isReadable(upload.time)) return;
		const { order, isMixed } = this.query;
		const slack = DISORDER + (isMixed ? WIDEST_ZONES : 0);
		const isBackwards = order?.isDescending
			? upload.time > this.oldest + slack
			: upload.time < this.newest - slack;
		if (order === undefined || isBackwards) this.isOrdered = false;
		this.newest = Math.max(this.newest, upload.time);
		this.oldest = Math.min(this.oldest, upload.time);
	}
}
