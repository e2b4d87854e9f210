/** The upload list of the service (interface section 4.4) as the trigger asks it. */
import { filterTime } from '../output/dates';
import { CLIENT_ID } from '../transport/address';
import { isRefusal } from '../transport/errors';
import { upload } from '../transport/kinds';
import type { RecordPage } from '../transport/records';
import type { Call, Query, Service } from '../transport/request';
import type { UploadList, UploadQuery } from './walk';

const PATH = `/v1/clients/${CLIENT_ID}/uploads`;

export class ServiceUploads implements UploadList {
	/** The service's own time at its last answer (`Date` header), epoch milliseconds. */
	serviceTime: number | undefined;
	private isOrderRefused = false;

	constructor(
		private readonly service: Service,
		readonly pageSize: number,
		public isInstant: boolean,
	) {}

	async ask(query: UploadQuery): Promise<RecordPage> {
		const ordered = query.order !== undefined && !this.isOrderRefused;
		try {
			return await this.page({ ...this.queryOf(query), ...(ordered && { orderBy: query.order }) });
		} catch (error) {
			if (!ordered || !isRefusal(error)) return await Promise.reject(error);
		}
		// Refused with an order: without it, the reader finds out that there is none.
		const page = await this.page(this.queryOf(query));
		this.isOrderRefused = true;
		return page;
	}

	private async page(query: Query): Promise<RecordPage> {
		const call: Call = { method: 'GET', path: PATH, query, purpose: 'look for completed uploads' };
		const answer = await this.service.page(call, upload);
		this.serviceTime = answer.serviceTime ?? this.serviceTime;
		return answer;
	}

	private queryOf({ completedFrom, completedTo, page, size }: UploadQuery): Query {
		const zone = this.isInstant ? this.service.zone : 'UTC';
		const text = (time: number | undefined) =>
			time === undefined ? undefined : filterTime(time, zone);
		return {
			completedDateFrom: text(completedFrom),
			completedDateTo: text(completedTo),
			page,
			size,
		};
	}
}
