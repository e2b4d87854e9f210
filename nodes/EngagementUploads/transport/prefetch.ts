/**
 * Requests pages of a list ahead of time. Invariant: no page is used that was answered before the
 * previous page, so that no record slips from one to the other unseen.
 */
import type { IDataObject } from 'n8n-workflow';
import type { RecordPage } from './responses';

/** Fetches one page; the request is sent, and retried, only while the page is still wanted. */
export type FetchPage<T extends IDataObject = IDataObject> = (
	page: number,
	isWanted: () => boolean,
) => Promise<RecordPage<T>>;

interface Prefetched<T extends IDataObject> {
	response: Promise<RecordPage<T>>;
	/** Number of records in the list, as known when the page was requested. */
	totalBefore: number | undefined;
	/** Number of records in the list according to its response, once there is one. */
	total?: number;
	isAnswered: boolean;
}

export class PagePrefetcher<T extends IDataObject> {
	private readonly pages = new Map<number, Prefetched<T>>();
	private width: number;

	constructor(
		private readonly fetch: FetchPage<T>,
		private readonly maxWidth: number,
	) {
		this.width = maxWidth;
	}

	/**
	 * The first of these pages; the others are requested in the meantime. `total` is the number of
	 * records according to the previous page: a response with a lower total may lack records that
	 * have since been pushed onto its page.
	 */
	async take(pages: [number, ...number[]], total: number | undefined): Promise<RecordPage<T>> {
		for (;;) {
			this.dropOutdated(total);
			for (const page of pages.slice(0, this.width)) this.request(page, total);
			const first = this.pages.get(pages[0]) ?? this.request(pages[0], total);
			const response = await first.response;
			if (isOutdated(first, total)) continue;
			this.pages.delete(pages[0]);
			this.width = Math.min(this.maxWidth, this.width + 1);
			return response;
		}
	}

	/** Drops everything that was requested; the next `take` begins with one page. */
	drop(): void {
		this.pages.clear();
		this.width = 1;
	}

	private dropOutdated(total: number | undefined): void {
		for (const [page, prefetched] of this.pages) {
			if (!isOutdated(prefetched, total)) continue;
			this.pages.delete(page);
			this.width = 1;
		}
	}

	private request(page: number, totalBefore: number | undefined): Prefetched<T> {
		const known = this.pages.get(page);
		if (known !== undefined) return known;
		const response = this.fetch(page, () => this.pages.get(page) === prefetched);
		const prefetched: Prefetched<T> = { response, totalBefore, isAnswered: false };
		this.pages.set(page, prefetched);
		// A failure reaches whoever takes the page; if nobody does, it must not be an unhandled
		// rejection.
		response.then(
			(given) => Object.assign(prefetched, { isAnswered: true, total: given.page.totalElements }),
			() => undefined,
		);
		return prefetched;
	}
}

/** The response to a request sent after the total was known is never outdated. */
function isOutdated(
	{ isAnswered, totalBefore, total }: Omit<Prefetched<IDataObject>, 'response'>,
	newest = 0,
): boolean {
	return isAnswered && totalBefore !== newest && (total ?? 0) < newest;
}
