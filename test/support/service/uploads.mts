import type { Upload } from './records.mts';

/** The latest of these uploads: the one started last, whatever its status. */
export function latestOf(uploads: readonly Upload[]): Upload | undefined {
	let latest: Upload | undefined;
	for (const upload of uploads) {
		if (latest === undefined || upload.createdAt >= latest.createdAt) latest = upload;
	}
	return latest;
}

function completionOrder(a: Upload, b: Upload): number {
	return (a.completedAt ?? Infinity) - (b.completedAt ?? Infinity) || a.sequence - b.sequence;
}

/** All uploads, indexed by ID, by engagement and by time of completion. */
export class Uploads {
	/** In creation order. */
	readonly all: Upload[] = [];
	/** How many there have ever been. */
	added = 0;
	private readonly byId = new Map<string, Upload>();
	private readonly byEngagement = new Map<number, Upload[]>();
	private completion: Upload[] = [];
	private sorted = true;

	add(upload: Upload): void {
		this.added += 1;
		this.all.push(upload);
		this.byId.set(upload.uploadId, upload);
		const siblings = this.byEngagement.get(upload.engagementId);
		if (siblings) siblings.push(upload);
		else this.byEngagement.set(upload.engagementId, [upload]);
		this.completion.push(upload);
		this.sorted = false;
	}

	remove(upload: Upload): void {
		const without = (list: Upload[]) => list.splice(list.indexOf(upload), 1);
		without(this.all);
		without(this.completion);
		without(this.byEngagement.get(upload.engagementId) ?? []);
		this.byId.delete(upload.uploadId);
	}

	/** Must be called when an upload's completion has changed. */
	completionChanged(): void {
		this.sorted = false;
	}

	get(uploadId: string): Upload | undefined {
		return this.byId.get(uploadId);
	}

	/** The upload with this ID; throws if there is none. */
	existing(uploadId: string): Upload {
		const upload = this.byId.get(uploadId);
		if (!upload) throw new Error(`There is no upload ${uploadId}`);
		return upload;
	}

	/** Uploads of an engagement, in creation order. */
	of(engagementId: number): readonly Upload[] {
		return this.byEngagement.get(engagementId) ?? [];
	}

	/** All uploads, oldest completion first, uncompleted ones last. */
	inCompletionOrder(): readonly Upload[] {
		// Nearly sorted input is sorted in linear time.
		if (!this.sorted) this.completion.sort(completionOrder);
		this.sorted = true;
		return this.completion;
	}

	/** Completed uploads with `from <= completedAt <= to`, oldest first. */
	completedBetween(from: number, to: number): readonly Upload[] {
		const ordered = this.inCompletionOrder();
		const end = Math.min(to, Number.MAX_SAFE_INTEGER);
		return ordered.slice(firstAfter(ordered, from - 0.5), firstAfter(ordered, end));
	}
}

function firstAfter(ordered: readonly Upload[], time: number): number {
	let low = 0;
	let high = ordered.length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if ((ordered[middle]?.completedAt ?? Infinity) > time) high = middle;
		else low = middle + 1;
	}
	return low;
}
