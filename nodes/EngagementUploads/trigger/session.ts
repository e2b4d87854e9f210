/**
 * What a poll works with: its settings, and the service, opened for each kind of work. The upload list
 * (docs/service.md#uploads) is read by the date that the event depends on.
 */
import type { IPollFunctions } from 'n8n-workflow';
import { listUploads } from '../service/endpoints';
import { ServiceClient } from '../transport/client';
import { CREDENTIAL } from '../transport/credential';
import { pages, type Page } from '../transport/pages';
import type { Call } from '../transport/request';
import { systemClock } from '../values/clock';
import { formatFilterTime } from '../values/dates';
import type { UploadEvent } from './events/event';
import type { PollMode } from './pollMode';
import type { TriggerSettings } from './settings';
import { readUpload, type SeenUpload } from './upload';

const MAX_PARALLEL = 16;

export interface Session {
	mode: PollMode;
	settings: TriggerSettings;
	list: UploadList;
	/** For followed uploads, so that failures of one kind of request do not hold up the others. */
	followedList: UploadList;
	stepsClient: ServiceClient;
}

export async function openSession(
	context: IPollFunctions,
	mode: PollMode,
	settings: TriggerSettings,
): Promise<Session> {
	const { event, pageSize, timeout } = settings;
	const data = await context.getCredentials(CREDENTIAL);
	const client = (deadline: number) =>
		new ServiceClient(context, data, { parallel: MAX_PARALLEL, timeout, deadline });
	const list = (deadline: number) => new UploadList(client(deadline), event, pageSize, deadline);
	return {
		mode,
		settings,
		list: list(mode.deadline('list')),
		followedList: list(mode.deadline('followed')),
		stepsClient: client(mode.deadline('steps')),
	};
}

interface ListQuery {
	/** Epoch milliseconds: uploads dated before this need not be listed. */
	queryFrom: number;
	order?: 'oldestFirst' | 'newestFirst';
	/** Only uploads of these engagements. */
	engagementIds?: string[];
	pageSize?: number;
	/** How many more records are needed at the moment. */
	needed?(): number;
}

/** The service's filter for each date. */
const DATE_FILTERS = { completionDate: 'completedDateFrom', creationDate: 'createdDateFrom' };

/** The upload list, as polls read it. */
export class UploadList {
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

	/** The pages of the list. */
	pages(query: ListQuery): AsyncGenerator<Page, void, undefined> {
		const { pageSize = this.pageSize, needed } = query;
		return pages(this.client, this.toCall(query), { pageSize, needed });
	}

	private toCall({ queryFrom, order, engagementIds }: ListQuery): Call {
		const { date } = this.event;
		const orderBy = order === 'newestFirst' ? `-${date}` : date;
		// There were no uploads before 1970.
		const earliest = Math.max(0, Math.floor(queryFrom));
		const parameters = {
			engagementId: engagementIds?.join(','),
			[DATE_FILTERS[date]]: formatFilterTime(earliest, this.client.zone),
			orderBy: order === undefined ? undefined : orderBy,
		};
		const request = listUploads(parameters, 'look for uploads');
		const call: Call = { ...request, optional: ['orderBy', 'size'] };
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

	/** Whether a page may be sorted by the date: the service has neither refused the order nor named another. */
	mayBeSortedByDate({ response }: Page): boolean {
		const { date } = this.event;
		const { sortedBy = date } = response.page;
		return !this.client.leftOut.has('orderBy') && sortedBy.toLowerCase() === date.toLowerCase();
	}
}
