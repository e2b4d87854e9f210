import { mix } from './random.mts';
import type { Engagement, Upload } from './records.mts';
import { engagementValues, uploadValues, type Json, type Rendering } from './render.mts';

/** A field to sort by; the first takes precedence (docs/service.md#lists-and-pages). */
export interface OrderField {
	field: string;
	descending: boolean;
}

/** Times in epoch ms, both inclusive. */
interface Range {
	from?: number;
	to?: number;
}

/** A query for uploads. */
interface UploadQuery {
	engagementIds?: number[];
	connectorName?: string;
	uploadId?: string;
	created: Range;
	completed: Range;
	orderBy: OrderField[];
}

const MAX_KEPT = 40;

/** Filtered and sorted lists. */
export class Listings {
	/** The last lists that were made, as long as the model does not change: a list is read page by page. */
	private readonly kept = new Map<string, readonly unknown[]>();

	constructor(private readonly rendering: Rendering) {}

	/** All matching uploads, in the requested order. */
	uploads(query: UploadQuery): readonly Upload[] {
		return this.keep(query, () => {
			const matching = this.rendering.model.uploads.all.filter((upload) => matches(upload, query));
			return this.sort(
				matching,
				query.orderBy,
				({ sequence }) => sequence,
				(upload) => uploadValues(this.rendering, upload),
			);
		});
	}

	/** All engagements, or those with one of the external IDs, in the requested order. */
	engagements(externalIds: string[] | undefined, orderBy: OrderField[]): readonly Engagement[] {
		return this.keep(['engagements', externalIds, orderBy], () => {
			// They need not be unique.
			const wanted = externalIds && new Set<string | null>(externalIds);
			const matching = this.rendering.model.engagements.all.filter(
				({ externalEngagementId }) => wanted?.has(externalEngagementId) ?? true,
			);
			return this.sort(matching, orderBy, ({ id }) => id, engagementValues);
		});
	}

	private keep<T>(query: unknown, list: () => readonly T[]): readonly T[] {
		const { model, settings } = this.rendering;
		const key = JSON.stringify([query, settings, model.version]);
		if (this.kept.size > MAX_KEPT) this.kept.clear();
		const rows = (this.kept.get(key) as readonly T[] | undefined) ?? list();
		this.kept.set(key, rows);
		return rows;
	}

	private sort<T>(
		rows: T[],
		orderBy: OrderField[],
		sequence: (row: T) => number,
		valuesOf: (row: T) => Json,
	): T[] {
		const { unsortedDefault } = this.rendering.settings;
		const listKeys = (row: T): unknown[] => {
			if (orderBy.length > 0) {
				const values = valuesOf(row);
				return orderBy.map(({ field }) => readPath(values, field) ?? null);
			}
			if (unsortedDefault === 'shuffled') return [mix(1, sequence(row))];
			return [unsortedDefault === 'creation' ? sequence(row) : -sequence(row)];
		};
		return rows
			.map((row) => ({ row, keys: listKeys(row) }))
			.sort((one, other) => {
				for (const [index, key] of one.keys.entries()) {
					const order = compare(key, other.keys[index]);
					if (order !== 0) return orderBy[index]?.descending ? -order : order;
				}
				return 0;
			})
			.map(({ row }) => row);
	}
}

function matches(upload: Upload, query: UploadQuery): boolean {
	const { uploadId, connectorName, engagementIds } = query;
	return (
		(uploadId === undefined || uploadId === upload.uploadId) &&
		(connectorName === undefined || connectorName === upload.connectorName) &&
		(engagementIds?.includes(upload.engagementId) ?? true) &&
		isIn(upload.createdAt, query.created) &&
		isIn(upload.completedAt, query.completed)
	);
}

function isIn(time: number | null, { from, to }: Range): boolean {
	if (from === undefined && to === undefined) return true;
	return time !== null && time >= (from ?? -Infinity) && time <= (to ?? Infinity);
}

/** The value of a field such as `Owner.email`. */
function readPath(record: Json, path: string): unknown {
	return path.split('.').reduce<unknown>((value, name) => (value as Json)[name], record);
}

/** Absent values come first. */
function compare(one: unknown, other: unknown): number {
	if (one === other) return 0;
	if (one === null || other === null) return one === null ? -1 : 1;
	return (one as string | number) < (other as string | number) ? -1 : 1;
}
