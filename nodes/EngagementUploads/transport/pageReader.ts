/**
 * Reads a paged list whole, in order. Invariants: a record counts once, however often pages shift
 * or repeat; reading ends, whatever the service says of its last page; and no page is skipped.
 */
import type { IDataObject } from 'n8n-workflow';
import { PagePrefetcher, type FetchPage } from './prefetch';
import { identityKey, type RecordKind, type RecordPage } from './answers';

/** How a list is read. Page numbers start at 0 (interface section 8). */
export interface PagePlan {
	kind: RecordKind;
	fetch: FetchPage;
	/** Records asked for with each page; undefined where the interface knows no page size. */
	pageSize?: number;
	/** Stops when so many records are there. */
	limit?: number;
	/** Pages that may be asked for at the same time. */
	parallel: number;
	/** Makes what is kept of a record: of long lists that takes less memory than what was sent. */
	shape?(record: IDataObject): IDataObject;
}

/** Pages in a row without any new record after which a list that names no end has come to one. */
const WITHOUT_NEWS = 2;
/** Those that are empty, and those that repeat others, where the count of pages tells of more. */
const EMPTY_OF_MANY = 5;
/** A list that grows fast may well repeat some pages. */
const REPEATED_OF_MANY = 20;

/** All records of a list, or the first `limit` of them. */
export async function readAll(plan: PagePlan): Promise<IDataObject[]> {
	const list = new PageReader(plan);
	const ahead = new PagePrefetcher(plan.fetch, plan.parallel);
	try {
		while (!list.complete) {
			const pages = list.nextPages();
			const answer = await ahead.take(pages, list.totalElements);
			if (list.add(pages[0], answer)) ahead.drop();
		}
	} finally {
		ahead.drop();
	}
	return list.records.slice(0, plan.limit);
}

/** A list as far as its pages were read; `fetch` is left to whoever reads. */
export class PageReader {
	readonly records: IDataObject[] = [];
	complete = false;
	/** Records in the list, by what the service told last. */
	totalElements: number | undefined;
	private readonly seen = new Set<string>();
	private nextPage = 0;
	private totalPages: number | undefined;
	private tellsGrowth = false;
	private pageSize: number;
	private pagesWithoutNews = 0;

	constructor(private readonly plan: Omit<PagePlan, 'fetch'>) {
		this.pageSize = plan.pageSize ?? 1;
	}

	/** Records that the list has at least: those before the last page, by what the service told. */
	get leastCount(): number {
		return Math.max(this.records.length, ((this.totalPages ?? 0) - 1) * this.pageSize);
	}

	/** Takes in a page; true when it repeats what was there, and no growth of the list explains that. */
	add(asked: number, { records, page: told, isAlone }: RecordPage): boolean {
		// A page of one record may be sent as that record: then it tells nothing of the list's end.
		const page = isAlone === true && this.plan.pageSize === 1 ? {} : told;
		const added = this.addNew(records);
		this.pagesWithoutNews = added > 0 ? 0 : this.pagesWithoutNews + 1;
		this.nextPage = asked + 1;
		this.totalPages = page.totalPages ?? this.totalPages;
		if (asked === 0 && records.length > 0) this.pageSize = records.length;
		if (asked === 0) this.tellsGrowth = (page.totalElements ?? 0) > records.length;
		if (page.totalElements === undefined) this.tellsGrowth = false;
		const hasGrown = (page.totalElements ?? 0) > (this.totalElements ?? 0);
		this.totalElements = page.totalElements;
		this.complete = this.isEnough() || this.isLast(asked, records.length, page);
		return added < records.length && !hasGrown;
	}

	/**
	 * The pages to ask for next: as many as the service says there are, the limit needs, and may be
	 * asked for at the same time; else one. Without a total that grows with the list, a record that
	 * joined it within a page that was read after the next one would not be noticed, nor the one that
	 * it pushed out of both.
	 */
	nextPages(): [number, ...number[]] {
		const { limit, parallel } = this.plan;
		const known =
			this.totalPages === undefined || !this.tellsGrowth ? 1 : this.totalPages - this.nextPage;
		const needed =
			limit === undefined ? known : Math.ceil((limit - this.records.length) / this.pageSize);
		const more = Math.max(0, Math.min(known, needed, parallel) - 1);
		return [
			this.nextPage,
			...Array.from({ length: more }, (_, index) => this.nextPage + 1 + index),
		];
	}

	private isEnough(): boolean {
		return this.plan.limit !== undefined && this.records.length >= this.plan.limit;
	}

	private isLast(asked: number, length: number, page: RecordPage['page']): boolean {
		if (page.last === true) return true;
		const { totalPages, pagesWithoutNews } = this;
		if (totalPages === undefined) {
			if (pagesWithoutNews >= WITHOUT_NEWS) return true;
			return page.last === undefined && this.endsWithoutWord(length, page.size);
		}
		// Some count elements, or from 1, in `number`; asked beyond the end, some send their last page.
		const number = Math.min(page.number ?? asked, asked);
		if (page.last === undefined && number >= totalPages - 1) return true;
		if (asked >= totalPages - 1 && pagesWithoutNews > 0) return true;
		return pagesWithoutNews >= (length === 0 ? EMPTY_OF_MANY : REPEATED_OF_MANY);
	}

	/** No `last`, no page count: an empty page is the last, or one shorter than its stated size. */
	private endsWithoutWord(length: number, size: number | undefined): boolean {
		if (length === 0 || length < (size ?? 0)) return true;
		if (this.plan.pageSize !== undefined) return false;
		const { totalElements } = this;
		return totalElements === undefined ? size === undefined : totalElements <= this.records.length;
	}

	/** Adds what was on no earlier page, and tells how many that were. */
	private addNew(records: IDataObject[]): number {
		// Without an id records cannot be told apart: equal ones on two pages are taken for one.
		const identities = records.map(
			(record) => identityKey(record, this.plan.kind) ?? JSON.stringify(record),
		);
		const fresh = records.filter((_, index) => !this.seen.has(identities[index] as string));
		const { shape = (record: IDataObject) => record } = this.plan;
		for (const record of fresh) this.records.push(shape(record));
		for (const identity of identities) this.seen.add(identity);
		return fresh.length;
	}
}
