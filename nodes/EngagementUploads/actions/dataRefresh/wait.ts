/** Waits for the uploads of several data refreshes at once, including those of earlier attempts. */
import type { IDataObject } from 'n8n-workflow';
import { listConnectorUploads } from '../../api/endpoints';
import type { Connector, Upload } from '../../api/records';
import { isFailedStatus } from '../../api/uploadStatus';
import type { Options } from '../../fields/options';
import { lastUploadsBatch } from '../../lookups/lastUploads';
import type { ServiceClient } from '../../transport/client';
import { isTemporary } from '../../transport/errors';
import { readList } from '../../transport/list';
import { systemClock, type Clock } from '../../transport/pool';
import { InputError } from '../../values/inputError';
import { isAbsent, toText } from '../../values/text';
import { idOf, isNewUpload, mayHideNewUploads, oldestFirst, type Baseline } from './newUpload';

/** A refresh that the service accepted, and what is known about its upload. */
export interface SentRefresh extends Baseline {
	engagementId: number;
	connector: string;
	/** The output item, still without its upload. */
	result: IDataObject;
	/** The new upload once it has been seen; no other refresh gets it. */
	uploadId?: string;
	lastStatus?: string;
	/** The new upload once it is complete. */
	upload?: Upload;
}

/** A wait that ended without an upload; final if another wait would end the same way. */
export interface WaitFailure {
	error: unknown;
	isFinal: boolean;
}

interface Wait {
	index: number;
	refresh: SentRefresh;
	options: Pick<Options, 'waitInterval' | 'waitTimeout'>;
	/** epoch milliseconds */
	until: number;
}

const PAGE_SIZE = 100;

export class RefreshWait {
	private readonly failures = new Map<number, WaitFailure>();

	constructor(
		private readonly client: ServiceClient,
		/** All refreshes of the run, by item, in the order in which they were sent. */
		private readonly refreshes: ReadonlyMap<number, SentRefresh>,
		private readonly connectors: () => Promise<Connector[]>,
		private readonly clock: Clock = systemClock,
	) {}

	/** The engagement's last upload, right before another refresh of it is sent. */
	async lastUpload(engagementId: number): Promise<Upload | undefined> {
		const batch = this.batch();
		batch.add(String(engagementId));
		const last = await batch.get(String(engagementId));
		// This upload may belong to an earlier refresh, but not to the one that is about to be sent.
		const [earlier] = this.unseen(engagementId);
		if (last !== undefined && earlier !== undefined && (await this.isNewFor(earlier, last)))
			earlier.uploadId = idOf(last);
		return last;
	}

	/** Polls once per interval, with one request for many engagements, until every wait has ended. */
	async until(
		items: Array<Pick<Wait, 'index' | 'options'>>,
	): Promise<ReadonlyMap<number, WaitFailure>> {
		const waits = items.flatMap(({ index, options }): Wait[] => {
			const refresh = this.refreshes.get(index);
			const until = this.clock.now() + options.waitTimeout;
			return refresh === undefined ? [] : [{ index, options, refresh, until }];
		});
		const open = () =>
			waits.filter(({ index, refresh }) => !refresh.upload && !this.failures.has(index));
		for (let left = open(); left.length > 0; left = open()) {
			const interval = Math.min(...left.map(({ options }) => options.waitInterval));
			const soonest = Math.min(...left.map(({ until }) => until));
			await this.client.pool.wait(Math.max(1, Math.min(interval, soonest - this.clock.now())));
			await this.checkUploads(left);
		}
		return this.failures;
	}

	private async checkUploads(open: Wait[]): Promise<void> {
		const batch = this.batch();
		for (const { refresh } of open) batch.add(String(refresh.engagementId));
		const lists = new Map<string, Promise<Upload[]>>();
		for (const wait of open) {
			try {
				const last = await batch.get(String(wait.refresh.engagementId));
				this.update(wait, await this.newUploadOf(wait.refresh, last, lists));
			} catch (error) {
				if (!isTemporary(error)) this.failures.set(wait.index, { error, isFinal: false });
			}
			const { refresh, index } = wait;
			if (this.clock.now() < wait.until || refresh.upload || this.failures.has(index)) continue;
			this.failures.set(index, { error: timedOut(wait), isFinal: false });
		}
	}

