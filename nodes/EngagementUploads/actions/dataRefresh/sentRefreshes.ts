/**
 * The refreshes that a run has sent, and the uploads that they started. New uploads are recognised by their IDs,
 * since dates are precise only to the second. Invariants: the upload of a refresh was not listed before the
 * run's first refresh was sent, and belongs to no other refresh.
 */
import type { Upload } from '../../service/uploadRecords';
import { PAGE_SIZE, type Options } from '../../fields/options';
import type { Answers } from '../../lookups/lookUp';
import { findUploads } from '../../lookups/uploads';
import type { ServiceClient } from '../../transport/client';
import { HOUR } from '../../values/clock';
import { formatFilterTime, parseTime } from '../../values/dates';
import { foldCase, isAbsent } from '../../values/text';

/** How far back uploads are listed: further than any two time zones are apart. */
const WINDOW = 48 * HOUR;

/** A refresh that reached the service, or may have. */
export interface SentRefresh {
	/** The index of its item. */
	index: number;
	engagementId: number;
	connectorName: string;
	options: Pick<Options, 'waitInterval' | 'waitTimeout'>;
	/** What the service answered, if that was neither nothing to do nor a link; in quotation marks. */
	action?: string;
	/** The upload that it started, as last listed. */
	upload?: Upload;
}

export class SentRefreshes {
	/** By engagement, in the order of sending. */
	private readonly sent = new Map<number, SentRefresh[]>();
	/** The uploads that each engagement had before its first refresh, by ID. */
	private readonly baseline = new Map<number, Set<string>>();
	/** From when uploads are listed, as sent: the same in the whole run. */
	private createdDateFrom: string | undefined;

	add(refresh: SentRefresh): void {
		const { engagementId } = refresh;
		this.sent.set(engagementId, [...(this.sent.get(engagementId) ?? []), refresh]);
	}

	/** All refreshes, in the order of the items. */
	get all(): SentRefresh[] {
		return [...this.sent.values()].flat().sort((one, other) => one.index - other.index);
	}

	/** Lists the uploads before the first refresh. Returns the errors by engagement. */
	async takeBaseline(
		client: ServiceClient,
		engagementIds: number[],
	): Promise<Map<string, unknown>> {
		const added = engagementIds.filter((id) => !this.baseline.has(id));
		const purpose = 'look for earlier uploads, so no refresh was sent';
		const { values, errors } = await this.list(client, added, purpose);
		for (const [id, uploads] of values) this.baseline.set(Number(id), new Set(uploads.map(toKey)));
		return errors;
	}

	/** Lists the uploads of these refreshes again. Returns the errors by engagement. */
	async update(client: ServiceClient, refreshes: SentRefresh[]): Promise<Map<string, unknown>> {
		const ids = refreshes.map(({ engagementId }) => engagementId);
		// An error must not read as if nothing had been sent.
		const purpose = 'follow the data refreshes, which were started';
		const { values, errors } = await this.list(client, ids, purpose);
		for (const [id, uploads] of values) this.assign(Number(id), uploads);
		return errors;
	}

	private async list(
		client: ServiceClient,
		ids: number[],
		purpose: string,
	): Promise<Answers<Upload[]>> {
		this.createdDateFrom ??= formatFilterTime(client.serviceTime - WINDOW, client.zone);
		const query = { createdDateFrom: this.createdDateFrom };
		return await findUploads(client, ids.map(String), { query, pageSize: PAGE_SIZE, purpose });
	}

	/** Assigns the new uploads through a connector to its refreshes: the oldest to the one that was sent first. */
	private assign(engagementId: number, listed: Upload[]): void {
		const baseline = this.baseline.get(engagementId) ?? [];
		const refreshes = this.sent.get(engagementId) ?? [];
		const unclaimed = new Map(oldestFirst(listed).map((upload) => [toKey(upload), upload]));
		for (const id of baseline) unclaimed.delete(id);
		for (const refresh of refreshes) {
			const id = refresh.upload && toKey(refresh.upload);
			if (id === undefined) continue;
			refresh.upload = unclaimed.get(id) ?? refresh.upload;
			unclaimed.delete(id);
		}
		for (const refresh of refreshes.filter(({ upload }) => upload === undefined)) {
			const upload = [...unclaimed.values()].find(
				({ connectorName }) =>
					isAbsent(connectorName) || foldCase(connectorName) === foldCase(refresh.connectorName),
			);
			if (upload === undefined) continue;
			refresh.upload = upload;
			unclaimed.delete(toKey(upload));
		}
	}
}

function toKey({ uploadId }: Upload): string {
	return foldCase(uploadId);
}

/** Sorted by creation; within one second, in the order of the list. */
function oldestFirst(uploads: Upload[]): Upload[] {
	const createdAt = ({ creationDate }: Upload) => parseTime(creationDate, 'UTC') ?? 0;
	return uploads.toSorted((one, other) => createdAt(one) - createdAt(other));
}
