/**
 * The uploads of engagements, as far as data status depends on them: the last one, and the last one
 * that completed. Invariant: an engagement counts as one without uploads only if a list that was
 * answered leaves it out.
 */
import { listUploads } from '../../service/endpoints';
import type { Upload } from '../../service/records';
import { completionTime, hasCompleted } from '../../service/uploadStatus';
import { findLastUploads, findUploads, type UploadsOptions } from '../../lookups/uploads';
import type { UploadHistory } from '../../service/dataStatus';
import type { ServiceClient } from '../../transport/client';
import { fitsUrl } from '../../transport/address';
import { isAboutRequest, isNotFound } from '../../transport/errors';
import { readList } from '../../transport/pages';
import { formatFilterTime, parseTime } from '../../values/dates';
import { isAbsent, toText } from '../../values/text';

const DAY = 24 * 3_600_000;

export class UploadHistories {
	/** Whether the service has answered for any engagement. */
	private hasAnswered = false;

	private constructor(
		private readonly client: ServiceClient,
		/** The newest of the recent uploads of each engagement. */
		private readonly recent: ReadonlyMap<string, Upload>,
	) {}

	/** Reads the recent uploads, once for all items. */
	static async open(
		client: ServiceClient,
		items: Array<{ values: { stuckAfter: number; options: { pageSize: number } } }>,
	): Promise<UploadHistories> {
		const recent = new Map<string, Upload>();
		const window = items.reduce((most, { values }) => Math.max(most, 2 * values.stuckAfter), DAY);
		const createdDateFrom = formatFilterTime(client.serviceTime - window, client.zone);
		const pageSize = items[0]?.values.options.pageSize;
		const uploads =
			items.length > 0
				? await readList(client, listUploads({ createdDateFrom }), { pageSize })
				: [];
		for (const upload of uploads) {
			const id = toText(upload.engagementId);
			recent.set(id, pickNewer(recent.get(id), upload, client.zone) ?? upload);
		}
		return new UploadHistories(client, recent);
	}

	/**
	 * The histories of engagements, by ID, without those for which the service does not answer.
	 * @throws if it answers for none
	 */
	async find(listedIds: string[], options: UploadsOptions): Promise<Map<string, UploadHistory>> {
		const { client, recent } = this;
		const ids = listedIds.filter((id) => !isAbsent(id) && fitsUrl(id));
		const last = await findLastUploads(client, ids, options);
		const histories = new Map<string, UploadHistory>();
		for (const id of ids.filter((each) => !last.errors.has(each))) {
			// What the service calls the last upload may be the last successful one
			// (docs/service.md#last-uploads), so a newer one counts.
			const newest = pickNewer(last.get(id), recent.get(id), client.zone);
			const completed = [newest, last.get(id)].find((each) => each && this.isCompleted(each));
			histories.set(id, { last: newest, completed });
		}
		this.hasAnswered ||= histories.size > 0;
		for (const error of last.errors.values())
			if (!isAboutRequest(error) || (!isNotFound(error) && !this.hasAnswered)) throw error;

		const missing = [...last.errors].filter(([, error]) => isNotFound(error)).map(([id]) => id);
		const incomplete = [...histories]
			.filter(([, history]) => history.last !== undefined && history.completed === undefined)
			.map(([id]) => id);
		const purpose = (whose: string) => `get the last completed upload of ${whose}`;
		const listed = await findUploads(client, [...missing, ...incomplete], { ...options, purpose });
		for (const error of listed.errors.values()) if (!isAboutRequest(error)) throw error;
		for (const id of missing) {
			// The service may refuse to look for an engagement without uploads.
			if (listed.values.get(id)?.length === 0) histories.set(id, {});
			else if (!this.hasAnswered) throw last.errors.get(id);
		}
		for (const id of incomplete) {
			const completed = this.lastCompleted(listed.values.get(id) ?? []);
			histories.set(id, { ...histories.get(id), completed });
		}
		return histories;
	}

	private isCompleted(upload: Upload): boolean {
		return hasCompleted(upload, this.client.zone);
	}

	private lastCompleted(uploads: Upload[]): Upload | undefined {
		const completion = (upload: Upload) => completionTime(upload, this.client.zone) ?? -Infinity;
		return uploads
			.filter((each) => this.isCompleted(each))
			.reduce<
				Upload | undefined
			>((last, each) => (last && completion(last) >= completion(each) ? last : each), undefined);
	}
}

/** The upload that was created later; if neither was, the first. */
function pickNewer(
	first: Upload | undefined,
	second: Upload | undefined,
	zone: string,
): Upload | undefined {
	const created = (upload: Upload) => parseTime(upload.creationDate, zone) ?? -Infinity;
	if (first === undefined || second === undefined) return first ?? second;
	return created(second) > created(first) ? second : first;
}
