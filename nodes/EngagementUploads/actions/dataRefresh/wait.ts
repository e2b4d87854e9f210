/**
 * Waits for the uploads of several data refreshes at once. Invariant: an upload counts as refreshed
 * only if it was not the engagement's last upload before its refresh was sent.
 */
import { listConnectorUploads } from '../../api/endpoints';
import type { Upload } from '../../api/records';
import type { Options } from '../../fields/options';
import { lastUploadsBatch } from '../../lookups/lastUploads';
import type { ServiceClient } from '../../transport/client';
import { isTemporary } from '../../transport/errors';
import { readList } from '../../transport/list';
import { systemClock, type Clock } from '../../transport/pool';
import { parseTime } from '../../values/dates';
import { InputError } from '../../values/inputError';
import { isAbsent, toText } from '../../values/text';

/** What to wait for. */
export interface Expectation {
	engagementId: number;
	connector: string;
	/** The engagement's last upload before the refresh was sent. */
	before: Upload | undefined;
	options: Pick<Options, 'waitInterval' | 'waitTimeout'>;
}

/** A wait and its result: the new upload's record, or the failure. */
export interface AwaitedUpload extends Expectation {
	/** epoch milliseconds */
	until: number;
	lastStatus?: string;
	record?: Upload;
	failure?: unknown;
}

const PAGE_SIZE = 100;
/** Words that mark a status as failed, and words that override them, as in COMPLETED_WITH_ERROR. */
const FAILED = /\b(failed|failure|aborted|cancell?ed|rejected|error)\b/i;
const NOT_FAILED = /\b(no|not|without|completed)\b/i;

export class RefreshWait {
	private readonly engagements: Array<() => Promise<number>> = [];
	private readonly awaited: AwaitedUpload[] = [];
	private baseline: Promise<ReturnType<typeof lastUploadsBatch>> | undefined;

	constructor(
		private readonly client: ServiceClient,
		private readonly clock: Clock = systemClock,
	) {}

	/** Registers an engagement whose last upload must be known before the first refresh is sent. */
	willRefresh(engagementId: () => Promise<number>): void {
		this.engagements.push(engagementId);
	}

	/**
	 * The engagement's last upload before its refresh is sent. Waits for an earlier refresh of the
	 * same engagement and connector, since otherwise nobody could tell which upload belongs to
	 * which refresh.
	 */
	async lastUploadBefore(engagementId: number, connector: string): Promise<Upload | undefined> {
		const key = String(engagementId);
		const earlier = this.awaited.filter((wait) => wait.engagementId === engagementId);
		await this.ended(earlier.filter((wait) => isSame(wait.connector, connector)));
		// Already refreshed in this run: the lookup from the start is out of date.
		if (earlier.length > 0) {
			const batch = this.batch();
			batch.add(key);
			return await batch.get(key);
		}
		this.baseline ??= this.lookUpAll();
		return await (await this.baseline).get(key);
	}

	/** Starts the clock of a wait once its refresh was accepted. */
	expect(expectation: Expectation): AwaitedUpload {
		const wait = { ...expectation, until: this.clock.now() + expectation.options.waitTimeout };
		this.awaited.push(wait);
		return wait;
	}

	/**
	 * Polls once per interval, with one request for many engagements, until every wait has ended.
	 */
	async all(): Promise<void> {
		await this.ended(this.awaited);
	}

	private async ended(waits: AwaitedUpload[]): Promise<void> {
		for (let open = waits.filter(isOpen); open.length > 0; open = waits.filter(isOpen)) {
			const interval = Math.min(...open.map(({ options }) => options.waitInterval));
			const soonest = Math.min(...open.map(({ until }) => until));
			await this.client.pool.wait(Math.max(1, Math.min(interval, soonest - this.clock.now())));
			await this.look(open);
		}
	}

