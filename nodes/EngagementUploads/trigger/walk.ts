/** Pages of the upload list, read one after the other, with what they show of filter and order. */
import { upload as uploadKind } from '../transport/kinds';
import { PagedList } from '../transport/pages';
import type { RecordPage } from '../transport/records';
import { completedUpload, type CompletedUpload } from './upload';

/** Zones lie up to 26 hours apart: so far off may be how the service reads a date filter. */
export const WIDEST_SHIFT = 26 * 3_600_000;
/** The filter has seconds. */
export const RESOLUTION = 1000;

/** What is asked of the upload list; times as in `CompletedUpload`. */
export interface UploadQuery {
	completedFrom?: number;
	completedTo?: number;
	order?: 'completionDate' | '-completionDate';
	page: number;
	size: number;
}

/** The upload list of the service. */
export interface UploadList {
	ask(query: UploadQuery): Promise<RecordPage>;
	readonly pageSize: number;
	/** Whether filters are written as instants or as local times: as the service prints its times. */
	isInstant: boolean;
}

export type Range = Pick<UploadQuery, 'completedFrom' | 'completedTo' | 'order'>;

export class Walk {
	readonly uploads: CompletedUpload[] = [];
	isAscending = true;
	isDescending = true;
	private readonly list: PagedList;
	private readonly ids = new Set<string>();
	private readonly isInstant: boolean;
	private pages = 0;
	private taken = 0;

	constructor(
		private readonly source: UploadList,
		readonly range: Range,
	) {
		this.list = new PagedList({ kind: uploadKind, pageSize: source.pageSize, parallel: 1 });
		this.isInstant = source.isInstant;
	}

	get isComplete(): boolean {
		return this.list.complete;
	}

	/** Records that the list has at least, by what the service tells of its pages. */
	get leastCount(): number {
		return this.list.leastCount;
	}

	/** Whether an upload shows that the service ignores an upper bound. */
	goesBeyond(completedTo: number): boolean {
		return this.uploads.some(({ time }) => time > completedTo + WIDEST_SHIFT + RESOLUTION);
	}

	/** Milliseconds from the filter to what it let through: it is off by no more than the least of them. */
	get shiftShown(): number {
		const { completedFrom } = this.range;
		const comparable = this.uploads.filter(({ isInstant }) => isInstant === this.isInstant);
		if (completedFrom === undefined || comparable.length === 0) return WIDEST_SHIFT;
		const earliest = comparable.reduce((least, { time }) => Math.min(least, time), Infinity);
		return Math.max(-WIDEST_SHIFT, earliest - completedFrom + RESOLUTION);
	}

	async next(): Promise<void> {
		const page = this.pages++;
		this.list.add(page, await this.source.ask({ ...this.range, page, size: this.source.pageSize }));
		for (const record of this.list.records.slice(this.taken)) this.take(completedUpload(record));
		this.taken = this.list.records.length;
	}

	private take(upload: CompletedUpload | undefined): void {
		if (upload === undefined || this.ids.has(upload.id)) return;
		this.ids.add(upload.id);
		const previous = this.uploads.at(-1);
		if (previous !== undefined && upload.time < previous.time) this.isAscending = false;
		if (previous !== undefined && upload.time > previous.time) this.isDescending = false;
		this.uploads.push(upload);
		this.source.isInstant = upload.isInstant;
	}
}
