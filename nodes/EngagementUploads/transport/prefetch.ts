/**
 * Pages of a list that are asked for before their turn. Invariant: none is taken that was answered
 * before the one in front of it, so that no record slips from the one to the other unseen.
 */
import type { RecordPage } from './answers';

/** Asks for one page; it is sent, and tried again, only as long as it is wanted. */
export type FetchPage = (page: number, isWanted: () => boolean) => Promise<RecordPage>;

interface Asked {
	answer: Promise<RecordPage>;
	/** Records in the list, by what was known when the page was asked for. */
	totalBefore: number | undefined;
	/** Records in the list by its answer, once that is there. */
	total?: number;
	isAnswered: boolean;
}

export class PagePrefetcher {
	private readonly asked = new Map<number, Asked>();
	private width: number;

	constructor(
		private readonly fetch: FetchPage,
		private readonly most: number,
	) {
		this.width = most;
	}

	/**
	 * The first of these pages; the others are asked for meanwhile. `total` is the number of records
	 * by the page before: an answer that knew of fewer may lack what was pushed onto it since.
	 */
	async take(pages: [number, ...number[]], total: number | undefined): Promise<RecordPage> {
		for (;;) {
			this.dropOutdated(total);
			for (const page of pages.slice(0, this.width)) this.ask(page, total);
			const asked = this.asked.get(pages[0]) as Asked;
			const answer = await asked.answer;
			if (isOutdated(asked, total)) continue;
			this.asked.delete(pages[0]);
			this.width = Math.min(this.most, this.width + 1);
			return answer;
		}
	}

	/** Nothing that was asked for is wanted any more; what comes next begins with one page. */
	drop(): void {
		this.asked.clear();
		this.width = 1;
	}

	private dropOutdated(total: number | undefined): void {
		for (const [page, asked] of this.asked) {
			if (!isOutdated(asked, total)) continue;
			this.asked.delete(page);
			this.width = 1;
		}
	}

	private ask(page: number, totalBefore: number | undefined): void {
		if (this.asked.has(page)) return;
		const answer = this.fetch(page, () => this.asked.get(page) === asked);
		const asked: Asked = { answer, totalBefore, isAnswered: false };
		this.asked.set(page, asked);
		// Whoever takes the page is told of a failure; if nobody does, it is no unhandled one.
		answer.then(
			(given) => Object.assign(asked, { isAnswered: true, total: given.page.totalElements }),
			() => undefined,
		);
	}
}

/** An answer to what was asked after the total was known is never outdated, whatever it says. */
function isOutdated({ isAnswered, totalBefore, total }: Asked, newest = 0): boolean {
	return isAnswered && totalBefore !== newest && (total ?? 0) < newest;
}
