import { mix } from './random.mts';
import type { Engagement, Upload } from './records.mts';
import type { ServiceModel } from './model.mts';
import type { Settings } from './settings.mts';

type Value = string | number | boolean | null;
type Keys<T> = Readonly<Record<string, (record: T, model: ServiceModel) => Value>>;

/** A field to sort by; the first takes precedence (docs/service.md#lists-and-pages). */
export interface OrderField {
	field: string;
	descending: boolean;
}

/** A query for uploads; times in epoch ms, bounds are inclusive. */
export interface UploadQuery {
	engagementIds?: number[];
	connectorName?: string;
	uploadId?: string;
	createdFrom?: number;
	createdTo?: number;
	completedFrom?: number;
	completedTo?: number;
	orderBy: OrderField[];
}

/** The upload record's fields that `orderBy` may name. */
export const UPLOAD_KEYS: Keys<Upload> = {
	uploadId: (upload) => upload.uploadId,
	uploadStatus: (upload) => upload.status,
	engagementId: (upload) => upload.engagementId,
	creationDate: (upload) => upload.createdAt,
	completionDate: (upload) => upload.completedAt,
	connectorName: (upload) => upload.connectorName,
	uploadType: (upload) => upload.uploadType,
	engagementName: (upload, model) => model.engagements.get(upload.engagementId)?.name ?? null,
	externalEngagementId: (upload, model) =>
		model.engagements.get(upload.engagementId)?.externalEngagementId ?? null,
	smeName: (upload, model) => model.engagements.get(upload.engagementId)?.smeName ?? null,
	smeId: (upload, model) => model.engagements.get(upload.engagementId)?.smeId ?? null,
};

/** The engagement record's fields that `orderBy` may name. */
export const ENGAGEMENT_KEYS: Keys<Engagement> = {
	Id: (engagement) => engagement.id,
	externalEngagementId: (engagement) => engagement.externalEngagementId,
	relationshipManager: (engagement) => engagement.relationshipManager,
	connectorId: (engagement) => Number(engagement.connectorId),
	name: (engagement) => engagement.name,
	status: (engagement) => engagement.status,
	type: (engagement) => engagement.type,
	locale: (engagement) => engagement.locale,
	createdAt: (engagement) => engagement.createdAt,
	'Owner.firstName': (engagement) => engagement.owner.firstName,
	'Owner.lastName': (engagement) => engagement.owner.lastName,
	'Owner.email': (engagement) => engagement.owner.email,
	'Sme.name': (engagement) => engagement.smeName,
};

const MAX_KEPT = 40;

/** The last lists that were made, as long as the model does not change. */
class Kept<T> {
	private readonly lists = new Map<string, readonly T[]>();
	private version = 0;

	get(key: string, version: number, list: () => readonly T[]): readonly T[] {
		if (version !== this.version || this.lists.size > MAX_KEPT) this.lists.clear();
		this.version = version;
		const rows = this.lists.get(key) ?? list();
		this.lists.set(key, rows);
		return rows;
	}
}

/** Sorted lists, cached until the model changes. */
export class Listings {
	private readonly keptUploads = new Kept<Upload>();
	private readonly keptEngagements = new Kept<Engagement>();

	constructor(
		private readonly model: ServiceModel,
		private readonly settings: Settings,
	) {}

	/** All matching uploads, in the requested order. */
	uploads(query: UploadQuery): readonly Upload[] {
		return this.keptUploads.get(this.key(query), this.model.version, () => {
			const matching = matchingUploads(uploadCandidates(this.model, query), query);
			if (query.orderBy.length > 0) {
				return matching.sort(this.comparator(query.orderBy, UPLOAD_KEYS));
			}
			return this.unsorted(matching, (upload) => upload.sequence);
		});
	}

