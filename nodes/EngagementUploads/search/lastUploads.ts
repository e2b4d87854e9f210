/** The last uploads of engagements, many per request, and recent uploads. */
import type { Upload } from '../api/records';
import { listLastUploads, listUploads, MAX_ENGAGEMENT_IDS } from '../api/endpoints';
import type { ServiceClient } from '../transport/client';
import type { ApiRequest } from '../transport/request';
import { readList } from '../transport/lists/list';
import type { Query } from '../transport/http/url';
import { formatFilterTime, parseTime } from '../values/dates';
import { isAbsent, toText } from '../values/text';
import { Batch } from './batch';

const DAY = 24 * 3_600_000;

/** How last uploads are requested, besides the engagements. */
export interface LastUploadsOptions {
	pageSize: number;
	query?: Query;
	/** milliseconds */
	timeout: number;
}

/** A batch that finds the last upload of an engagement by its ID. */
export function lastUploadsBatch(
	client: ServiceClient,
	options: LastUploadsOptions,
): Batch<Upload> {
	return new Batch({
		fetch: async (ids, retries) => await fetchLastUploads(client, ids, { ...options, ...retries }),
		maxKeys: MAX_ENGAGEMENT_IDS,
		maxCharacters: client.remainingLength(listLastUploads([], options.query)),
	});
}

async function fetchLastUploads(
	client: ServiceClient,
	ids: string[],
	{ pageSize, query, ...options }: LastUploadsOptions & Pick<ApiRequest, 'isTriedOnce'>,
): Promise<Map<string, Upload>> {
	const request = { ...listLastUploads(ids, query), ...options };
	const found = new Map<string, Upload>();
	// If the service sends several for an engagement, the first one is the latest.
	const isLast = (record: Upload) => {
		const id = toText(record.engagementId ?? (ids.length === 1 ? ids[0] : ''));
		if (isAbsent(record.uploadId) || found.has(id) || !ids.includes(id)) return false;
		found.set(id, record);
		return true;
	};
	// A list without page fields needs no further request once there is one for each.
	await readList(client, request, { pageSize, limit: ids.length, matches: isLast });
	return found;
}

/** Recent uploads, by engagement: fetched once for all items of a run. */
export class RecentUploads {
	private window = DAY;
	private pageSize: number | undefined;
	private newest: Promise<ReadonlyMap<string, Upload>> | undefined;

	constructor(private readonly client: ServiceClient) {}

	/** Extends what is read to this many milliseconds before now; called before anything is sent. */
	include(window: number, pageSize: number): void {
		this.window = Math.max(this.window, window);
		this.pageSize ??= pageSize;
	}

	/** The newest of them for each engagement, by its ID. */
	async byEngagement(): Promise<ReadonlyMap<string, Upload>> {
		this.newest ??= this.read();
		return await this.newest;
	}

	private async read(): Promise<ReadonlyMap<string, Upload>> {
		const { serviceTime, zone } = this.client;
		const createdDateFrom = formatFilterTime(serviceTime - this.window, zone);
		const newest = new Map<string, Upload>();
		const note = (upload: Upload) => {
			const id = toText(upload.engagementId);
			if (isNewer(upload, newest.get(id), zone)) newest.set(id, upload);
			return false;
		};
		await readList(this.client, listUploads({ createdDateFrom }), {
			pageSize: this.pageSize,
			matches: note,
		});
		return newest;
	}
}

/** Whether an upload was created after another, if there is one. */
export function isNewer(upload: Upload, other: Upload | undefined, zone: string): boolean {
	if (other === undefined) return true;
	const [created = -Infinity, before = -Infinity] = [upload, other].map(({ creationDate }) =>
		parseTime(creationDate, zone),
	);
	return created > before;
}
