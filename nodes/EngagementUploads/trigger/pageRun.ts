/** Reads the upload list with one query, page by page, and tells whether it is in order. */
import { reportOf } from '../transport/failures/errors';
import type { Page } from '../transport/lists/lists';
import type { ListQuery, UploadList } from './list';
import type { OrderBy, Reading } from './progress';
import { idOf, isReadable, type SeenUpload } from './upload';

/** Rejections that no order causes: no right, nothing there, a conflict. */
const NOT_ABOUT_ORDER = [403, 404, 409];

export class PageRun {
	readonly uploads: SeenUpload[] = [];
	/** The IDs of all records read, with and without the date. */
	readonly recordIds: string[] = [];
	private pages = 0;
	isComplete = false;
	/** What ended it early, although what was read in order before is of use. */
	failure: unknown;
	/** Whether no upload has been out of order so far. */
	isOrdered: boolean;
	newest = -Infinity;
	oldest = Infinity;
	private readonly source: AsyncGenerator<Page, void>;
	private readonly ids = new Set<string>();
	/** How many records are read at most. */
	private most = Infinity;

	/** @param expected how many records are expected to be of use, in all */
	constructor(
		private readonly list: UploadList,
		readonly query: ListQuery,
		private readonly expected = 0,
		readonly pageSize = list.pageSizeFor(query.order ? expected : Infinity),
	) {
		this.isOrdered = query.order !== undefined;
		this.source = list.pages(query, { needed: () => this.needed(), pageSize });
	}

	/** Number of records read. */
	get count(): number {
		return this.recordIds.length;
	}

	/** What was read; an order that turned out not to be honoured is forgotten. */
	reading(proven: OrderBy | undefined, isWhole: boolean): Reading {
		const { uploads, pages, isOrdered, failure } = this;
		const isOldestFirst = isOrdered && this.query.order?.isDescending === false;
		return {
			uploads,
			pages,
			isWhole,
			isOldestFirst,
			failure,
			order: isOrdered ? proven : undefined,
		};
	}

	/**
	 * Reads until it is done, at most to the end or to about `most` records, or until a part of the
	 * poll's time is used. Then, an error ends it too, since what has been read is of use.
	 */
	async read(part: number, isDone = () => false, most = Infinity): Promise<void> {
		this.most = most;
		const isTimeUp = () => this.count > 0 && this.list.timeUsed() >= part;
		try {
			while (!this.isComplete && this.count < most && !isDone() && !isTimeUp())
				if (!(await this.next())) return;
		} catch (error) {
			const isOldestFirst = this.isOrdered && this.query.order?.isDescending === false;
			if (isOldestFirst && this.count > 0) this.failure = error;
			else if (!isTimeUp()) await Promise.reject(error);
		} finally {
			if (!this.isComplete) await this.source.return();
		}
	}

	/** Reads the next page; false if the order is rejected. */
	async next(): Promise<boolean> {
		try {
			const { value: page } = await this.source.next();
			this.isComplete = page === undefined || page.isLast;
			if (page !== undefined) this.add(page);
			return true;
		} catch (error) {
			if (this.count > 0 || !this.query.order || !mayBeRejectedOrder(error))
				await Promise.reject(error);
			return false;
		}
	}

	/** Without an order, all records; else as many as are expected, then a quarter more at a time. */
	private needed(): number {
		const { count, expected } = this;
		const left = this.most - count;
		if (!this.isOrdered) return left;
		return Math.min(left, count < expected ? expected - count : count / 4);
	}

	private add(page: Page): void {
		for (const record of page.records) this.recordIds.push(idOf(record));
		this.pages += 1;
		if (this.list.isOtherOrder(page)) this.isOrdered = false;
		for (const upload of this.list.uploadsOn(page)) {
			if (this.ids.has(upload.id)) continue;
			this.ids.add(upload.id);
			this.uploads.push(upload);
			if (!isReadable(upload.time)) continue;
			const { isDescending } = this.query.order ?? {};
			if (isDescending ? upload.time > this.oldest : upload.time < this.newest)
				this.isOrdered = false;
			this.newest = Math.max(this.newest, upload.time);
			this.oldest = Math.min(this.oldest, upload.time);
		}
	}
}

/** Whether the service may have rejected `orderBy`, and not the token, the address or the pace. */
function mayBeRejectedOrder(error: unknown): boolean {
	const { status = 0, failure } = reportOf(error) ?? {};
	return status >= 400 && failure === undefined && !NOT_ABOUT_ORDER.includes(status);
}
