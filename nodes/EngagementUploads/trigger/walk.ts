/** Pages of the upload list, read one after the other, with what they show of filter and order. */
import type { IDataObject } from 'n8n-workflow';
import { toText } from '../values/text';
import { upload as uploadKind } from '../api/records';
import { PageReader } from '../transport/pageReader';
import type { RecordPage } from '../transport/answers';
import { completedUpload, type CompletedUpload } from './upload';

/** Zones lie up to 26 hours apart: so far off may be how the service reads a date filter. */
export const WIDEST_SHIFT = 26 * 3_600_000;
/** The filter has seconds. */
export const RESOLUTION = 1000;

/** What is asked of the upload list; times as in `CompletedUpload`. */
export interface UploadQuery {
	completedFrom?: number;
	completedTo?: number;
	/** Whether times are written as instants or as local times. */
	isInstant: boolean;
	order?: 'completionDate' | '-completionDate';
	page: number;
	size: number;
}

/** The upload list of the service. */
export interface UploadList {
	ask(query: UploadQuery): Promise<RecordPage>;
	readonly pageSize: number;
	/** Whether the service prints its times as instants or as local times. */
	isInstant: boolean;
	/** The service refuses an order: first pages come without. */
	readonly isOrderRefused: boolean;
}

export type Range = Pick<UploadQuery, 'completedFrom' | 'completedTo' | 'order'>;

export class Walk {
	readonly uploads: CompletedUpload[] = [];
	isAscending = true;
	isDescending = true;
	/**
	 * Whether an upload has left its place while pages were read, for another date or for good: those
	 * behind it move forward, and the first of them to a page that was read already.
	 */
	hasSlipped = false;
	private readonly list: PageReader;
	private readonly times = new Map<string, number>();
	private total: number | undefined;
	/** What its next page is asked with: the form of times and the order stay those it began with. */
	private query: UploadQuery;
	private taken = 0;
	private showsUncompleted = false;

	constructor(
		private readonly source: UploadList,
		range: Range,
	) {
		this.list = new PageReader({ kind: uploadKind, pageSize: source.pageSize, parallel: 1 });
		this.query = { ...range, isInstant: source.isInstant, page: 0, size: source.pageSize };
	}

	get isComplete(): boolean {
		return this.list.complete;
	}

	/** Pages read so far. */
	get pages(): number {
		return this.query.page;
	}

	/** Records that the list has at least, by what the service tells of its pages. */
	get leastCount(): number {
		return this.list.leastCount;
	}

	/**
	 * Whether an upload shows that the service ignores the lower bound. Pages of such a list may slip:
	 * an upload that completes leaves its place among those that are not completed.
	 */
	get ignoresFrom(): boolean {
		const { completedFrom } = this.query;
		if (completedFrom === undefined) return false;
		const earliest = completedFrom - WIDEST_SHIFT - RESOLUTION;
		return this.showsUncompleted || this.uploads.some(({ time }) => time < earliest);
	}

	/** Whether an upload shows that the service ignores an upper bound. */
	goesBeyond(completedTo: number): boolean {
		return this.uploads.some(({ time }) => time > completedTo + WIDEST_SHIFT + RESOLUTION);
	}

	/** Milliseconds from the filter to what it let through: it is off by no more than the least of them. */
	get shiftShown(): number {
		const { completedFrom } = this.query;
		const comparable = this.uploads.filter(({ isInstant }) => isInstant === this.query.isInstant);
		if (completedFrom === undefined || comparable.length === 0) return WIDEST_SHIFT;
		const earliest = comparable.reduce((least, { time }) => Math.min(least, time), Infinity);
		return Math.max(-WIDEST_SHIFT, earliest - completedFrom + RESOLUTION);
	}

	async next(): Promise<void> {
		const { page } = this.query;
		const answer = await this.source.ask(this.query);
		this.list.add(page, answer);
		const { total } = this;
		this.total = answer.page.totalElements;
		this.hasSlipped ||= total !== undefined && this.total !== undefined && this.total < total;
		this.hasSlipped ||= answer.records.some((record) => this.hasMoved(record));
		if (page === 0 && this.source.isOrderRefused) this.query = { ...this.query, order: undefined };
		this.query = { ...this.query, page: page + 1 };
		for (const record of this.list.records.slice(this.taken)) this.take(completedUpload(record));
		this.taken = this.list.records.length;
	}

	/** What looks ordered may be so by chance: the other order must then begin at the other end. */
	async isOrdered(): Promise<boolean> {
		const { order } = this.query;
		if (order === undefined) return false;
		const other = order === 'completionDate' ? '-completionDate' : 'completionDate';
		const { records } = await this.source.ask({ ...this.query, order: other, page: 0 });
		// A page, not only its first record: others may have joined the list before that.
		const first = this.list.records[0]?.uploadId;
		if (records.some(({ uploadId }) => uploadId === first)) return false;
		const last = this.uploads.at(-1);
		const end = records.map(completedUpload).find((upload) => upload !== undefined);
		if (last === undefined || end === undefined) return true;
		return order === 'completionDate' ? end.time >= last.time : end.time <= last.time;
	}

	/** Whether it was read before with another date. */
	private hasMoved(record: IDataObject): boolean {
		const before = this.times.get(toText(record.uploadId));
		return before !== undefined && completedUpload(record)?.time !== before;
	}

	private take(upload: CompletedUpload | undefined): void {
		if (upload === undefined) this.showsUncompleted = true;
		if (upload === undefined) return;
		if (this.times.has(upload.id)) return;
		this.times.set(upload.id, upload.time);
		const previous = this.uploads.at(-1);
		if (previous !== undefined && upload.time < previous.time) this.isAscending = false;
		if (previous !== undefined && upload.time > previous.time) this.isDescending = false;
		this.uploads.push(upload);
		this.source.isInstant = upload.isInstant;
	}
}
