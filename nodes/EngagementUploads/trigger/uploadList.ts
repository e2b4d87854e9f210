/** The service's upload list (docs/service.md#uploads), by the date that an event depends on. */
import { watchUploads } from '../service/endpoints';
import type { ServiceClient } from '../transport/client';
import { findFailure, findStatus, rethrow } from '../transport/errors';
import { pages, type Page } from '../transport/pages';
import type { Call } from '../transport/request';
import { systemClock } from '../values/clock';
import { formatFilterTime } from '../values/dates';
import type { UploadEvent } from './events/event';
import { readUpload, type SeenUpload } from './upload';

interface ListQuery {
	/** Epoch milliseconds: uploads dated before need not be listed. */
	queryFrom: number;
	order?: 'oldestFirst' | 'newestFirst';
	/** Only uploads of these engagements. */
	engagementIds?: string[];
	keepsSize?: boolean;
	pageSize?: number;
	/** How many more records are needed at the moment. */
	needed?(): number;
}

/** The service's filter for each date. */
const DATE_FILTERS = { completionDate: 'completedDateFrom', creationDate: 'createdDateFrom' };
/** Statuses of rejections that an order cannot cause. */
const NOT_ABOUT_ORDER = [403, 404, 409];
/** Some services respond like this if asked to sort by a field by which they cannot. */
const PERHAPS_ABOUT_ORDER = [500, 501];

export class UploadList {
	/** The service rejects `orderBy`, which is left out from then on. */
	private rejectsOrder = false;

	constructor(
		readonly client: ServiceClient,
		private readonly event: UploadEvent,
		private readonly pageSize: number,
		/** When to stop reading, on the monotonic clock. */
		private readonly deadline: number,
	) {}

	get isTimeUp(): boolean {
		return systemClock.now() >= this.deadline;
	}

	/** The pages of the list. If the service rejects the order, they come without it. */
	async *pages(query: ListQuery): AsyncGenerator<Page, void, undefined> {
		const { pageSize = this.pageSize, needed } = query;
		let mayBeAboutOrder = query.order !== undefined && !this.rejectsOrder;
		const call = { ...this.toCall(query), keepsSize: mayBeAboutOrder || query.keepsSize };
		if (mayBeAboutOrder)
			call.retries = ({ status = 0 }) => !mayBeAboutOrder || !PERHAPS_ABOUT_ORDER.includes(status);
		const hadSize = !this.client.leavesOutSize;
		try {
			for await (const page of pages(this.client, call, { pageSize, needed })) {
				// From now on, no failure is about the order.
				mayBeAboutOrder = false;
				yield page;
			}
		} catch (error) {
			if (!mayBeAboutOrder || !mayBeRejectedOrder(error)) rethrow(error);
			this.rejectsOrder = true;
			for await (const page of pages(this.client, this.toCall(query), { pageSize, needed })) {
				this.rejectsOrder = !hadSize || !this.client.leavesOutSize;
				// It was the page size: the order is tried without one.
				if (!this.rejectsOrder) return yield* this.pages(query);
				yield page;
			}
		}
	}

	private toCall({ queryFrom, order, engagementIds }: ListQuery): Call {
		const { date } = this.event;
		const orderBy = order === 'newestFirst' ? `-${date}` : date;
		// There were no uploads before 1970.
		const earliest = Math.max(0, Math.floor(queryFrom));
		const parameters = {
			engagementId: engagementIds?.join(','),
			[DATE_FILTERS[date]]: formatFilterTime(earliest, this.client.zone),
			orderBy: order === undefined || this.rejectsOrder ? undefined : orderBy,
		};
		const call: Call = watchUploads(parameters, 'look for uploads');
		if (engagementIds === undefined || order !== undefined) return call;
		// Followed uploads: what fails is asked for in parts rather than again, and half of the time is left for that.
		const timeout = Math.min(this.client.options.timeout, (this.deadline - systemClock.now()) / 2);
		const retries: Call['retries'] = ({ fault }) => !['service', 'timeout'].includes(fault);
		return { ...call, retries, timeout };
	}

	/** The uploads on a page; where the completion date matters, only those that have one. */
	uploadsOn({ records }: Page): SeenUpload[] {
		const { zone } = this.client;
		return records.flatMap((record) => readUpload(record, this.event.date, zone) ?? []);
	}

	/** Whether a page may be sorted by the date: the service neither rejects the order nor names another. */
	mayBeSortedByDate({ response }: Page): boolean {
		const { date } = this.event;
		const { sortedBy = date } = response.page;
		return !this.rejectsOrder && sortedBy.toLowerCase() === date.toLowerCase();
	}
}

/** Whether the service may have rejected `orderBy`, rather than the token, the address or the rate. */
function mayBeRejectedOrder(error: unknown): boolean {
	const status = findStatus(error) ?? 0;
	if (PERHAPS_ABOUT_ORDER.includes(status)) return true;
	const hasOtherCause = findFailure(error)?.cause !== undefined;
	return status >= 400 && !hasOtherCause && !NOT_ABOUT_ORDER.includes(status);
}