	private async look(open: AwaitedUpload[]): Promise<void> {
		const batch = this.batch();
		for (const { engagementId } of open) batch.add(String(engagementId));
		for (const wait of open) {
			try {
				const last = await batch.get(String(wait.engagementId));
				const isHidden = last !== undefined && isOfAnother(wait.connector, last);
				this.judge(wait, isHidden ? await this.firstNewOf(wait) : last);
			} catch (error) {
				if (!isTemporary(error)) wait.failure = error;
			}
			if (this.clock.now() >= wait.until && wait.record === undefined)
				wait.failure ??= tookTooLong(wait);
		}
	}

	/** The last upload may be of another connector and hide the expected one. */
	private async firstNewOf(wait: AwaitedUpload): Promise<Upload | undefined> {
		const { engagementId, connector } = wait;
		const purpose = `look for the refreshed upload of engagement ${engagementId}`;
		const request = listConnectorUploads(engagementId, connector, undefined, purpose);
		const records = await readList(this.client, request, { pageSize: PAGE_SIZE });
		const createdAt = (record: Upload) => parseTime(record.creationDate, this.client.zone) ?? 0;
		return records
			.filter((record) => this.isNew(wait, record))
			.sort((a, b) => createdAt(a) - createdAt(b))[0];
	}

	private judge(wait: AwaitedUpload, record: Upload | undefined): void {
		if (record === undefined || !this.isNew(wait, record)) return;
		const status = toText(record.status ?? record.uploadStatus ?? 'unknown');
		wait.lastStatus = status;
		if (tellsOfFailure(status)) wait.failure = failed(wait, record);
		else if (!isAbsent(record.completionDate)) wait.record = record;
	}

	private isNew({ before, connector }: AwaitedUpload, record: Upload): boolean {
		if (before !== undefined && toText(before.uploadId) === toText(record.uploadId)) return false;
		if (isOfAnother(connector, record)) return false;
		const [started, startedBefore] = [record, before].map((each) =>
			parseTime(each?.creationDate, this.client.zone),
		);
		return started === undefined || startedBefore === undefined || started >= startedBefore;
	}

	private async lookUpAll(): Promise<ReturnType<typeof lastUploadsBatch>> {
		const batch = this.batch();
		const found = await Promise.allSettled(
			this.engagements.map(async (engagementId) => await engagementId()),
		);
		for (const result of found) if (result.status === 'fulfilled') batch.add(String(result.value));
		return batch;
	}

	private batch() {
		return lastUploadsBatch(this.client, {
			pageSize: PAGE_SIZE,
			timeout: this.client.options.timeout,
		});
	}
}

function isOpen({ record, failure }: AwaitedUpload): boolean {
	return record === undefined && failure === undefined;
}

function isOfAnother(connector: string, { connectorName }: Upload): boolean {
	return typeof connectorName === 'string' && !isSame(connectorName, connector);
}

function isSame(connector: string, other: string): boolean {
	return connector.toLowerCase() === other.toLowerCase();
}

function tellsOfFailure(status: string): boolean {
	const words = status.replace(/[\W_]+/g, ' ');
	return FAILED.test(words) && !NOT_FAILED.test(words);
}

function failed({ engagementId, lastStatus }: AwaitedUpload, { uploadId }: Upload): InputError {
	return new InputError(
		`The refreshed upload ${toText(uploadId)} of engagement ${engagementId} has failed (status ${lastStatus})`,
		'Check its steps with Upload > Get Workflow, then run the refresh again',
	);
}

function tookTooLong({ engagementId, lastStatus, options }: AwaitedUpload): InputError {
	const seen =
		lastStatus === undefined ? 'no new upload has appeared' : `last status ${lastStatus}`;
	return new InputError(
		`The refreshed upload of engagement ${engagementId} was not complete after ${options.waitTimeout / 60_000} minutes (${seen})`,
		'The refresh is still running in the service. Check later with Upload > Get Last, or increase Wait Timeout',
	);
}
