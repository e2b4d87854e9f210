/** The service's upload list (docs/service.md#uploads), as the trigger queries it. */
import type { IDataObject } from 'n8n-workflow';
import { listUploads } from '../api/endpoints';
import type { ServiceClient } from '../transport/client';
import type { Query } from '../transport/http/url';
import { listSource } from '../transport/lists/list';
import { pages, type Page, type PagePlan } from '../transport/lists/pages';
import { formatFilterTime } from '../values/dates';
import type { UploadEvent } from './events/event';
import type { Order } from './progress';
import { idOf, seenUpload, type SeenUpload } from './upload';

export interface ListQuery {
	/** Epoch milliseconds; uploads dated before need not be listed. */
	from: number;
	order?: Order;
}

/** A page of the upload list. */
export interface UploadPage {
	/** Those that have the date. */
	uploads: SeenUpload[];
	/** Those of all records, with and without the date. */
	ids: string[];
	isLast: boolean;
	/** The service says that it sorted by another field. */
	isOtherOrder: boolean;
}

/** A hundred engagements have more uploads in a few days than a usual page holds. */
const ENGAGEMENTS_PAGE = 500;

export class UploadList {
	constructor(
		readonly client: ServiceClient,
		private readonly event: UploadEvent,
		readonly pageSize: number,
		/** How much of its time the poll has used, as a fraction of it. */
		readonly timeUsed: () => number,
	) {}

	/** Pages until the list ends; `needed` says how many more records are expected to be of use. */
	async *pages(
		{ from, order }: ListQuery,
		needed: () => number,
		start?: number,
	): AsyncGenerator<UploadPage, void> {
		const { dateFilter, date } = this.event;
		const query = { [dateFilter]: this.filterTime(from), orderBy: this.orderText(order) };
		for await (const { records, response, isLast } of this.read(query, { needed, start })) {
			const [sortedBy = date] = response.page.sortedBy ?? [];
			const isOtherOrder = sortedBy.toLowerCase() !== date.toLowerCase();
			yield { uploads: this.seen(records), ids: records.map(idOf), isLast, isOtherOrder };
		}
	}

	/**
	 * The uploads of some engagements, created at a time or later, page by page. If it fails, the
	 * next poll asks again.
	 */
	async *ofEngagements(
		ids: string[],
		{ from, order }: ListQuery,
	): AsyncGenerator<SeenUpload[], void> {
		const created = { createdDateFrom: this.filterTime(from), orderBy: this.orderText(order) };
		const query = { engagementId: ids.join(','), ...created };
		const pageSize = Math.max(this.pageSize, ENGAGEMENTS_PAGE);
		for await (const { records } of this.read(query, { isTriedOnce: true }, pageSize))
			yield this.seen(records);
	}

	private read(
		query: Query,
		{ isTriedOnce, ...plan }: Partial<PagePlan> & { isTriedOnce?: boolean },
		pageSize = this.pageSize,
	): AsyncGenerator<Page, void> {
		const { client } = this;
		const { parallel } = client.options;
		const request = { ...listUploads(query, 'look for uploads'), isTriedOnce };
		return pages(listSource(client, request, pageSize), { parallel, ...plan });
	}

	private seen(records: IDataObject[]): SeenUpload[] {
		const uploads = records.map((record) => seenUpload(record, this.event.date, this.client.zone));
		return uploads.filter((upload) => upload !== undefined);
	}

	private filterTime(from: number): string {
		return formatFilterTime(from, this.client.zone);
	}

	private orderText(order: Order | undefined): string | undefined {
		const fields = order?.by === 'dateAndId' ? [this.event.date, 'uploadId'] : [this.event.date];
		return order && fields.map((field) => (order.isDescending ? `-${field}` : field)).join(',');
	}
}
