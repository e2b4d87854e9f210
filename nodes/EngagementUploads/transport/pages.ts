/**
 * Reads the service's lists, page by page, completely or up to a limit. Pages are requested side by side
 * where the service says how many there are, and used in order. Invariant: a record counts once.
 */
import type { IDataObject } from 'n8n-workflow';
import type { ServiceClient } from './client';
import { recordId, type ApiRequest, type RecordKind } from './request';
import type { PageFields, RecordPage } from './responses';

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

/**
 * The pages of a list, in order, until it ends or the caller stops. If a page fails, the iteration throws
 * after the pages before it.
 */
export async function* pages<T extends IDataObject>(
	client: Pick<ServiceClient, 'options' | 'page'>,
	list: ApiRequest<T>,
	{ pageSize, start = 0, needed = () => Infinity }: PagePlan,
): AsyncGenerator<Page<T>, void, undefined> {
	const isNew = newRecords<T>();
	let seen = 0;
	let repeated = 0;
	const requested = new Map<number, Promise<RecordPage<T>>>();
	let statedSize: number | undefined;
	let isOver = false;
	const request = (number: number) => {
		// Even without page parameters, further pages are read if the response says there are more.
		const isPlain = pageSize === undefined && number === 0;
		const pageQuery = isPlain ? {} : { page: number, size: pageSize ?? statedSize };
		const query = { ...list.query, ...pageQuery };
		const response = client.page({ ...list, query, isWanted: () => !isOver });
		// A failure reaches whoever takes the page; if nobody does, it must not be an unhandled rejection.
		response.catch(() => {});
		requested.set(number, response);
		return response;
	};
	try {
		for (let number = start; !isOver; number++) {
			const response = await (requested.get(number) ?? request(number));
			requested.delete(number);
			const records = response.records.filter((each) => isNew(each, list.kind));
			seen += records.length;
			if (records.length === 0 && response.records.length > 0) repeated++;
			const end = endOf(response, { number, pageSize, seen, repeated });
			isOver = end === number;
			yield { number, records, response, isLast: isOver };
			statedSize = response.page.size;
			const ahead = Math.ceil(needed() / Math.max(1, response.records.length));
			const last = Math.min(number + Math.min(ahead, client.options.parallel), end ?? number);
			for (let next = number + 1; next <= last; next++)
				if (!requested.has(next)) void request(next);
		}
	} finally {
		isOver = true;
	}
}

/** Where a page stands in its list. */
interface Place {
	number: number;
	/** as requested */
	pageSize?: number;
	/** How many records there have been so far. */
	seen: number;
	/** How many pages so far only repeated others: the first one, where page numbers start at 1. */
	repeated: number;
}

/** A list without a stated end is complete when so many of its pages were repeated. */
const MAX_REPEATED = 2;

/** The number of the last page, if the service says so, or if it is this one. */
function endOf(response: RecordPage, place: Place): number | undefined {
	const { number, pageSize, seen, repeated } = place;
	const { records, isAlone = false } = response;
	// A page of one record may be sent as that record, and then says nothing about the list's end.
	const page: PageFields = isAlone && pageSize === 1 ? {} : response.page;
	const { last, totalPages = 0, totalElements = 0, size = 0 } = page;
	if (last === true) return number;
	// Some services say how many records are on the page; no list has more pages than records.
	const isCredible = totalPages > 0 && totalPages <= (totalElements || Infinity);
	const lastPage = totalPages - 1 + repeated;
	if (isCredible && number < lastPage) return lastPage;
	if (records.length === 0 || repeated >= MAX_REPEATED) return number;
	if (last === false || totalElements > seen) return undefined;
	if (isCredible) return number;
	if (pageSize === undefined) return size > 0 && records.length >= size ? undefined : number;
	return records.length < size ? number : undefined;
}

/** Tells which records have not been seen yet; one without an ID is known by its content. */
function newRecords<T extends IDataObject>() {
	const seen = new Set<string>();
	return (record: T, kind: RecordKind<T>): boolean => {
		const key = recordId(record, kind) ?? JSON.stringify(record);
		const isNew = !seen.has(key);
		seen.add(key);
		return isNew;
	};
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
	const { limit = Infinity, matches = () => true, map } = options;
	const kept: Kept[] = [];
	for await (const records of recordPages(client, requests, options, () => limit - kept.length)) {
		for (const record of records) if (matches(record)) kept.push(map(record));
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
	const isNew = newRecords<T>();
	for (const request of requests)
		for await (const { records } of pages(client, request, plan))
			yield requests.length > 1 ? records.filter((each) => isNew(each, request.kind)) : records;
}
