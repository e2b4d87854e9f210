/**
 * Reads the service's lists, page by page, completely or up to a limit. If the service says how many pages
 * there are, they are requested side by side, and used in order. Invariants: a list ends where the service
 * says so; otherwise, with a page after which there can be no other. A record counts once.
 */
import type { IDataObject } from 'n8n-workflow';
import type { ServiceClient } from './client';
import { ServiceFailure } from './errors';
import type { Fault } from './failures';
import { requestFirst } from './firstPage';
import type { FailureTexts } from './messages';
import {
	fitting,
	hasFilter,
	recordId,
	type Call,
	type Optional,
	type Query,
	type RecordKind,
} from './request';
import type { RecordPage } from './responses';

type PageReader = Pick<ServiceClient, 'options' | 'page' | 'zone' | 'leftOut'>;

/** How a list is read. Page numbers start at 0 (docs/service.md#lists-and-pages). */
interface PagePlan {
	/** Page size to request; omitted if the endpoint has no page parameters. */
	pageSize?: number;
	/** How many more records are needed at the moment, so that no page beyond them is requested early. */
	needed?(): number;
}

/** One page of a list. */
export interface Page<T extends IDataObject = IDataObject> {
	/** Its records that were on no earlier page, without those that the filters exclude. */
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

/** The pages of a list, in order. If one fails, those before it are yielded first. */
export async function* pages<T extends IDataObject>(
	client: PageReader,
	list: Call<T>,
	{ pageSize, needed = () => Infinity }: PagePlan,
): AsyncGenerator<Page<T>, void, undefined> {
	const sift = newRecordSieve<T>();
	const fits = fitting(list, client.zone);
	const ending = new AbortController();
	const requested = new Map<number, Promise<RecordPage<T>>>();
	let totalPages: number | undefined;
	let size = pageSize;
	let pagesWithoutNews = 0;
	const request = async (
		number: number,
		without: Iterable<Optional> = [],
		retries: Call['retries'] = list.retries,
	) => {
		// Even without page parameters, further pages are read if the response says there are more.
		const isFirstUnpaged = pageSize === undefined && number === 0;
		const query: Query = { ...list.query, ...(!isFirstUnpaged && { page: number, size }) };
		for (const name of [...client.leftOut, ...without]) query[name] = undefined;
		return await client.page({ ...list, query, retries, signal: ending.signal });
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
				? requestFirst(client, { ...list, pageSize }, request)
				: (requested.get(number) ?? request(number)));
			requested.delete(number);
			const { page } = response;
			const { records, hasOld } = sift(response.records, list.kind);
			const hasNews = records.length > 0;
			totalPages = page.totalPages ?? totalPages;
			size = pageSize ?? page.size ?? size;
			pagesWithoutNews = hasNews ? 0 : pagesWithoutNews + 1;
			// Without a size, nobody knows how long a page is.
			const askedSize = pageSize && (client.leftOut.has('size') ? Infinity : pageSize);
			const end = findEnd(response, { number, totalPages, pageSize: askedSize, hasNews });
			const isLast = end === number;
			yield { records: records.filter(fits), response, isLast, isShifted: hasOld && hasNews };
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
	pageSize: number | undefined;
	/** Whether the page has new records. */
	hasNews: boolean;
}

/** The number of the last page; undefined if only a later page can tell. */
function findEnd(
	{ records, page }: RecordPage,
	{ number, totalPages = 0, pageSize, hasNews }: Progress,
): number | undefined {
	const { last } = page;
	// A size larger than the requested one is no page size: perhaps the number of all records.
	const size = page.size !== undefined && page.size <= (pageSize ?? Infinity) ? page.size : 0;
	if (last === true) return number;
	if (number < totalPages - 1) return totalPages - 1;
	// “No pages” together with records makes no sense.
	const hasNone = page.totalPages === 0 && records.length === 0;
	if (totalPages > 0 || hasNone) return last === false && hasNews ? undefined : number;
	if (last === false) return undefined;
	// The service does not say whether there are more.
	if (!hasNews || records.length < size) return number;
	return pageSize === undefined && size === 0 ? number : undefined;
}

function endlessList(list: Call): ServiceFailure {
	const texts = {
		problem: `the service sent ${MAX_PAGES_WITHOUT_NEWS} pages in a row without a new record, but says that there are more`,
		advice: 'Use filters to make the list shorter, or ask the operator of the service',
	};
	return unusable(list, texts, 'list');
}

/** Fails a lookup that needs the whole list. @throws ServiceFailure */
export function rejectChanged(list: Call): never {
	throw unusable(list, {
		problem: 'the list changed while it was read, so some records may be missing',
		advice: 'Run the node again',
	});
}

function unusable({ purpose, itemIndex }: Call, texts: FailureTexts, fault: Fault = 'response') {
	const failure = { fault, cause: 'temporarily-unavailable' } as const;
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

/** What to do if records may be missing from a list. */
export interface ListWatch {
	/** Is called if the list changes while it is read. */
	onShift?(list: Call): void;
	/** Is called with what says that the request has failed, beside records. */
	onComplaint?(complaint: IDataObject): void;
}

/** How much of a list is read. */
interface ListOptions<T extends IDataObject> extends Pick<PagePlan, 'pageSize'>, ListWatch {
	limit?: number;
	/** Whether to include a record; the limit counts only included ones. */
	matches?(record: T): boolean;
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
	{ pageSize, limit = Infinity, matches, onShift, onComplaint }: ListOptions<T>,
	needed: () => number,
): AsyncGenerator<T[], void, undefined> {
	// Where records are left out, small pages would mean many requests.
	const canShrink = pageSize !== undefined && matches === undefined && !requests.some(hasFilter);
	const plan = { pageSize: canShrink ? Math.min(pageSize, limit) : pageSize, needed };
	const sift = newRecordSieve<T>();
	for (const request of requests)
		for await (const { records, response, isShifted } of pages(client, request, plan)) {
			if (isShifted) onShift?.(request);
			if (response.complaint !== undefined) onComplaint?.(response.complaint);
			const once = requests.length > 1 ? sift(records, request.kind).records : records;
			yield matches === undefined ? once : once.filter((each) => matches(each));
		}
}