	/** The upload that a refresh started, if it is listed yet. */
	private async newUploadOf(
		refresh: SentRefresh,
		last: Upload | undefined,
		lists: Map<string, Promise<Upload[]>>,
	): Promise<Upload | undefined> {
		if (last === undefined) return undefined;
		if (refresh.uploadId !== undefined) {
			if (idOf(last) === refresh.uploadId) return last;
			return (await this.list(refresh, lists)).find((each) => idOf(each) === refresh.uploadId);
		}
		const { zone } = this.client;
		if (!isNewUpload(refresh, last, zone) && !mayHideNewUploads(refresh, zone)) return undefined;
		const isOnlyOne = this.unseen(refresh.engagementId).length === 1;
		if (isOnlyOne && (await this.isNewFor(refresh, last))) return last;
		// The last upload may hide another one: of this connector, or of an earlier refresh.
		return (await this.list(refresh, lists)).find((record) => this.isUnclaimed(refresh, record));
	}

	/** The uploads made through the connector of a refresh, oldest first. */
	private async list(
		{ engagementId, connector }: SentRefresh,
		lists: Map<string, Promise<Upload[]>>,
	): Promise<Upload[]> {
		const key = `${engagementId} ${connector}`;
		const purpose = `look for the refreshed upload of engagement ${engagementId}`;
		const request = listConnectorUploads(engagementId, connector, undefined, purpose);
		const list = lists.get(key) ?? readList(this.client, request, { pageSize: PAGE_SIZE });
		lists.set(key, list);
		return oldestFirst(await list);
	}

	private update(wait: Wait, record: Upload | undefined): void {
		if (record === undefined) return;
		const { refresh, index } = wait;
		refresh.uploadId = idOf(record);
		const status = toText(record.status ?? record.uploadStatus ?? 'unknown');
		refresh.lastStatus = status;
		if (isFailedStatus(status)) this.failures.set(index, { error: failed(refresh), isFinal: true });
		else if (!isAbsent(record.completionDate)) refresh.upload = record;
	}

	/** Refreshes of an engagement whose uploads have not been seen yet. */
	private unseen(engagementId: number): SentRefresh[] {
		return [...this.refreshes.values()].filter(
			(refresh) => refresh.engagementId === engagementId && refresh.uploadId === undefined,
		);
	}

	private async isNewFor(refresh: SentRefresh, record: Upload): Promise<boolean> {
		return this.isUnclaimed(refresh, record) && (await this.isFromConnector(refresh, record));
	}

	private isUnclaimed(refresh: SentRefresh, record: Upload): boolean {
		const id = idOf(record);
		const isClaimed = [...this.refreshes.values()].some(({ uploadId }) => uploadId === id);
		return !isClaimed && isNewUpload(refresh, record, this.client.zone);
	}

	/**
	 * Whether an upload was made through the connector of a refresh; records may contain its title.
	 */
	private async isFromConnector(
		{ connector }: SentRefresh,
		{ connectorName }: Upload,
	): Promise<boolean> {
		if (isAbsent(connectorName) || isSame(connectorName, connector)) return true;
		const namesake = (await this.connectors()).filter(
			({ name, title }) => isSame(connectorName, name) || isSame(connectorName, title),
		);
		return namesake.length === 0 || namesake.some(({ name }) => isSame(name, connector));
	}

	private batch() {
		return lastUploadsBatch(this.client, {
			pageSize: PAGE_SIZE,
			timeout: this.client.options.timeout,
		});
	}
}

function isSame(one: unknown, other: unknown): boolean {
	return toText(one).toLowerCase() === toText(other).toLowerCase();
}

function failed({ engagementId, lastStatus, uploadId }: SentRefresh): InputError {
	return new InputError(
		`The data refresh of engagement ${engagementId} has failed: upload ${uploadId} has the status ${lastStatus}`,
		'Check the steps of the upload with Upload > Get Workflow, then run the refresh again',
	);
}

function timedOut({ refresh: { engagementId, lastStatus }, options }: Wait): InputError {
	const seen =
		lastStatus === undefined ? 'no new upload has appeared' : `last status ${lastStatus}`;
	return new InputError(
		`The data refresh of engagement ${engagementId} was not complete after ${options.waitTimeout / 60_000} minutes (${seen})`,
		'The refresh is still running in the service. Check later with Upload > Get Last, or increase Wait Timeout',
	);
}
