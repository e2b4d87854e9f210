/**
 * The uploads on which the data status of engagements depends: the last one, and the last one that completed.
 * Invariant: an engagement counts as one without uploads only if the service answered and listed none. One for
 * which requests are rejected is unknown. If only the list of recent uploads is rejected, the last uploads decide.
 */
import { listUploads } from '../../service/endpoints';
import type { Upload } from '../../service/uploadRecords';
import { completionTime, hasCompleted, pickNewer } from '../../service/uploadStatus';
import { findLastUploads, findUploads, type UploadsOptions } from '../../lookups/uploads';
import { isDisabled, type UploadHistory } from '../../service/dataStatus';
import { findFault, fullText, isAboutRequest, rethrow } from '../../transport/errors';
import { readList } from '../../transport/pages';
import { DAY } from '../../values/clock';
import { formatFilterTime } from '../../values/dates';
import { isAbsent, toText } from '../../values/text';
import type { Run } from '../run';

export class UploadHistories {
	/** Whether the service has answered for any engagement. */
	private hasAnswered = false;
	private recent: Promise<Map<string, Upload>> | undefined;
	/** Whether each engagement with an upload is disabled, by ID. */
	private readonly areDisabled = new Map<string, boolean>();

	/** `stuckAfter` decides how far back recent uploads are read. */
	constructor(
		private readonly run: Run,
		private readonly stuckAfter: number,
	) {}

	/**
	 * The histories of engagements by ID, without those for which the service rejects the requests.
	 * @throws if it rejects all
	 */
	async find(listedIds: string[], options: UploadsOptions): Promise<Map<string, UploadHistory>> {
		const { client } = this.run;
		const ids = listedIds.filter((id) => !isAbsent(id));
		const histories = new Map<string, UploadHistory>();
		if (ids.length === 0) return histories;
		this.recent ??= this.readRecent(options);
		const [last, recent] = await Promise.all([findLastUploads(client, ids, options), this.recent]);
		for (const id of ids.filter((each) => !last.errors.has(each))) {
			// What the service calls the last upload may be the last successful one
			// (docs/service.md#last-uploads), so a newer one counts.
			const newest = pickNewer(last.get(id), recent.get(id), client.zone);
			const completed = [newest, last.get(id)].find(
				(each) => each && hasCompleted(each, client.zone),
			);
			histories.set(id, { last: newest, completed });
		}
		this.hasAnswered ||= histories.size > 0;
		for (const error of last.errors.values())
			if (!isAboutRequest(error) || !this.hasAnswered) throw error;
		await this.addCompleted(histories, options);
		for (const [id, history] of histories) this.note(id, history);
		return histories;
	}

	private note(id: string, history: UploadHistory): void {
		if (history.last === undefined) return;
		this.areDisabled.set(id, isDisabled(history));
		if (!isDisabled(history)) this.run.noteStatus(history.last);
	}

	/** Adds a hint if most engagements are disabled, in case the service means something else. */
	addHint(): void {
		const { size } = this.areDisabled;
		const disabled = [...this.areDisabled.values()].filter(Boolean).length;
		if (disabled > size / 2) this.run.hints.add('mostDisabled', `${disabled} of ${size}`);
	}

	/** The newest of the recent uploads of each engagement, by its ID. */
	private async readRecent(options: UploadsOptions): Promise<Map<string, Upload>> {
		const { client, hints } = this.run;
		const { serviceTime, zone } = client;
		const from = serviceTime - Math.max(DAY, 2 * this.stuckAfter);
		const query = { createdDateFrom: formatFilterTime(from, zone) };
		const request = listUploads(query, 'get the recent uploads');
		const { pageSize } = options;
		const newest = new Map<string, Upload>();
		try {
			for (const upload of await readList(client, request, { pageSize })) {
				const id = toText(upload.engagementId);
				newest.set(id, pickNewer(newest.get(id), upload, zone) ?? upload);
			}
		} catch (error) {
			if (findFault(error) !== 'request') rethrow(error);
			hints.add('withoutRecent', fullText(error));
		}
		return newest;
	}

	/** Adds the last completed uploads of engagements whose last upload has not completed. */
	private async addCompleted(
		histories: Map<string, UploadHistory>,
		options: UploadsOptions,
	): Promise<void> {
		const incomplete = [...histories].filter(
			([, { last, completed }]) => last !== undefined && completed === undefined,
		);
		const ids = incomplete.map(([id]) => id);
		const purpose = 'get the last completed uploads';
		const { values, errors } = await findUploads(this.run.client, ids, { ...options, purpose });
		for (const error of errors.values()) if (!isAboutRequest(error)) throw error;
		for (const [id, { last }] of incomplete) {
			const completed = this.findCompleted(values.get(id) ?? []);
			histories.set(id, { last, completed, isCompletedUnknown: !values.has(id) });
		}
	}

	/** The upload that completed last. */
	private findCompleted(uploads: Upload[]): Upload | undefined {
		const { zone } = this.run.client;
		const completion = (upload: Upload) => completionTime(upload, zone) ?? -Infinity;
		return uploads
			.filter((each) => hasCompleted(each, zone))
			.toSorted((one, other) => completion(other) - completion(one))[0];
	}
}
