/**
 * Reads a paged list whole, in order. Invariants: a record counts once, however often pages shift
 * or repeat; reading ends, whatever the service says of its last page; and no page is skipped.
 */
import type { IDataObject } from 'n8n-workflow';
import { identityOf, type RecordKind, type RecordPage } from './records';

/** How a list is read. Page numbers start at 0 (interface section 8). */
export interface PagePlan {
	kind: RecordKind;
	/** Asks for one page. */
	fetch(page: number): Promise<RecordPage>;
	/** Records asked for with each page; undefined where the interface knows no page size. */
	pageSize?: number;
	/** Stops when so many records are there. */
	limit?: number;
	/** Pages that may be asked for at the same time. */
	parallel: number;
	/** Makes what is kept of a record: of long lists that takes less memory than what was sent. */
	shape?(record: IDataObject): IDataObject;
}

/** Pages without any new record after which a service that names no end is taken to repeat itself. */
const REPEATED_PAGES = 2;
/** The same where it names one: a list that grows fast may well repeat a page or two. */
const REPEATED_PAGES_OF_MANY = 20;
/** All records of a list, or the first `limit` of them. */
export async function readAll(plan: PagePlan): Promise<IDataObject[]> {
	const list = new PagedList(plan);
	const ahead = new Map<number, Promise<RecordPage>>();
	try {
		list.add(0, await plan.fetch(0));
		while (!list.complete) {
			const [page, ...others] = list.nextPages();
			for (const each of [page, ...others])
				if (!ahead.has(each)) ahead.set(each, unfollowed(plan.fetch(each)));
			const answer = await (ahead.get(page) as Promise<RecordPage>);
			ahead.delete(page);
			// Records joined the list while its pages were read: a page that was read before this one
			// may lack what was pushed onto it since, so what follows is read again.
			if (list.add(page, answer)) ahead.clear();
		}
	} finally {
		await Promise.allSettled(ahead.values());
	}
	return list.records.slice(0, plan.limit);
}

/** Whoever awaits it is told of a failure; until then, or if nobody does, it is no unhandled one. */
function unfollowed<T>(promise: Promise<T>): Promise<T> {
	promise.catch(() => undefined);
	return promise;
}

/** A list as far as its pages were read; `fetch` is left to whoever reads. */
export class PagedList {
	readonly records: IDataObject[] = [];
	complete = false;
	private readonly seen = new Set<string>();
	private nextPage = 0;
	private totalPages: number | undefined;
	private totalElements: number | undefined;
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

	/** Takes in a page; true when the list has changed since the page before it. */
	add(asked: number, { records, page }: RecordPage): boolean {
		const added = this.addNew(records);
		this.pagesWithoutNews = added > 0 ? 0 : this.pagesWithoutNews + 1;
		this.nextPage = asked + 1;
		this.totalPages = page.totalPages ?? this.totalPages;
		if (asked === 0 && records.length > 0) this.pageSize = records.length;
		if (asked === 0) this.tellsGrowth = (page.totalElements ?? 0) > records.length;
		const grown = page.totalElements !== this.totalElements;
		this.totalElements = page.totalElements;
		this.complete = this.isEnough() || this.isLast(asked, records.length, page);
		return grown || added < records.length;
	}

	/**
	 * The pages to ask for next: as many as the service says there are, the limit needs, and may be
	 * asked for at the same time; else one. Without a total that grows with the list, a record that joined it within a page that was read after
	 * the next one would not be noticed, nor the one that it pushed out of both.
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
		if (page.last === true || length === 0) return true;
		if (this.pagesWithoutNews >= REPEATED_PAGES_OF_MANY) return true;
		// Asked for a page beyond the end, some services send their last one again.
		if (page.number !== undefined && page.number < asked && this.pagesWithoutNews > 0) return true;
		if (this.totalPages !== undefined && page.last === undefined) {
			// Some count elements, or from 1, in `number`.
			return Math.min(page.number ?? asked, asked) >= this.totalPages - 1;
		}
		if (this.totalPages !== undefined && asked < this.totalPages - 1) return false;
		if (this.pagesWithoutNews >= REPEATED_PAGES) return true;
		if (page.last === false) return false;
		return this.endsWithoutWord(length, page.size);
	}

	/** No `last`, no page count: a page shorter than its stated size is the last, or one without news. */
	private endsWithoutWord(length: number, size: number | undefined): boolean {
		if (this.plan.pageSize === undefined)
			return this.pagesWithoutNews > 0 || (this.totalElements ?? 0) <= this.records.length;
		return (size !== undefined && length < size) || this.pagesWithoutNews > 0;
	}

	/** Adds what was on no earlier page, and tells how many that were. */
	private addNew(records: IDataObject[]): number {
		// Without an id records cannot be told apart: equal ones on two pages are taken for one.
		const identities = records.map(
			(record) => identityOf(record, this.plan.kind) ?? JSON.stringify(record),
		);
		const fresh = records.filter((_, index) => !this.seen.has(identities[index] as string));
		const { shape = (record: IDataObject) => record } = this.plan;
		for (const record of fresh) this.records.push(shape(record));
		for (const identity of identities) this.seen.add(identity);
		return fresh.length;
	}
}
