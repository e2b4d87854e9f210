/**
 * Waits for the uploads that data refreshes have started, for all together. Invariant: an upload that an engagement
 * had before the run's first refresh is none of them.
 */
import type { IDataObject } from 'n8n-workflow';
import type { Answers } from '../../lookups/lookUp';
import { findUploads } from '../../lookups/uploads';
import { simplify } from '../../service/kind';
import { upload as uploadKind, type Upload } from '../../service/uploadRecords';
import { hasCompleted, isFailedStatus, readStatus } from '../../service/uploadStatus';
import { isTemporary } from '../../transport/errors';
import { HOUR, MINUTE, SECOND, systemClock } from '../../values/clock';
import { formatFilterTime, parseTime } from '../../values/dates';
import { InputError } from '../../values/inputError';
import { foldCase } from '../../values/text';
import type { Outcome } from '../retryMemory';
import type { Run } from '../run';

/** How far back uploads are listed: further than any two time zones are apart. */
const WINDOW = 48 * HOUR;
const INTERVAL = 10 * SECOND;

/** A refresh whose upload is awaited. */
interface Refresh {
	index: number;
	engagementId: number;
	answer: IDataObject;
	/** How long to wait, in milliseconds. */
	timeout: number;
}

export class Wait {
	private readonly refreshes: Refresh[] = [];
	private readonly createdDateFrom: string;
	/** What each engagement had before; an error if that could not be listed. */
	private before: Answers<Upload[]> | undefined;

	constructor(private readonly run: Run) {
		const { serviceTime, zone } = run.client;
		this.createdDateFrom = formatFilterTime(serviceTime - WINDOW, zone);
	}

	/** Lists the uploads before the first refresh. */
	async begin(engagementIds: string[]): Promise<void> {
		this.before = await this.list(
			engagementIds,
			'look for earlier uploads, so no refresh was sent',
		);
	}

	/** @throws if an engagement's earlier uploads could not be listed */
	assertBegun(engagementId: string): void {
		this.before?.get(engagementId);
	}

	/** Notes a refresh that was sent. */
	add(refresh: Refresh): void {
		this.refreshes.push(refresh);
	}

	/** Lists the uploads once per interval, until each refresh has ended. */
	async end(): Promise<void> {
		const { run } = this;
		const start = systemClock.now();
		const timeLeft = ({ timeout }: Refresh) => start + timeout - systemClock.now();
		const ended = new Map<number, Outcome>();
		for (let open = this.refreshes; open.length > 0; ) {
			const least = open.reduce((left, each) => Math.min(left, timeLeft(each)), INTERVAL);
			await run.client.wait(Math.max(1, least));
			const ids = open.map(({ engagementId }) => String(engagementId));
			// An error must not read as if nothing had been sent.
			const listed = await this.list(ids, 'follow the data refreshes, which were started');
			open = open.filter((refresh) => {
				const outcome = this.findOutcome(refresh, listed, timeLeft(refresh) <= 0);
				if (outcome !== undefined) ended.set(refresh.index, outcome);
				return outcome === undefined;
			});
		}
		for (const [index, outcome] of ended) run.keep(index, outcome);
		// Last, since the first error may stop the run.
		for (const [index, { error }] of ended) if (error !== undefined) run.fail(index, error);
	}

	/** What has become of a refresh; undefined as long as it may go on. */
	private findOutcome(
		refresh: Refresh,
		listed: Answers<Upload[]>,
		isTimeUp: boolean,
	): Outcome | undefined {
		const { engagementId, answer } = refresh;
		const { zone } = this.run.client;
		const upload = this.newUpload(String(engagementId), listed);
		if (upload !== undefined && isFailedStatus(readStatus(upload)))
			return { records: [], error: this.failed(refresh, upload) };
		if (upload !== undefined && hasCompleted(upload, zone)) {
			const simple = simplify(upload, uploadKind, { zone, engagementId });
			return { records: [{ ...answer, upload: simple }], writtenTo: engagementId };
		}
		const error = listed.errors.get(String(engagementId));
		if (error !== undefined && (isTimeUp || !isTemporary(error))) return { records: [], error };
		return isTimeUp ? { records: [], error: this.timedOut(refresh, upload) } : undefined;
	}

	private async list(ids: string[], purpose: string): Promise<Answers<Upload[]>> {
		const query = { createdDateFrom: this.createdDateFrom };
		return await findUploads(this.run.client, ids, { query, purpose });
	}

	/** The first upload that an engagement had not had before. */
	private newUpload(id: string, listed: Answers<Upload[]>): Upload | undefined {
		const old = new Set(this.before?.get(id)?.map(({ uploadId }) => foldCase(uploadId)));
		const createdAt = ({ creationDate }: Upload) => parseTime(creationDate, 'UTC') ?? 0;
		const [first] = (listed.values.get(id) ?? [])
			.filter(({ uploadId }) => !old.has(foldCase(uploadId)))
			.toSorted((one, other) => createdAt(one) - createdAt(other));
		return first;
	}

	private failed({ engagementId }: Refresh, upload: Upload): InputError {
		const [id, status] = [upload.uploadId, readStatus(upload)].map((each) =>
			this.run.client.toSafeText(each),
		);
		return new InputError(
			`The data refresh of engagement ${engagementId} has failed: upload ${id} has the status ${status}`,
			'Check the steps of the upload with Upload > Get Steps, then run the refresh again',
		);
	}

	private timedOut({ engagementId, timeout }: Refresh, upload: Upload | undefined): InputError {
		const seen =
			upload === undefined
				? 'no new upload was found'
				: `the last status was ${this.run.client.toSafeText(readStatus(upload))}`;
		return new InputError(
			`The data refresh of engagement ${engagementId} did not complete within Wait Timeout (${timeout / MINUTE} min): ${seen}`,
			'The refresh may still be running in the service. Check later with Upload > Get Last, or increase Wait Timeout',
		);
	}
}
