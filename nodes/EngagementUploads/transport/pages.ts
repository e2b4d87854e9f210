/**
 * Reads the service's lists, page by page, completely or up to a limit. If the service says how many pages
 * there are, they are requested side by side, and used in order. Invariants: a list ends where the service
 * says so; otherwise, with a page that brings nothing new. A record counts once.
 */
import type { IDataObject } from 'n8n-workflow';
import type { ServiceClient } from './client';
import { findStatus, rethrow, ServiceFailure } from './errors';
import { recordId, type Call, type Optional, type Query, type RecordKind } from './request';
import type { PageFields, RecordPage } from './responses';

type PageReader = Pick<ServiceClient, 'options' | 'page' | 'leftOut'>;

/** How a list is read. Page numbers start at 0 (docs/service.md#lists-and-pages). */
interface PagePlan {
	/** Page size to request; omitted if the endpoint has no page parameters. */
	pageSize?: number;
	/** How many more records are needed at the moment, so that no page beyond them is requested early. */
	needed?(): number;
}

/** One page of a list. */
export interface Page<T extends IDataObject = IDataObject> {
	/** Its records that were on no earlier page. */
	records: T[];
	/** The page as the service sent it. */
	response: RecordPage<T>;
	/** Whether the list ends with this page. */
	isLast: boolean;
	/** It repeats records of an earlier page among new ones: the list has changed, and others may be missing. */
	isShifted: boolean;
}

/** This many pages in a row without a new record are an error, even if the service says there are more. */
const MAX_PAGES_WITHOUT_NEWS = 100;

/** How services refuse a page size, or an order. Some fail if asked to sort by a field by which they cannot. */
const REFUSALS: Record<Optional, number[]> = { size: [400, 422], orderBy: [400, 422, 500, 501] };

/**
 * The pages of a list, in order. If one fails, those before it are yielded first. If the first is refused, the size (and
 * the order, where the list can do without) is left out of this and all later lists, and it is requested once more.
 */
export async function* pages<T extends IDataObject>(
	client: PageReader,
	list: Call<T>,
	{ pageSize, needed = () => Infinity }: PagePlan,
): AsyncGenerator<Page<T>, void, undefined> {
	const sift = newRecordSieve<T>();
	const ending = new AbortController();
	const requested = new Map<number, Promise<RecordPage<T>>>();
	let totalPages: number | undefined;
	let pagesWithoutNews = 0;
	let without: Optional[] = [...client.leftOut];
	const request = async (number: number, retries = list.retries) => {
		// Even without page parameters, further pages are read if the response says there are more.
		const isFirstUnpaged = pageSize === undefined && number === 0;
		const paging: Query = isFirstUnpaged ? {} : { page: number, size: pageSize };
		const query: Query = { ...list.query, ...paging };
		for (const name of without) query[name] = undefined;
		return await client.page({ ...list, query, retries, signal: ending.signal });
	};
	const requestFirst = async () => {
		const { optional = ['size'], retries = () => true } = list;
		const sent: Query = { ...list.query, size: pageSize };
		const suspects = optional.filter((name) => sent[name] && !without.includes(name));
		const isRefusal = (status = 0) => suspects.some((name) => REFUSALS[name].includes(status));
		try {
			return await request(0, (failure) => !isRefusal(failure.status) && retries(failure));
		} catch (error) {
			if (!isRefusal(findStatus(error))) rethrow(error);
			for (const name of suspects) client.leftOut.add(name);
			without = [...client.leftOut];
			return await request(0);
		}
	};
	const requestAhead = (number: number) => {
		const response = request(number);
		// A failure reaches whoever awaits the page; if nobody does, it must not count as unhandled.
		response.catch(() => {});
		requested.set(number, response);
	};
	try {
		for (let number = 0; ; number++) {
			const response = await (number === 0
				? requestFirst()
				: (requested.get(number) ?? request(number)));
			requested.delete(number);
			const { page } = response;
			const { records, hasOld } = sift(response.records, list.kind);
			const hasNews = records.length > 0;
			totalPages = page.totalPages ?? totalPages;
			pagesWithoutNews = hasNews ? 0 : pagesWithoutNews + 1;
			const isPaged = pageSize !== undefined;
			const end = findEnd(page, { number, totalPages, isPaged, hasNews });
			const isLast = end === number;
			yield { records, response, isLast, isShifted: hasOld && hasNews };
			if (isLast) return;
			if (pagesWithoutNews >= MAX_PAGES_WITHOUT_NEWS) throw endlessList(list);
			const ahead = Math.ceil(needed() / Math.max(1, response.records.length));
			const last = Math.min(number + Math.min(ahead, client.options.parallel), end ?? number);
			for (let next = number + 1; next <= last; next++)
				if (!requested.has(next)) requestAhead(next);
		}
	} finally {
		ending.abort();
	}
}

