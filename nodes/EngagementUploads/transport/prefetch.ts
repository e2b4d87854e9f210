/**
 * Pages of a list that are requested ahead of their turn. Invariant: no page is used that was
 * answered before the page in front of it, so that no record slips from one to the other unseen.
 */
import type { IDataObject } from 'n8n-workflow';
import type { RecordPage } from './answers';

/** Fetches one page; the request is sent, and retried, only while the page is still wanted. */
export type FetchPage<T extends IDataObject = IDataObject> = (
	page: number,
	isWanted: () => boolean,
) => Promise<RecordPage<T>>;

interface Prefetched<T extends IDataObject> {
	answer: Promise<RecordPage<T>>;
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
	 * The first of these pages; the others are requested meanwhile. `total` is the number of
	 * records according to the previous page: a response that knew of fewer may lack records that
	 * were pushed onto its page since.
	 */
	async take(pages: [number, ...number[]], total: number | undefined): Promise<RecordPage<T>> {
		for (;;) {
			this.dropOutdated(total);
			for (const page of pages.slice(0, this.width)) this.request(page, total);
			const first = this.pages.get(pages[0]) ?? this.request(pages[0], total);
			const answer = await first.answer;
			if (isOutdated(first, total)) continue;
			this.pages.delete(pages[0]);
			this.width = Math.min(this.maxWidth, this.width + 1);
			return answer;
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
		const answer = this.fetch(page, () => this.pages.get(page) === prefetched);
		const prefetched: Prefetched<T> = { answer, totalBefore, isAnswered: false };
		this.pages.set(page, prefetched);
		// The consumer of the page gets its failure; without a consumer, it must not be an
		// unhandled rejection.
		answer.then(
			(given) => Object.assign(prefetched, { isAnswered: true, total: given.page.totalElements }),
			() => undefined,
		);
		return prefetched;
	}
}

/** The response to a request sent after the total was known is never outdated. */
function isOutdated(
	{ isAnswered, totalBefore, total }: Omit<Prefetched<IDataObject>, 'answer'>,
	newest = 0,
): boolean {
	return isAnswered && totalBefore !== newest && (total ?? 0) < newest;
}
