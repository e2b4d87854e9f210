/**
 * Reads the service's lists, page by page, completely or up to a limit: for the actions, the trigger
 * and the searchable lists. Pages are requested side by side and used in order. Invariant: a page that
 * was answered before a record was added to the list, as totals or repeated records tell, is requested
 * again, so that no record moves to a later page unseen. (One that is deleted meanwhile may hide another.)
 */
import type { IDataObject } from 'n8n-workflow';
import type { ServiceClient } from '../client';
import { type ApiRequest, idOf } from '../responses/request';
import { ListProgress } from './listProgress';
import type { RecordPage } from '../responses/responses';
import { TimeSlice } from '../../values/clock';

/** How a list is read. Page numbers start at 0 (docs/service.md#lists-and-pages). */
export interface PagePlan {
	/** Page size to request; omitted if the endpoint has no page parameters. */
	pageSize?: number;
	/** The first page to read. */
	start?: number;
	/** How many more records are needed at the moment: no page beyond them is requested ahead. */
	needed?(): number;
}

/** One page of a list, as far as it brings anything new. */
export interface Page<T extends IDataObject = IDataObject> {
	number: number;
	/** Its records that were on no earlier page. */
	records: T[];
	/** The page as the service sent it. */
	response: RecordPage<T>;
	/** Whether the list ends with this page. */
	isLast: boolean;
}

/** A page that was requested, and the number of records in the list as known at that time. */
interface RequestedPage<T extends IDataObject> {
	response: Promise<RecordPage<T>>;
	totalBefore: number | undefined;
}

/**
 * The pages of a list, in order, until it ends or the caller stops. They are read side by side where
 * the service says how many there are. If a page fails, the iteration throws after the pages before
 * it.
 */
export async function* pages<T extends IDataObject>(
	client: Pick<ServiceClient, 'options' | 'page'>,
	list: ApiRequest<T>,
	{ pageSize, start, needed = () => Infinity }: PagePlan,
): AsyncGenerator<Page<T>, void, undefined> {
	const { parallel } = client.options;
	const progress = new ListProgress<T>(list.kind, pageSize, start);
	let statedSize: number | undefined;
	const fetch = async (page: number, isWanted: () => boolean) => {
		// Even without page parameters, further pages are read if the response says there are more.
		const isPlain = pageSize === undefined && page === 0;
		const pageQuery = isPlain ? {} : { page, size: pageSize ?? statedSize };
		const query = { ...list.query, ...pageQuery };
		const response = await client.page({ ...list, query, isWanted });
		statedSize = response.page.size;
		return response;
	};
	const requested = new Map<number, RequestedPage<T>>();
	/** A list that changes is read with care: the next page alone, then one more at a time. */
	let width = parallel;
	const request = (number: number) => {
		const known = requested.get(number);
		if (known !== undefined) return known;
		// It is sent, and retried, only while the page is still wanted.
		const isWanted = () => requested.get(number) === page;
		const page: RequestedPage<T> = {
			response: Promise.resolve().then(async () => await fetch(number, isWanted)),
			totalBefore: progress.totalElements,
		};
		requested.set(number, page);
		// A failure reaches whoever takes the page; if nobody does, it must not be an unhandled
		// rejection.
		page.response.catch(() => {});
		return page;
	};
	try {
		while (!progress.isComplete) {
			const number = progress.nextPage;
			const count = progress.pagesToRequest(needed(), width);
			for (let ahead = 1; ahead <= count; ahead++) request(number + ahead - 1);
			const { response: pending, totalBefore } = request(number);
			const response = await pending;
			const { totalElements: newest = 0 } = progress;
			requested.delete(number);
			// It may lack records that have since been pushed onto its page.
			const isOutdated = totalBefore !== newest && (response.page.totalElements ?? 0) < newest;
			width = isOutdated ? 1 : Math.min(parallel, width + 1);
			if (isOutdated) continue;
			const { records, isShifted } = progress.add(number, response);
			if (isShifted) {
				requested.clear();
				width = 1;
			}
			yield { number, records, response, isLast: progress.isComplete };
		}
	} finally {
		requested.clear();
	}
}

/** How much of a list is read, and what is kept of it. */
interface ListOptions<T extends IDataObject> {
	/** Omitted if the endpoint has no page parameters. */
	pageSize?: number;
	limit?: number;
	/** Whether to include a record; the limit counts only included ones. */
	matches?(record: T): boolean;
}

/** Reads a list. */
export async function readList<T extends IDataObject>(
	client: ServiceClient,
	request: ApiRequest<T>,
	options: ListOptions<T> = {},
): Promise<T[]> {
	return await readLists(client, [request], { ...options, map: (record) => record });
}

/**
 * Reads several lists as if they were one: a record in more than one list counts once. Only what
 * `map` returns is kept of a record, which saves memory in long lists.
 */
export async function readLists<T extends IDataObject, Kept>(
	client: ServiceClient,
	requests: Array<ApiRequest<T>>,
	options: ListOptions<T> & { map(record: T): Kept },
): Promise<Kept[]> {
	const { limit = Infinity, matches, map } = options;
	const kept: Kept[] = [];
	const slice = new TimeSlice();
	for await (const records of recordPages(client, requests, options, () => limit - kept.length)) {
		for (const record of records) {
			if (matches === undefined || matches(record)) kept.push(map(record));
			if (slice.isOver) await slice.renew();
		}
		if (kept.length >= limit) return kept.slice(0, limit);
	}
	return kept;
}

/**
 * The records of several lists, page by page, as if they were one. `needed` is how many more are
 * needed at the moment.
 */
export async function* recordPages<T extends IDataObject>(
	client: ServiceClient,
	requests: Array<ApiRequest<T>>,
	{ pageSize, limit = Infinity, matches }: ListOptions<T>,
	needed: () => number,
): AsyncGenerator<T[], void, undefined> {
	const isShort = pageSize !== undefined && matches === undefined;
	const plan = { pageSize: isShort ? Math.min(pageSize, limit) : pageSize, needed };
	const seen = new Set<string>();
	for (const request of requests) {
		const isNew = (record: T) => {
			const key = idOf(record, request.kind) ?? JSON.stringify(record);
			return !seen.has(key) && seen.add(key);
		};
		for await (const { records } of pages(client, request, plan))
			yield requests.length > 1 ? records.filter(isNew) : records;
	}
}
