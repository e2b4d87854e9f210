/** The service's upload list (docs/service.md#uploads), as the trigger queries it. */
import { listUploads } from '../api/endpoints';
import type { ServiceClient } from '../transport/client';
import { isRejected } from '../transport/failures/errors';
import { listSource } from '../transport/lists/list';
import { pages, type PagePlan } from '../transport/lists/pages';
import { formatFilterTime } from '../values/dates';
import type { UploadEvent } from './events/event';
import type { Order } from './progress';
import { idOf, seenUpload, type SeenUpload } from './upload';

export interface ListQuery {
	/** Epoch milliseconds; uploads dated before need not be listed. */
	from: number;
	order?: Order;
	/** Only uploads of these engagements; if that fails, the next poll asks again. */
	engagementIds?: string[];
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

/** The service's filter for each date. */
const DATE_FILTERS = { completionDate: 'completedDateFrom', creationDate: 'createdDateFrom' };
/** A hundred engagements have more uploads in a few days than a usual page holds. */
const ENGAGEMENTS_PAGE = 500;

export class UploadList {
	private engagementsPage = ENGAGEMENTS_PAGE;

	constructor(
		readonly client: ServiceClient,
		private readonly event: UploadEvent,
		readonly pageSize: number,
		/** How much of its time the poll has used, as a fraction of it. */
		readonly timeUsed: () => number,
	) {}

	/** Pages until the list ends, or the caller stops. */
	async *pages(query: ListQuery, plan?: Partial<PagePlan>): AsyncGenerator<UploadPage, void> {
		const { pageSize } = this;
		const size = query.engagementIds ? Math.max(pageSize, this.engagementsPage) : pageSize;
		try {
			yield* this.sizedPages(query, size, plan);
		} catch (error) {
			if (size === pageSize || !isRejected(error)) await Promise.reject(error);
			// The page may be too large: the user's page size is used for the rest of the poll.
			this.engagementsPage = pageSize;
			yield* this.sizedPages(query, pageSize, plan);
		}
	}

	private async *sizedPages(
		{ from, order, engagementIds }: ListQuery,
		size: number,
		plan: Partial<PagePlan> = {},
	): AsyncGenerator<UploadPage, void> {
		const { client } = this;
		const { zone, options } = client;
		const { date } = this.event;
		const query = {
			engagementId: engagementIds?.join(','),
			[DATE_FILTERS[date]]: formatFilterTime(from, zone),
			orderBy: this.orderText(order),
		};
		const isTriedOnce = engagementIds !== undefined;
		const request = { ...listUploads(query, 'look for uploads'), isTriedOnce };
		const source = listSource(client, request, size);
		for await (const page of pages(source, { parallel: options.parallel, ...plan })) {
			const { records, response, isLast } = page;
			const { sortedBy = date } = response.page;
			const isOtherOrder = sortedBy.toLowerCase() !== date.toLowerCase();
			const uploads = records.flatMap((record) => seenUpload(record, date, zone) ?? []);
			yield { uploads, ids: records.map(idOf), isLast, isOtherOrder };
		}
	}

	private orderText(order: Order | undefined): string | undefined {
		const fields = order?.by === 'dateAndId' ? [this.event.date, 'uploadId'] : [this.event.date];
		return order && fields.map((field) => (order.isDescending ? `-${field}` : field)).join(',');
	}
}
