/** The upload list of the service (docs/service.md#uploads) as the trigger asks it. */
import { formatFilterTime } from '../values/dates';
import { listUploads } from '../api/endpoints';
import { isRefusal } from '../transport/errors';
import type { RecordPage } from '../transport/answers';
import type { ServiceClient } from '../transport/client';
import type { Query } from '../transport/url';
import type { UploadList, UploadQuery } from './walk';

export class ServiceUploads implements UploadList {
	/** The service's own time at its last answer (`Date` header), epoch milliseconds. */
	serviceTime: number | undefined;
	isOrderRefused = false;

	constructor(
		private readonly service: ServiceClient,
		readonly pageSize: number,
		public isInstant: boolean,
	) {}

	/** A first page that is refused with an order is asked for without; the reader finds out the rest. */
	async ask(query: UploadQuery): Promise<RecordPage> {
		const mayLeaveOut = query.order !== undefined && query.page === 0;
		if (mayLeaveOut && this.isOrderRefused) return await this.page({ ...query, order: undefined });
		try {
			return await this.page(query);
		} catch (error) {
			if (!mayLeaveOut || !isRefusal(error)) return await Promise.reject(error);
		}
		const page = await this.page({ ...query, order: undefined });
		this.isOrderRefused = true;
		return page;
	}

	private async page(query: UploadQuery): Promise<RecordPage> {
		const request = listUploads(this.queryOf(query), 'look for completed uploads');
		const answer = await this.service.page(request);
		this.serviceTime = answer.serviceTime ?? this.serviceTime;
		return answer;
	}

	private queryOf({
		completedFrom,
		completedTo,
		isInstant,
		order,
		page,
		size,
	}: UploadQuery): Query {
		const zone = isInstant ? this.service.zone : 'UTC';
		const text = (time: number | undefined) =>
			time === undefined ? undefined : formatFilterTime(time, zone);
		return {
			completedDateFrom: text(completedFrom),
			completedDateTo: text(completedTo),
			page,
			size,
			orderBy: order,
		};
	}
}
