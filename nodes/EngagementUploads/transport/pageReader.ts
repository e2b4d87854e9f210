/**
 * Reads a paged list completely and in order. Invariants: a record counts once, however often pages
 * shift or repeat; reading ends, whatever the service says about its last page; and no page is
 * skipped.
 */
import type { IDataObject } from 'n8n-workflow';
import { identityKey, type RecordKind, type RecordPage } from './responses';
import { PagePrefetcher, type FetchPage } from './prefetch';

/** How a list is read. Page numbers start at 0 (docs/service.md#lists-and-pages). */
export interface PagePlan<T extends IDataObject = IDataObject> {
	kind: RecordKind<T>;
	fetch: FetchPage<T>;
	/** Page size to request; undefined if the endpoint has no page parameters. */
	pageSize?: number;
	/** Stops at this many records. */
	limit?: number;
	/** Maximum number of pages in flight. */
	parallel: number;
	/** Whether to include a record; the limit counts only included ones. */
	matches?(record: T): boolean;
	/** Maps a record to what is kept of it, which saves memory in long lists. */
	map?(record: T): IDataObject;
}

/**
 * A list without a stated end is complete after this many consecutive pages without a new record.
 */
const MAX_PAGES_WITHOUT_NEW_RECORDS = 2;
/** The same for empty and for repeated pages if the page count says that there are more pages. */
const MAX_EMPTY_PAGES = 5;
/** A list that grows fast may repeat some pages. */
const MAX_REPEATED_PAGES = 20;

/** All records of a list, or the first `limit` of them. */
export async function readAll<T extends IDataObject>(plan: PagePlan<T>): Promise<IDataObject[]> {
	const list = new PageReader(plan);
	const prefetcher = new PagePrefetcher(plan.fetch, plan.parallel);
	try {
		while (!list.complete) {
			const pages = list.nextPages();
			const response = await prefetcher.take(pages, list.totalElements);
			if (list.add(pages[0], response)) prefetcher.drop();
		}
	} finally {
		prefetcher.drop();
	}
	return list.records.slice(0, plan.limit);
}

/** The part of a list that has been read so far; the caller fetches the pages. */
export class PageReader<T extends IDataObject = IDataObject> {
	readonly records: IDataObject[] = [];
	complete = false;
	/** Number of records in the list, as last stated by the service. */
	totalElements: number | undefined;
	private readonly seen = new Set<string>();
	private nextPage = 0;
	private totalPages: number | undefined;
	private statesGrowth = false;
	private pageSize = 1;
	private pagesWithoutNewRecords = 0;
	/** The first page that only repeated others: some services send the previous page by mistake. */
	private repeatedPage: number | undefined;
	private hasReturned = false;

	constructor(private readonly plan: Omit<PagePlan<T>, 'fetch'>) {}

	/** Adds a page; true if it repeats records and no growth of the list explains that. */
	add(requested: number, { records, page: stated, isAlone }: RecordPage<T>): boolean {
		// A page of one record may be sent as that record, and then says nothing about the end of the
		// list.
		const page = isAlone === true && this.plan.pageSize === 1 ? {} : stated;
		const added = this.addNew(records);
		this.pagesWithoutNewRecords = added > 0 ? 0 : this.pagesWithoutNewRecords + 1;
		this.nextPage = requested + 1;
		this.totalPages = page.totalPages ?? this.totalPages;
		if (requested === 0) this.pageSize = records.length;
		if (requested === 0) this.statesGrowth = (page.totalElements ?? 0) > records.length;
		if (page.totalElements === undefined) this.statesGrowth = false;
		const hasGrown = (page.totalElements ?? 0) > (this.totalElements ?? 0);
		this.totalElements = page.totalElements;
		if (added === 0 && records.length > 0) this.repeatedPage ??= requested;
		this.complete = this.isEnough() || this.isLast(requested, records.length, page);
		if (this.complete && !this.isEnough()) this.returnToRepeatedPage();
		return added < records.length && !hasGrown;
	}

	/**
	 * The pages to request next: as many as the service says there are, the limit requires, and may
	 * be in flight; otherwise one. Without a stated total, it would go unnoticed if a new record
	 * pushed another one from a page not yet read to one that has been read.
	 */
	nextPages(): [number, ...number[]] {
		const { limit = Infinity, parallel } = this.plan;
		const known = this.statesGrowth ? (this.totalPages ?? 0) - this.nextPage : 1;
		const needed = Math.ceil((limit - this.records.length) / this.pageSize);
		const more = Math.max(0, Math.min(known, needed, parallel) - 1);
		return [
			this.nextPage,
			...Array.from({ length: more }, (_, index) => this.nextPage + 1 + index),
		];
	}

	/** If records are missing at the end, reads on once more from the page that was repeated. */
	private returnToRepeatedPage(): void {
		const isMissing = (this.totalElements ?? 0) > this.seen.size;
		if (this.repeatedPage === undefined || this.hasReturned || !isMissing) return;
		this.hasReturned = true;
		this.complete = false;
		this.nextPage = this.repeatedPage;
		this.pagesWithoutNewRecords = 0;
	}

	private isEnough(): boolean {
		return this.records.length >= (this.plan.limit ?? Infinity);
	}

	private isLast(requested: number, length: number, page: RecordPage['page']): boolean {
		if (page.last === true) return true;
		const { totalPages, pagesWithoutNewRecords } = this;
		if (totalPages === undefined) {
			if (pagesWithoutNewRecords >= MAX_PAGES_WITHOUT_NEW_RECORDS) return true;
			return page.last === undefined && this.endsUnstated(length, page.size);
		}
		// `number` may count records, or start at 1; beyond the end, some services send the last page.
		const number = Math.min(page.number ?? requested, requested);
		if (page.last === undefined && number >= totalPages - 1) return true;
		if (requested >= totalPages - 1 && pagesWithoutNewRecords > 0) return true;
		return pagesWithoutNewRecords >= (length === 0 ? MAX_EMPTY_PAGES : MAX_REPEATED_PAGES);
	}

	/** Without `last` and a page count, the last page is empty or shorter than its stated size. */
	private endsUnstated(length: number, size: number | undefined): boolean {
		if (length === 0 || length < (size ?? 0)) return true;
		if (this.plan.pageSize !== undefined) return false;
		const { totalElements } = this;
		return totalElements === undefined ? size === undefined : totalElements <= this.seen.size;
	}

	/** Adds the records that were on no earlier page; returns their number. */
	private addNew(records: T[]): number {
		// Without an ID, equal records on two pages count as one.
		const keyed = records.map((record) => ({
			record,
			key: identityKey(record, this.plan.kind) ?? JSON.stringify(record),
		}));
		const fresh = keyed.filter(({ key }) => !this.seen.has(key));
		const { matches = () => true, map = (record: T): IDataObject => record } = this.plan;
		for (const { record } of fresh) if (matches(record)) this.records.push(map(record));
		for (const { key } of keyed) this.seen.add(key);
		return fresh.length;
	}
}
