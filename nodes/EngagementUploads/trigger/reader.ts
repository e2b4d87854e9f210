/**
 * Reads the uploads that completed after a time, without trusting the service's filter or order
 * further than its answers bear out. Invariant: every upload that is listed as completed from
 * `lower` to `completeTo` is in what comes back.
 */
import { byTime, type Reading } from './cursor';
import type { CompletedUpload } from './upload';
import { RESOLUTION, Walk, WIDEST_SHIFT, type Range, type UploadList } from './walk';

/** As long as nothing is known of the filter; it may leave out its own second too. */
const UNKNOWN_SHIFT = WIDEST_SHIFT + RESOLUTION;
/** A narrower filter is worth asking again for when it saves at least so much. */
const WORTHWHILE = 15 * 60_000;

/** What is to be read. */
export interface ReadRequest {
	/** Uploads that completed before this do not matter. */
	lower: number;
	/** Milliseconds by which the filter may be off; null when nothing is known of it. */
	filterShift: number | null;
	/** Noted uploads from `lower` on: when one is missing, the filter is not what it was taken for. */
	controls: ReadonlyMap<string, number>;
	/** Whether an upload has not been dealt with yet. */
	isNews(upload: CompletedUpload): boolean;
	/** Whether these uploads, the oldest there are, are enough for this poll. */
	isEnough(uploads: CompletedUpload[]): boolean;
	/** Uploads that may be read to find them among others: what is emitted and what is noted. */
	most: number;
	/** Latest time that an upload can credibly have. */
	latestCredible(): number;
}

type Found = Omit<Reading, 'latestCredible' | 'gone'>;

/** Reads what completed from `lower` on, the oldest first where it is much. */
export async function readFrom(
	list: UploadList,
	request: ReadRequest,
): Promise<Found & { gone: string[] }> {
	const found = await read(list, request, request.filterShift ?? UNKNOWN_SHIFT);
	const missing = missingControls(request.controls, found);
	if (missing.length === 0) return { ...found, gone: [] };
	// Something that was listed is not: unless it is really gone, the filter has moved.
	const wide = await read(list, request, UNKNOWN_SHIFT);
	return { ...wide, gone: missingControls(request.controls, wide) };
}

/** Reads once more where the list has slipped: it may have left out what moved forward in it. */
async function read(list: UploadList, request: ReadRequest, shift: number): Promise<Found> {
	const reader = new UploadReader(list, request, shift);
	const found = await reader.read();
	return reader.hasSlipped ? await new UploadReader(list, request, shift).read() : found;
}

/**
 * Reads from the newest back, as far as the service honours the order, until that is enough. An order
 * that may be so by chance is made sure of, and all is read without one, unless there is no time.
 */
export async function readNewest(
	list: UploadList,
	isEnough: (uploads: CompletedUpload[], isDescending: boolean) => boolean,
	isOver: () => boolean = () => true,
): Promise<{ uploads: CompletedUpload[]; isAll: boolean }> {
	const walk = new Walk(list, { completedFrom: 0, order: '-completionDate' });
	do await walk.next();
	while (!walk.isComplete && !isEnough(walk.uploads, walk.isDescending));
	const isSure = walk.isComplete || isOver() || (await walk.isOrdered());
	while (!isSure && !walk.isComplete && !isOver()) await walk.next();
	return { uploads: walk.uploads, isAll: walk.isComplete };
}

function missingControls(
	controls: ReadonlyMap<string, number>,
	{ uploads, completeTo }: Found,
): string[] {
	const ids = new Set(uploads.map(({ id }) => id));
	return [...controls].filter(([id, time]) => time < completeTo && !ids.has(id)).map(([id]) => id);
}

class UploadReader {
	hasSlipped = false;

	constructor(
		private readonly list: UploadList,
		private readonly request: ReadRequest,
		private shift: number,
	) {}

	async read(): Promise<Found> {
		const walk = await this.firstPage();
		if (!walk.isComplete && walk.ignoresFrom) return await this.newestFirst();
		while (!walk.isComplete && walk.isAscending && !this.isEnough(walk)) await walk.next();
		if (walk.isComplete) return this.whole(walk);
		if (walk.isAscending && (await walk.isOrdered())) return this.upTo(walk, walk.uploads);
		return await this.unordered(walk);
	}

