/**
 * The uploads of engagements, as far as data status depends on them: the last one, and the last one
 * that completed. Invariant: an engagement counts as one without uploads only if a list that was
 * answered leaves it out.
 */
import { listUploads, MAX_ENGAGEMENT_IDS } from '../api/endpoints';
import type { Upload } from '../api/records';
import { completionTime, hasCompleted } from '../api/uploadStatus';
import type { ServiceClient } from '../transport/client';
import type { Call } from '../transport/request';
import { isAboutRequest, isNotFound } from '../transport/errors';
import { inSlices } from '../values/clock';
import { readList } from '../transport/pages';
import { formatFilterTime, parseTime } from '../values/dates';
import { toText } from '../values/text';
import type { UploadHistory } from '../output/dataStatus';
import { Access } from './access';
import { Batch } from './batch';
import { lastUploadsBatch, type LastUploadsOptions } from './lastUploads';

const DAY = 24 * 3_600_000;

/** What the service answered for each ID, or why it refused to. */
interface Answers<Value> {
	found: Map<string, Value | undefined>;
	refused: Map<string, unknown>;
}

/** The histories of a run; recent uploads are read once for all of them. */
export class UploadHistories {
	private window = DAY;
	private pageSize: number | undefined;
	private recent: Promise<ReadonlyMap<string, Upload>> | undefined;
	/** Whether the service has answered for any engagement. */
	private hasAnswered = false;

	constructor(private readonly client: ServiceClient) {}

	/** Extends what counts as recent to this many milliseconds; called before anything is sent. */
	include(window: number, pageSize: number): void {
		this.window = Math.max(this.window, window);
		this.pageSize ??= pageSize;
	}

	/**
	 * The histories of engagements by their IDs, without those for which the service does not answer.
	 * @throws if it answers for none
	 */
	async of(ids: string[], options: LastUploadsOptions): Promise<Map<string, UploadHistory>> {
		const { zone } = this.client;
		const access = new Access();
		const [recent, last] = await Promise.all([
			(this.recent ??= this.readRecent()),
			answersOf(lastUploadsBatch(this.client, options, access), ids),
		]);
		this.hasAnswered ||= access.hasSucceeded;
		/** The service may refuse to look for an engagement without uploads. */
		const missing: string[] = [];
		for (const [id, error] of last.refused) {
			const isMissing = isNotFound(error) && !access.isDenied;
			if (!isMissing && !this.hasAnswered) throw error;
			if (isMissing) missing.push(id);
		}
		const histories = new Map<string, UploadHistory>();
		const incomplete: string[] = [];
		for await (const [id, upload] of inSlices(last.found)) {
			// What the service calls the last upload may be the last successful one
			// (docs/service.md#last-uploads), so a newer one counts.
			const newest = newerOf(upload, recent.get(id), zone);
			const completed = [newest, upload].find((each) => each && hasCompleted(each, zone));
			histories.set(id, { last: newest, completed });
			if (newest !== undefined && completed === undefined) incomplete.push(id);
		}
		const listed = await this.listed([...missing, ...incomplete], options);
		for (const id of missing) {
			const hasNone = listed.found.has(id) && listed.found.get(id) === undefined;
			if (hasNone) histories.set(id, {});
			else if (!this.hasAnswered) throw last.refused.get(id);
		}
		for (const id of incomplete) {
			const upload = listed.found.get(id);
			if (upload !== undefined && hasCompleted(upload, zone))
				histories.set(id, { ...histories.get(id), completed: upload });
		}
		return histories;
	}

	/** The newest of the recent uploads of each engagement. */
	private async readRecent(): Promise<ReadonlyMap<string, Upload>> {
		const { serviceTime, zone } = this.client;
		const createdDateFrom = formatFilterTime(serviceTime - this.window, zone);
		const newest = new Map<string, Upload>();
		const note = (upload: Upload) => {
			const id = toText(upload.engagementId);
			newest.set(id, newerOf(newest.get(id), upload, zone) ?? upload);
			return false;
		};
		await readList(this.client, listUploads({ createdDateFrom }), {
			pageSize: this.pageSize,
			matches: note,
		});
		return newest;
	}

	/** Of each engagement with uploads, the one that completed last, or another if none did. */
	private async listed(ids: string[], options: LastUploadsOptions): Promise<Answers<Upload>> {
		const access = new Access();
		const batch = new Batch(
			{
				fetch: async (keys, retries) => await this.fetchListed(keys, { ...options, ...retries }),
				maxKeys: MAX_ENGAGEMENT_IDS,
				maxCharacters: this.client.remainingLength(listOf([])),
			},
			access,
		);
		const answers = await answersOf(batch, ids);
		const [error] = answers.refused.values();
		if (error !== undefined && !access.hasSucceeded && !this.hasAnswered) throw error;
		return answers;
	}

	private async fetchListed(
		ids: string[],
		{
			pageSize,
			timeout,
			retriesServerErrors,
		}: LastUploadsOptions & Pick<Call, 'retriesServerErrors'>,
	): Promise<Map<string, Upload>> {
		const { client } = this;
		const asked = new Set(ids);
		const kept = new Map<string, Upload>();
		const completion = (upload: Upload) => completionTime(upload, client.zone) ?? -Infinity;
		const note = (upload: Upload) => {
			const id = toText(upload.engagementId ?? (ids.length === 1 ? ids[0] : ''));
			const other = kept.get(id);
			// The service may ignore the filter by engagement.
			if (asked.has(id) && (other === undefined || completion(upload) > completion(other)))
				kept.set(id, upload);
			return false;
		};
		await readList(
			client,
			{ ...listOf(ids), timeout, retriesServerErrors },
			{ pageSize, matches: note },
		);
		return kept;
	}
}

function listOf(ids: string[]) {
	const whose = ids.length === 1 ? `engagement ${ids[0]}` : 'the engagements';
	return listUploads({ engagementId: ids.join(',') }, `get the last completed upload of ${whose}`);
}

/** @throws an error that is not about single engagements */
async function answersOf<Value>(batch: Batch<Value>, ids: string[]): Promise<Answers<Value>> {
	for (const id of ids) batch.add(id);
	const answers: Answers<Value> = { found: new Map(), refused: new Map() };
	for await (const id of inSlices(ids)) {
		await batch.get(id).then(
			(value) => answers.found.set(id, value),
			async (error: unknown) =>
				isAboutRequest(error)
					? answers.refused.set(id, error)
					: await Promise.reject(error as Error),
		);
	}
	return answers;
}

/** The upload that was created later; if neither was, the first. */
function newerOf(
	first: Upload | undefined,
	second: Upload | undefined,
	zone: string,
): Upload | undefined {
	const created = (upload: Upload) => parseTime(upload.creationDate, zone) ?? -Infinity;
	if (first === undefined || second === undefined) return first ?? second;
	return created(second) > created(first) ? second : first;
}
