/** An upload list for tests of how it is read. */
import type { IDataObject } from 'n8n-workflow';
import type { ListQuery, UploadList } from '../../nodes/EngagementUploads/trigger/pageRun.ts';
import type { ScanRequest } from '../../nodes/EngagementUploads/trigger/scan.ts';
import { seenUpload } from '../../nodes/EngagementUploads/trigger/upload.ts';

export const NOW = Date.UTC(2026, 5, 15, 10);

type PageQuery = ListQuery & { page: number };

class Refused extends Error {}

export interface Behaviour {
	order: 'honoured' | 'ignored' | 'refused';
	statesPages: boolean;
	pageSize: number;
}

/** A list whose uploads have numbers as IDs; its behaviour is configurable. */
export class TestList implements UploadList {
	readonly parallel = 4;
	readonly serviceTime = NOW;
	readonly pageSize: number;
	readonly asked: PageQuery[] = [];
	/** Called when a page has been answered. */
	after = () => {};

	constructor(
		/** Times by ID. */
		readonly times: Map<string, number>,
		private readonly behaviour: Behaviour,
	) {
		this.pageSize = behaviour.pageSize;
	}

	async fetchPage(query: PageQuery) {
		this.asked.push(query);
		const { order, statesPages, pageSize } = this.behaviour;
		if (order === 'refused' && query.order) throw new Refused();
		const rows = [...this.times].filter(([, time]) => time >= query.from);
		const direction = query.order?.isDescending ? -1 : 1;
		if (order === 'honoured' && query.order)
			rows.sort(([a, one], [b, other]) => direction * (one - other || Number(a) - Number(b)));
		const page = rows.slice(query.page * pageSize, (query.page + 1) * pageSize);
		const records = page.map(([uploadId, time]) => ({ uploadId, completionDate: time }));
		const totalPages = Math.ceil(rows.length / pageSize);
		const isLast = query.page >= totalPages - 1;
		this.after();
		return { records, page: { last: isLast, ...(statesPages && { totalPages }) } };
	}

	isRefusedOrder(error: unknown): boolean {
		return error instanceof Refused;
	}

	read(record: IDataObject) {
		return seenUpload(record, 'completionDate', 'UTC');
	}
}

/** Uploads of these ages in milliseconds; the first is number 1. */
export const listOf = (given: number[], how: Behaviour) =>
	new TestList(new Map(given.map((age, index) => [String(index + 1), NOW - age])), how);

/** A request for all uploads. */
export const all: Omit<ScanRequest, 'lower'> = {
	isBacklog: false,
	expected: 1000,
	isEnough: () => false,
	isTimeUp: () => false,
};