	/** The first page, asked for again when it shows that the filter can be drawn much narrower. */
	private async firstPage(): Promise<Walk> {
		const walk = this.walk({ order: 'completionDate' });
		await walk.next();
		const before = this.shift;
		this.learn(walk);
		const last = walk.uploads.at(-1)?.time ?? Infinity;
		const saves = before - this.shift >= WORTHWHILE && last < this.request.lower;
		if (walk.isComplete || !saves || walk.ignoresFrom) return walk;
		const narrower = this.walk({ order: 'completionDate' });
		await narrower.next();
		return narrower;
	}

	/** Where all fits on a page a narrower filter saves nothing, and would only be more to keep. */
	private learn({ isComplete, pages, shiftShown, hasSlipped }: Walk): void {
		this.hasSlipped ||= hasSlipped;
		if (!isComplete || pages > 1) this.shift = Math.min(this.shift, shiftShown);
	}

	private isEnough({ uploads }: Walk): boolean {
		return this.request.isEnough(uploads.filter(({ time }) => time >= this.request.lower));
	}

	/** The service does not filter: read from the newest back, or else all. */
	private async newestFirst(): Promise<Found> {
		const walk = this.walk({ order: '-completionDate', completedFrom: undefined });
		const reachesBack = () => (walk.uploads.at(-1)?.time ?? Infinity) < this.request.lower;
		do await walk.next();
		while (!walk.isComplete && !(walk.isDescending && reachesBack()));
		const isDone = walk.isComplete || (await walk.isOrdered());
		while (!isDone && !walk.isComplete) await walk.next();
		return { ...this.whole(walk), filterShift: null };
	}

	/** No order to rely on: read all if it is little, else as much as an upper bound lets through. */
	private async unordered(walk: Walk): Promise<Found> {
		if (await this.fits(walk)) return this.whole(walk);
		if (walk.ignoresFrom) return await this.newestFirst();
		const narrowed = await this.narrowed();
		if (narrowed !== undefined) return narrowed;
		while (!walk.isComplete) await walk.next();
		return this.whole(walk);
	}

	/**
	 * Halves the time to read until what is in it is no more than enough; undefined when the service
	 * ignores the upper bound, or when it was too much without being news. Up to its newest upload,
	 * such an answer is complete.
	 */
	private async narrowed(): Promise<Found | undefined> {
		let nothingNewTo = this.request.lower - WIDEST_SHIFT;
		let tooMuchFrom = this.request.latestCredible() + WIDEST_SHIFT;
		while (tooMuchFrom - nothingNewTo > RESOLUTION) {
			const completedTo = nothingNewTo + Math.floor((tooMuchFrom - nothingNewTo) / 2);
			const walk = this.walk({ completedTo });
			await walk.next();
			const fits = await this.fits(walk);
			if (walk.goesBeyond(completedTo)) return undefined;
			if (!fits) tooMuchFrom = completedTo;
			else if (this.hasNews(walk)) return this.upTo(walk, walk.uploads);
			else nothingNewTo = completedTo;
		}
		const walk = this.walk({ completedTo: tooMuchFrom });
		do await walk.next();
		while (!walk.isComplete);
		return this.hasNews(walk) ? this.upTo(walk, walk.uploads) : undefined;
	}

	/** Reads on to the end, unless that is more than a poll should read. */
	private async fits(walk: Walk): Promise<boolean> {
		const tooMuch = () =>
			walk.leastCount > this.request.most + this.list.pageSize || this.isEnough(walk);
		while (!walk.isComplete && !tooMuch()) await walk.next();
		return walk.isComplete;
	}

	private hasNews({ uploads }: Walk): boolean {
		return uploads.some(
			(upload) => upload.time >= this.request.lower && this.request.isNews(upload),
		);
	}

	private walk(range: Range): Walk {
		// Before 1970 no upload completed; the filter also leaves out uploads that are not completed.
		const completedFrom = Math.max(0, this.request.lower - this.shift);
		return new Walk(this.list, { completedFrom, ...range });
	}

	private whole(walk: Walk): Found {
		this.learn(walk);
		return { uploads: walk.uploads, completeTo: Infinity, filterShift: this.shift };
	}

	private upTo(walk: Walk, uploads: CompletedUpload[]): Found {
		this.learn(walk);
		const completeTo = [...uploads].sort(byTime).at(-1)?.time ?? -Infinity;
		return { uploads, completeTo, filterShift: this.shift };
	}
}