	/** All engagements, or those with one of the external IDs, in the requested order. */
	engagements(externalIds: string[] | undefined, orderBy: OrderField[]): readonly Engagement[] {
		const key = this.key({ externalIds, orderBy });
		return this.keptEngagements.get(key, this.model.version, () => {
			const { engagements } = this.model;
			const matching = externalIds
				? engagements.withExternalIds(externalIds)
				: [...engagements.all];
			if (orderBy.length > 0) return matching.sort(this.comparator(orderBy, ENGAGEMENT_KEYS));
			return this.unsorted(matching, (engagement) => engagement.id);
		});
	}

	private key(query: unknown): string {
		const { unsortedDefault, shuffleSeed, absentSorts } = this.settings;
		return JSON.stringify([query, unsortedDefault, shuffleSeed, absentSorts]);
	}

	private unsorted<T>(rows: T[], sequence: (row: T) => number): T[] {
		const { unsortedDefault, shuffleSeed } = this.settings;
		if (unsortedDefault === 'shuffled') {
			const place = (row: T) => mix(shuffleSeed, sequence(row));
			return rows.sort((a, b) => place(a) - place(b));
		}
		const direction = unsortedDefault === 'creation' ? 1 : -1;
		return rows.sort((a, b) => direction * (sequence(a) - sequence(b)));
	}

	private comparator<T>(orderBy: OrderField[], keys: Keys<T>): (a: T, b: T) => number {
		const absent = this.settings.absentSorts === 'low' ? -1 : 1;
		const parts = orderBy.flatMap(({ field, descending }) => {
			const key = keys[field];
			return key ? [{ key, direction: descending ? -1 : 1 }] : [];
		});
		return (a, b) => {
			for (const { key, direction } of parts) {
				const order = compare(key(a, this.model), key(b, this.model), absent);
				if (order !== 0) return order * direction;
			}
			return 0;
		};
	}
}

function compare(a: Value, b: Value, absent: number): number {
	if (a === b) return 0;
	if (a === null) return absent;
	if (b === null) return -absent;
	return a < b ? -1 : 1;
}

function uploadCandidates(model: ServiceModel, query: UploadQuery): readonly Upload[] {
	const { uploads } = model;
	if (query.uploadId !== undefined)
		return [uploads.get(query.uploadId)].filter((u) => u !== undefined);
	if (query.engagementIds) return [...new Set(query.engagementIds)].flatMap((id) => uploads.of(id));
	const { completedFrom, completedTo } = query;
	if (completedFrom !== undefined || completedTo !== undefined) {
		return uploads.completedBetween(completedFrom ?? -Infinity, completedTo ?? Infinity);
	}
	// Nearly sorted input is sorted in linear time.
	const [first] = query.orderBy;
	if (first?.field === 'completionDate') {
		const ordered = uploads.inCompletionOrder();
		return first.descending ? ordered.toReversed() : ordered;
	}
	return uploads.all;
}

type Filter = (upload: Upload) => boolean;

function between(time: (upload: Upload) => number | null, from?: number, to?: number): Filter[] {
	if (from === undefined && to === undefined) return [];
	const [least, most] = [from ?? -Infinity, to ?? Infinity];
	return [
		(upload) => {
			const at = time(upload);
			return at !== null && at >= least && at <= most;
		},
	];
}

/** A new list of those that match; only the filters in the query are applied, to save time. */
function matchingUploads(candidates: readonly Upload[], query: UploadQuery): Upload[] {
	const { engagementIds, connectorName } = query;
	const filters: Filter[] = [
		...between((upload) => upload.createdAt, query.createdFrom, query.createdTo),
		...between((upload) => upload.completedAt, query.completedFrom, query.completedTo),
	];
	if (engagementIds) filters.push(({ engagementId }) => engagementIds.includes(engagementId));
	if (connectorName !== undefined) filters.push((upload) => upload.connectorName === connectorName);
	if (filters.length === 0) return [...candidates];
	return candidates.filter((upload) => filters.every((filter) => filter(upload)));
}