/** What is known of a list when a page has come. */
interface Progress {
	number: number;
	/** How many pages the list has, if this page or an earlier one says so. */
	totalPages?: number;
	/** Whether the endpoint has page parameters. */
	isPaged: boolean;
	/** Whether the page has new records. */
	hasNews: boolean;
}

/** The number of the last page; undefined if only a later page can tell. */
function findEnd(
	{ last }: PageFields,
	{ number, totalPages = 0, isPaged, hasNews }: Progress,
): number | undefined {
	if (last === true) return number;
	if (number < totalPages - 1) return totalPages - 1;
	if (last === false) return hasNews || totalPages === 0 ? undefined : number;
	// Where the service does not say whether there are more, a page without news is the last one.
	return isPaged && totalPages === 0 && hasNews ? undefined : number;
}

function endlessList({ purpose, itemIndex }: Call): ServiceFailure {
	const texts = {
		problem: `the service sent ${MAX_PAGES_WITHOUT_NEWS} pages in a row without a new record, but says that there are more`,
		advice: 'Use filters to make the list shorter, or ask the operator of the service',
	};
	const failure = { fault: 'list', cause: 'temporarily-unavailable' } as const;
	return new ServiceFailure(purpose, failure, texts, itemIndex);
}

/** Lets each record through once; one without an ID is compared by its content. */
function newRecordSieve<T extends IDataObject>() {
	const seen = new Set<string>();
	/** The new records, and whether there were also old ones. */
	return (records: T[], kind: RecordKind<T>) => {
		const fresh = new Map<string, T>();
		let hasOld = false;
		for (const record of records) {
			const key = recordId(record, kind) ?? JSON.stringify(record);
			if (seen.has(key)) hasOld = true;
			else if (!fresh.has(key)) fresh.set(key, record);
		}
		for (const key of fresh.keys()) seen.add(key);
		return { records: [...fresh.values()], hasOld };
	};
}

/** How much of a list is read. */
interface ListOptions<T extends IDataObject> extends Pick<PagePlan, 'pageSize'> {
	limit?: number;
	/** Whether to include a record; the limit counts only included ones. */
	matches?(record: T): boolean;
	/** Is called if the list changes while it is read. */
	onShift?(): void;
}

/** Reads a list. */
export async function readList<T extends IDataObject>(
	client: PageReader,
	request: Call<T>,
	options: ListOptions<T> = {},
): Promise<T[]> {
	return await readLists(client, [request], { ...options, map: (record) => record });
}

/** Reads several lists as if they were one. Keeps only what `map` returns, which saves memory. */
export async function readLists<T extends IDataObject, Kept>(
	client: PageReader,
	requests: Array<Call<T>>,
	options: ListOptions<T> & { map(record: T): Kept },
): Promise<Kept[]> {
	const { limit = Infinity, map } = options;
	const kept: Kept[] = [];
	for await (const records of recordPages(client, requests, options, () => limit - kept.length)) {
		for (const record of records) kept.push(map(record));
		if (kept.length >= limit) return kept.slice(0, limit);
	}
	return kept;
}

/** The matching records of several lists, page by page, as if they were one. `needed` is as in `PagePlan`. */
export async function* recordPages<T extends IDataObject>(
	client: PageReader,
	requests: Array<Call<T>>,
	{ pageSize, limit = Infinity, matches, onShift }: ListOptions<T>,
	needed: () => number,
): AsyncGenerator<T[], void, undefined> {
	// Where records are left out, small pages would mean many requests.
	const most = matches === undefined ? limit : Infinity;
	const plan = { pageSize: pageSize && Math.min(pageSize, most), needed };
	const sift = newRecordSieve<T>();
	for (const request of requests)
		for await (const { records, isShifted } of pages(client, request, plan)) {
			if (isShifted) onShift?.();
			const once = sift(records, request.kind).records;
			yield matches === undefined ? once : once.filter((each) => matches(each));
		}
}
