/** Filtered and sorted lists. */
import type { Engagement, Upload } from './records.mts';
import { engagementValues, uploadValues, type Json, type Rendering } from './render.mts';
import type { Settings } from './settings.mts';

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

/** All matching uploads, in the requested order. */
export function findUploads(rendering: Rendering, query: UploadQuery): Upload[] {
	const { model, settings } = rendering;
	const key = JSON.stringify([query, settings]);
	const kept = model.lists.get(key);
	if (kept !== undefined) return kept;
	const found = model.uploads.all.filter((upload) => matches(upload, query));
	const list = sort(found, query.orderBy, settings, (upload) => uploadValues(rendering, upload));
	model.lists.set(key, list);
	return list;
}

/** All engagements, or those with one of the external IDs, in the requested order. */
export function findEngagements(
	{ model, settings }: Rendering,
	externalIds: string[] | undefined,
	orderBy: OrderField[],
): Engagement[] {
	// They need not be unique.
	const wanted = externalIds && new Set<string | null>(externalIds);
	const found = model.engagements.all.filter(
		({ externalEngagementId }) => wanted?.has(externalEngagementId) ?? true,
	);
	return sort(found, orderBy, settings, engagementValues);
}

/** Of records in the order of their creation, which also breaks ties. */
function sort<T>(
	rows: T[],
	orderBy: OrderField[],
	{ unsortedDefault }: Settings,
	valuesOf: (row: T) => Json,
): T[] {
	if (orderBy.length === 0 && unsortedDefault === 'creation') return rows;
	if (orderBy.length === 0 && unsortedDefault === 'newestFirst') return rows.reverse();
	const order = orderBy.length === 0 ? [{ field: 'uploadId', descending: false }] : orderBy;
	const keyed = rows.map((row) => {
		const values = valuesOf(row);
		return { row, keys: order.map(({ field }) => readPath(values, field) ?? null) };
	});
	keyed.sort((one, other) => {
		for (const [index, { descending }] of order.entries()) {
			const result = compare(one.keys[index], other.keys[index]);
			if (result !== 0) return descending ? -result : result;
		}
		return 0;
	});
	return keyed.map(({ row }) => row);
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
