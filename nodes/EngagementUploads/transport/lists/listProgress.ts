/**
 * How far a paged list has been read. Invariants: a record counts once, however often pages shift or
 * repeat; reading ends, whatever the service says about its last page; and no page is skipped.
 */
import type { IDataObject } from 'n8n-workflow';
import { type PageFields, idOf, type RecordKind } from '../responses/request';
import { type RecordPage } from '../responses/responses';

/**
 * A list without a stated end is complete after this many consecutive pages without a new record.
 */
const MAX_PAGES_WITHOUT_NEW_RECORDS = 2;
/** The same for empty and for repeated pages if the page count says that there are more pages. */
const MAX_EMPTY_PAGES = 5;
/** A list that grows fast may repeat some pages. */
const MAX_REPEATED_PAGES = 20;

export class ListProgress<T extends IDataObject = IDataObject> {
	isComplete = false;
	/** The page to read next. */
	nextPage: number;
	/** Number of records in the list, as last stated by the service. */
	totalElements: number | undefined;
	private readonly seen = new Set<string>();
	private totalPages: number | undefined;
	private statesGrowth = false;
	/** Undefined until a page has been read. */
	private recordsPerPage: number | undefined;
	private pagesWithoutNewRecords = 0;
	/** The first page that only repeated others: some services send the previous page by mistake. */
	private repeatedPage: number | undefined;
	private hasReturned = false;

	constructor(
		private readonly kind: RecordKind<T>,
		private readonly pageSize: number | undefined,
		private readonly start = 0,
	) {
		this.nextPage = start;
	}

	/**
	 * How many pages to request: as many as the service says there are, are needed, and may be in
	 * flight; otherwise one. Without a stated total, it would go unnoticed if a new record pushed
	 * another one from a page not yet read to one that has been read.
	 */
	pagesToRequest(neededRecords: number, parallel: number): number {
		const { totalPages, nextPage, recordsPerPage } = this;
		if (recordsPerPage === undefined) return 1;
		const left = this.statesGrowth && totalPages !== undefined ? totalPages - nextPage : 1;
		return Math.max(1, Math.min(left, Math.ceil(neededRecords / recordsPerPage), parallel));
	}

	/**
	 * Returns the records that were on no earlier page; `isShifted`: the page repeats records, and no
	 * growth of the list explains that.
	 */
	add(requested: number, { records, page: stated, isAlone }: RecordPage<T>) {
		// A page of one record may be sent as that record, and then says nothing about the end of the
		// list.
		const page = isAlone === true && this.pageSize === 1 ? {} : stated;
		const { added, isRepeated } = this.addNew(records);
		this.pagesWithoutNewRecords = added.length > 0 ? 0 : this.pagesWithoutNewRecords + 1;
		this.nextPage = requested + 1;
		// No list with records has no pages.
		this.totalPages = page.totalPages || this.totalPages;
		if (requested === this.start) {
			this.recordsPerPage = Math.max(1, records.length);
			this.statesGrowth = (page.totalElements ?? 0) > records.length;
		}
		if (page.totalElements === undefined) this.statesGrowth = false;
		const hasGrown = (page.totalElements ?? 0) > (this.totalElements ?? 0);
		this.totalElements = page.totalElements;
		if (added.length === 0 && records.length > 0) this.repeatedPage ??= requested;
		this.isComplete = this.isLast(requested, records.length, page);
		if (this.isComplete) this.returnToRepeatedPage();
		return { records: added, isShifted: isRepeated && !hasGrown };
	}

	/** If records are missing at the end, reads on once more from the page that was repeated. */
	private returnToRepeatedPage(): void {
		if (this.repeatedPage === undefined || this.hasReturned || !this.statesMore) return;
		this.hasReturned = true;
		this.isComplete = false;
		this.nextPage = this.repeatedPage;
		this.pagesWithoutNewRecords = 0;
	}

	private isLast(requested: number, length: number, page: PageFields): boolean {
		if (page.last === true) return true;
		const { totalPages, pagesWithoutNewRecords } = this;
		if (totalPages === undefined) {
			if (pagesWithoutNewRecords >= MAX_PAGES_WITHOUT_NEW_RECORDS) return true;
			return page.last === undefined && this.endsUnstated(length, page.size);
		}
		// `number` may count records, or start at 1; beyond the end, some services send the last page.
		const number = Math.min(page.number ?? requested, requested);
		// If a page was repeated and records are missing, its page numbers may start at 1.
		const lastPage = this.repeatedPage === 1 && this.statesMore ? totalPages : totalPages - 1;
		if (page.last === undefined && number >= lastPage) return true;
		if (requested >= lastPage && pagesWithoutNewRecords > 0) return true;
		return pagesWithoutNewRecords >= (length === 0 ? MAX_EMPTY_PAGES : MAX_REPEATED_PAGES);
	}

	/**
	 * Without `last` and a page count, the last page is empty, or shorter than its stated size: that may
	 * be the one asked for, though the service sends fewer.
	 */
	private endsUnstated(length: number, size: number | undefined): boolean {
		if (length === 0 || (length < (size ?? 0) && !this.statesMore)) return true;
		if (this.pageSize !== undefined) return false;
		return this.totalElements === undefined ? size === undefined : !this.statesMore;
	}

	/** Whether the service counts more records than it has sent. */
	private get statesMore(): boolean {
		return (this.totalElements ?? 0) > this.seen.size;
	}

	/** Records without an ID are told apart by their content, but count as often as a page has them. */
	private addNew(records: T[]): { added: T[]; isRepeated: boolean } {
		const onPage = new Set<string>();
		let isRepeated = false;
		const added = records.filter((record) => {
			const id = idOf(record, this.kind);
			const key = id ?? JSON.stringify(record);
			const isKnown = this.seen.has(key);
			isRepeated ||= isKnown;
			const isTwice = id !== undefined && onPage.has(key);
			onPage.add(key);
			return !isKnown && !isTwice;
		});
		for (const key of onPage) this.seen.add(key);
		return { added, isRepeated };
	}
}
