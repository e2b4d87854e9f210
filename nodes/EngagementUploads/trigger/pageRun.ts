/** Reads pages of the upload list in one order, starting at a given page. */
import type { IDataObject } from 'n8n-workflow';
import { upload as uploadKind } from '../api/records';
import type { RecordPage } from '../transport/responses';
import { PageReader } from '../transport/pageReader';
import { MAX_ZONE_DIFFERENCE, type Order, type Reading } from './progress';
import { isReadable, type SeenUpload } from './upload';

/** Dates of a sorted list may go backwards by this much, since clocks are set back. */
const DISORDER = 3_600_000;

export interface ListQuery {
	/** As `SeenUpload.time`. */
	from: number;
	order?: Order;
	/** Dates may go backwards by as much as time zones differ. */
	isMixed?: boolean;
}

/** The upload list of the service. */
export interface UploadList {
	readonly pageSize: number;
	/** Maximum number of pages in flight. */
	readonly parallel: number;
	/** The service's own time at its last response, in epoch milliseconds. */
	readonly serviceTime: number;
	fetchPage(query: ListQuery & { page: number }): Promise<RecordPage>;
	/** Whether an error means that the service rejects an order. */
	isRefusedOrder(error: unknown): boolean;
	/** Undefined for a record without the date. */
	read(record: IDataObject): SeenUpload | undefined;
}

export class PageRun {
	readonly uploads: SeenUpload[] = [];
	/** Whether no upload has been out of order so far. */
	isOrdered: boolean;
	private readonly reader: PageReader;
	private totalPages: number | undefined;
	private pagesWithRecords = 0;
	private newest = -Infinity;
	private oldest = Infinity;

	constructor(
		private readonly list: UploadList,
		readonly query: ListQuery,
		private page = 0,
	) {
		this.isOrdered = query.order !== undefined;
		this.reader = new PageReader({ kind: uploadKind, pageSize: list.pageSize, parallel: 1 });
	}

	get isComplete(): boolean {
		return this.reader.complete;
	}

	get hasBegun(): boolean {
		return this.isComplete || this.records.length > 0;
	}

	get records(): readonly IDataObject[] {
		return this.reader.records;
	}

	get pageSize(): number {
		return this.list.pageSize;
	}

	get place(): Reading['place'] {
		const { from, order } = this.query;
		return { page: this.page, size: this.list.pageSize, from, order };
	}

	get reading(): Reading {
		const { uploads, list } = this;
		const isPaged = this.pagesWithRecords > 1;
		return {
			uploads,
			isPaged,
			isWhole: false,
			isOldestFirst: false,
			serviceTime: list.serviceTime,
		};
	}

	/** Whether all uploads dated at `lower` or later have been read, newest first. */
	isWholeFrom(lower: number): boolean {
		return this.isComplete || (this.isOrdered && this.oldest < lower);
	}

	/** Reads to the end, unless there is enough or time is up first. */
	async read(
		isDone: () => boolean,
		{ isTimeUp, expected }: { isTimeUp(): boolean; expected(): number },
	): Promise<void> {
		while (!this.isComplete && !isDone() && !(this.hasBegun && isTimeUp())) {
			try {
				if (!(await this.next(expected()))) return;
			} catch (error) {
				if (this.hasBegun && isTimeUp()) return;
				await Promise.reject(error);
			}
		}
	}

	/**
	 * Reads the next pages, in parallel if their number is known; false if the order is rejected.
	 */
	async next(expected = 0): Promise<boolean> {
		const { page, totalPages = page + 1, list, query } = this;
		if (this.isComplete) return true;
		const missing = Math.ceil((expected - this.uploads.length) / list.pageSize);
		const count = Math.max(1, Math.min(missing, totalPages - page, list.parallel));
		const pages = Array.from({ length: count }, (_, index) => page + index);
		const responses = await Promise.allSettled(
			pages.map(async (number) => await list.fetchPage({ ...query, page: number })),
		);
		for (const response of responses) {
			if (response.status === 'rejected') {
				const isRefused = !this.hasBegun && query.order && list.isRefusedOrder(response.reason);
				return isRefused ? false : await Promise.reject(response.reason);
			}
			if (!this.isComplete) this.add(response.value);
		}
		return true;
	}

	private add(response: RecordPage): void {
		const before = this.records.length;
		this.reader.add(this.page, response);
		if (response.records.length > 0) this.pagesWithRecords += 1;
		this.page += 1;
		this.totalPages = response.page.totalPages ?? this.totalPages;
		for (const record of this.records.slice(before)) {
			const upload = this.list.read(record);
			if (upload !== undefined) this.take(upload);
		}
	}

	private take(upload: SeenUpload): void {
		this.uploads.push(upload);
		if (!isReadable(upload.time)) return;
		const { order, isMixed } = this.query;
		const slack = DISORDER + (isMixed ? MAX_ZONE_DIFFERENCE : 0);
		const isBackwards = order?.isDescending
			? upload.time > this.oldest + slack
			: upload.time < this.newest - slack;
		if (isBackwards) this.isOrdered = false;
		this.newest = Math.max(this.newest, upload.time);
		this.oldest = Math.min(this.oldest, upload.time);
	}
}
