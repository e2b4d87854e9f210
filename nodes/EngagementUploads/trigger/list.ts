/**
 * The service's upload list (docs/service.md#uploads), read with one query, page by page. Invariant: an
 * order counts only while all that is read is in that order by the date asked for.
 */
import { listUploads } from '../api/endpoints';
import type { ServiceClient } from '../transport/client';
import { reportOf } from '../transport/failures/errors';
import { pages, type Page } from '../transport/lists/lists';
import { formatFilterTime } from '../values/dates';
import type { UploadEvent } from './events/event';
import type { OrderBy } from './state';
import { idOf, isReadable, seenUpload, type SeenUpload } from './upload';

export interface ListQuery {
	/** Epoch milliseconds; uploads dated before need not be listed. */
	from: number;
	order?: { by: OrderBy; isDescending: boolean };
	/** Only uploads of these engagements; if that fails, the next poll asks again. */
	engagementIds?: string[];
}

/** The part of the list that was read. */
export interface Reading {
	uploads: SeenUpload[];
	/** Number of pages read. */
	pages: number;
	/** Whether everything from the start of the window was read. */
	isWhole: boolean;
	/** Whether every unread upload is newer than those that were read. */
	isOldestFirst: boolean;
	order?: OrderBy;
	/** What kept it from reading more. */
	failure?: unknown;
}

/** The service's filter for each date. */
const DATE_FILTERS = { completionDate: 'completedDateFrom', creationDate: 'createdDateFrom' };
const MIN_PAGE_SIZE = 100;
/** Rejections that no order causes: no right, nothing there, a conflict. */
const NOT_ABOUT_ORDER = [403, 404, 409];

export class UploadList {
	constructor(
		readonly client: ServiceClient,
		private readonly event: UploadEvent,
		readonly pageSize: number,
		/** How much of its time the poll has used, as a fraction of it. */
		readonly timeUsed: () => number,
	) {}

	/** Large pages cost fewer requests, small ones less where few uploads are expected. */
	pageSizeFor(expected: number): number {
		const size = Math.ceil((expected * 1.25) / MIN_PAGE_SIZE) * MIN_PAGE_SIZE;
		return Math.min(this.pageSize, Math.max(MIN_PAGE_SIZE, size));
	}

	/** Pages until the list ends, or the caller stops. */
	pages(
		{ from, order, engagementIds }: ListQuery,
		pageSize: number,
		needed?: () => number,
	): AsyncGenerator<Page, void> {
		const query = {
			engagementId: engagementIds?.join(','),
			[DATE_FILTERS[this.event.date]]: formatFilterTime(from, this.client.zone),
			orderBy: this.orderText(order),
		};
		const isTriedOnce = engagementIds !== undefined;
		const request = { ...listUploads(query, 'look for uploads'), isTriedOnce };
		return pages(this.client, request, { pageSize, needed });
	}

	/** The uploads on a page that have the date. */
	uploadsOn({ records }: Page): SeenUpload[] {
		const { zone } = this.client;
		return records.flatMap((record) => seenUpload(record, this.event.date, zone) ?? []);
	}

	/** Whether the service says that it sorted a page by another field. */
	isOtherOrder({ response }: Page): boolean {
		const { date } = this.event;
		return (response.page.sortedBy ?? date).toLowerCase() !== date.toLowerCase();
	}

	private orderText(order: ListQuery['order']): string | undefined {
		const fields = order?.by === 'dateAndId' ? [this.event.date, 'uploadId'] : [this.event.date];
		return order && fields.map((field) => (order.isDescending ? `-${field}` : field)).join(',');
	}
}

/** One query, of which as many pages are read as are needed. */
export class PageRun {
	readonly uploads: SeenUpload[] = [];
	/** The IDs of all records read, with and without the date. */
	readonly recordIds: string[] = [];
	pages = 0;
	isComplete = false;
	/** Whether no upload has been out of order so far. */
	isOrdered: boolean;
	newest = -Infinity;
	oldest = Infinity;
	/** What ended it early, although what was read in order before is of use. */
	private failure: unknown;
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
		this.source = list.pages(query, pageSize, () => this.needed());
	}

	/** Number of records read. */
	get count(): number {
		return this.recordIds.length;
	}

	private get isOldestFirst(): boolean {
		return this.isOrdered && this.query.order?.isDescending === false;
	}

	/** What was read; an order that turned out not to be honoured is forgotten. */
	reading(proven: OrderBy | undefined, isWhole: boolean): Reading {
		const { uploads, pages, isOldestFirst, failure } = this;
		const order = this.isOrdered ? proven : undefined;
		return { uploads, pages, isWhole, isOldestFirst, order, failure };
	}

	/**
	 * Reads until it is done, at most to the end or to about `most` records, or until a part of the
	 * poll's time is used. An error ends it too where what was read before is of use: after that time,
	 * and oldest first.
	 */
	async read(part: number, isDone = () => false, most = Infinity): Promise<void> {
		this.most = most;
		const isTimeUp = () => this.count > 0 && this.list.timeUsed() >= part;
		try {
			while (!this.isComplete && this.count < most && !isDone() && !isTimeUp())
				if (!(await this.next())) return;
		} catch (error) {
			if (this.isOldestFirst && this.count > 0) this.failure = error;
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
