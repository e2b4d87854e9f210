/** The service's upload list (docs/service.md#uploads), as the trigger queries it. */
import { listUploads } from '../api/endpoints';
import type { ServiceClient } from '../transport/client/client';
import { pages, type Page, type PagePlan } from '../transport/lists/lists';
import { formatFilterTime } from '../values/dates';
import type { UploadEvent } from './events/event';
import type { Order } from './progress';
import { seenUpload, type SeenUpload } from './upload';

export interface ListQuery {
	/** Epoch milliseconds; uploads dated before need not be listed. */
	from: number;
	order?: Order;
	/** Only uploads of these engagements; if that fails, the next poll asks again. */
	engagementIds?: string[];
}

/** The service's filter for each date. */
const DATE_FILTERS = { completionDate: 'completedDateFrom', creationDate: 'createdDateFrom' };

const MIN_PAGE_SIZE = 100;

export class UploadList {
	constructor(
		readonly client: ServiceClient,
		private readonly event: UploadEvent,
		readonly pageSize: number,
		/** How much of its time the poll has used, as a fraction of it. */
		readonly timeUsed: () => number,
	) {}

	/** Larger pages cost fewer requests, smaller ones less where few uploads are expected. */
	pageSizeFor(expected: number): number {
		const size = Math.ceil((expected * 1.25) / MIN_PAGE_SIZE) * MIN_PAGE_SIZE;
		return Math.min(this.pageSize, Math.max(MIN_PAGE_SIZE, size));
	}

	/** Pages until the list ends, or the caller stops. */
	pages(
		{ from, order, engagementIds }: ListQuery,
		plan: PagePlan = {},
	): AsyncGenerator<Page, void> {
		const { client, pageSize } = this;
		const query = {
			engagementId: engagementIds?.join(','),
			[DATE_FILTERS[this.event.date]]: formatFilterTime(from, client.zone),
			orderBy: this.orderText(order),
		};
		const isTriedOnce = engagementIds !== undefined;
		const request = { ...listUploads(query, 'look for uploads'), isTriedOnce };
		return pages(client, request, { pageSize, ...plan });
	}

	/** The uploads on a page that have the date. */
	uploadsOn({ records }: Page): SeenUpload[] {
		const { zone } = this.client;
		return records.flatMap((record) => seenUpload(record, this.event.date, zone) ?? []);
	}

	/** Whether the service says that it sorted a page by another field. */
	isOtherOrder({ response }: Page): boolean {
		const { date } = this.event;
		return (response.page.sortedBy ?? date).toLowerCase() !== date.toLowerCase();
	}

	private orderText(order: Order | undefined): string | undefined {
		const fields = order?.by === 'dateAndId' ? [this.event.date, 'uploadId'] : [this.event.date];
		return order && fields.map((field) => (order.isDescending ? `-${field}` : field)).join(',');
	}
}
