/** The service's upload list (docs/service.md#uploads), as the trigger queries it. */
import type { IDataObject } from 'n8n-workflow';
import { listUploads } from '../api/endpoints';
import type { RecordPage } from '../transport/responses';
import type { ServiceClient } from '../transport/client';
import { isRefusal, reportOf } from '../transport/errors';
import type { Query } from '../transport/url';
import { formatFilterTime } from '../values/dates';
import type { UploadEvent } from './events/event';
import type { Order } from './progress';
import type { ListQuery, UploadList } from './pageRun';
import { seenUpload, type SeenUpload } from './upload';

const REFUSED_ORDER = [400, 422];

export class ServiceUploads implements UploadList {
	private serviceDate: number | undefined;

	constructor(
		private readonly client: ServiceClient,
		private readonly event: UploadEvent,
		readonly pageSize: number,
		/** Whether dates are instants; otherwise they are local times as sent. */
		public isInstant: boolean,
	) {}

	get parallel(): number {
		return this.client.options.parallel;
	}

	/** From the `Date` header, or from the local clock if the service sends none. */
	get serviceTime(): number {
		return this.serviceDate ?? Date.now();
	}

	/** The zone of dates without an offset. */
	get zone(): string {
		return this.isInstant ? this.client.zone : 'UTC';
	}

	read(record: IDataObject): SeenUpload | undefined {
		return seenUpload(record, this.event.date, this.zone);
	}

	async fetchPage({ from, page, order }: ListQuery & { page: number }): Promise<RecordPage> {
		return await this.page({
			[this.event.dateFilter]: formatFilterTime(from, this.zone),
			page,
			size: this.pageSize,
			orderBy: order && this.orderText(order),
		});
	}

	isRefusedOrder(error: unknown): boolean {
		return REFUSED_ORDER.includes(reportOf(error)?.status ?? 0);
	}

	/** One upload; undefined if the service no longer lists it. */
	async find(uploadId: string): Promise<SeenUpload | undefined> {
		try {
			const { records } = await this.page({ uploadId });
			return records.map((record) => this.read(record)).find((upload) => upload?.id === uploadId);
		} catch (error) {
			return isRefusal(error) ? undefined : await Promise.reject(error);
		}
	}

	private async page(query: Query): Promise<RecordPage> {
		const response = await this.client.page(listUploads(query, 'look for uploads'));
		this.serviceDate = response.serviceTime ?? this.serviceDate;
		return response;
	}

	private orderText({ by, isDescending }: Order): string {
		const fields = by === 'dateAndId' ? [this.event.date, 'uploadId'] : [this.event.date];
		return fields.map((field) => (isDescending ? `-${field}` : field)).join(',');
	}
}
