/**
 * Reads the service's lists, page by page, completely or up to a limit. Pages are requested side by side
 * where the service says how many there are, and used in order. Invariants: a list ends where the service
 * says so, or else with an error or a page that cannot have another after it; a record counts once.
 */
import type { IDataObject } from 'n8n-workflow';
import type { ServiceClient } from './client';
import { ServiceFailure } from './errors';
import { recordId, type Call, type RecordKind } from './request';
import type { RecordPage } from './responses';

type PageReader = Pick<ServiceClient, 'options' | 'page'>;

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

/** More pages in a row without a new record than this are an error, whatever the service says of more. */
const MAX_PAGES_WITHOUT_NEWS = 100;

/**
 * The pages of a list, in order, until it ends or the caller stops. If a page fails, the iteration throws
 * after the pages before it.
 */
export async function* pages<T extends IDataObject>(
	client: PageReader,
	list: Call<T>,
	{ pageSize, start = 0, needed = () => Infinity }: PagePlan,
): AsyncGenerator<Page<T>, void, undefined> {
	const isNew = newRecords<T>();
	const ending = new AbortController();
	const requested = new Map<number, Promise<RecordPage<T>>>();
	let progress: Progress = { pagesWithoutNews: 0, startsAtOne: false };
	const request = (number: number) => {
		// Even without page parameters, further pages are read if the response says there are more.
		const isPlain = pageSize === undefined && number === 0;
		const pageQuery = isPlain ? {} : { page: number, size: pageSize ?? progress.size };
		const query = { ...list.query, ...pageQuery };
		const response = client.page({ ...list, query, signal: ending.signal });
		// A failure reaches whoever takes the page; if nobody does, it must not be an unhandled rejection.
		response.catch(() => {});
		requested.set(number, response);
		return response;
	};
	try {
		for (let number = start; ; number++) {
			const response = await (requested.get(number) ?? request(number));
			requested.delete(number);
			const records = response.records.filter((each) => isNew(each, list.kind));
			progress = advance(progress, response, records.length > 0, number);
			const end = findEnd(progress, response, pageSize, number);
			const isLast = end === number;
			yield { number, records, response, isLast };
			if (isLast) return;
			if (progress.pagesWithoutNews >= MAX_PAGES_WITHOUT_NEWS) throw endless(list);
			const ahead = Math.ceil(needed() / Math.max(1, response.records.length));
			const last = Math.min(number + Math.min(ahead, client.options.parallel), end ?? number);
			for (let next = number + 1; next <= last; next++)
				if (!requested.has(next)) void request(next);
		}
	} finally {
		ending.abort();
	}
}

/** What the pages of a list have said so far. */
interface Progress {
	totalPages?: number;
	size?: number;
	/** Pages in a row that contained nothing new. */
	pagesWithoutNews: number;
	/** The second page is the first one again: the service numbers its pages from 1. */
	startsAtOne: boolean;
}

function advance(
	before: Progress,
	{ page, records }: RecordPage,
	hasNews: boolean,
	number: number,
) {
	return {
		totalPages: page.totalPages ?? before.totalPages,
		size: page.size ?? before.size,
		pagesWithoutNews: hasNews ? 0 : before.pagesWithoutNews + 1,
		startsAtOne: before.startsAtOne || (number === 1 && !hasNews && records.length > 0),
	};
}

/** The number of the last page; undefined if only a later page can tell. */
function findEnd(
	{ totalPages = 0, pagesWithoutNews, startsAtOne }: Progress,
	{ records, page, isAlone = false }: RecordPage,
	pageSize: number | undefined,
	number: number,
): number | undefined {
	// A page of one record may be sent as that record, and then says nothing about the list's end.
	if (isAlone && pageSize === 1) return undefined;
	const { last, size = 0 } = page;
	if (last === true) return number;
	const isEmptyStated = page.totalPages === 0;
	const stated = startsAtOne ? totalPages : totalPages - 1;
	if (number < stated) return stated;
	const hasNews = pagesWithoutNews === 0;
	// “No pages” beside records makes no sense.
	if (totalPages > 0 || (isEmptyStated && records.length === 0))
		return last === false && hasNews ? undefined : number;
	if (last === false) return undefined;
	// Nothing says whether there are more. A second page like the first one may be the first of two.
	if (records.length === 0 || records.length < size) return number;
	if (pageSize === undefined && size === 0) return number;
	return hasNews || number === 1 ? undefined : number;
}

function endless({ purpose, itemIndex }: Call): ServiceFailure {
	return new ServiceFailure(
		purpose,
		{
			problem: `the service sent ${MAX_PAGES_WITHOUT_NEWS} pages in a row without a new record, but says that there are more`,
			advice: 'Use filters to make the list shorter, or ask the operator of the service',
			fault: 'response',
			failure: { cause: 'temporarily-unavailable' },
		},
		itemIndex,
	);
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
interface ListOptions<T extends IDataObject> extends Pick<PagePlan, 'pageSize'> {
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

/**
 * Reads several lists as if they were one: a record in more than one list counts once. Only what
 * `map` returns is kept of a record, which saves memory in long lists.
 */
export async function readLists<T extends IDataObject, Kept>(
	client: PageReader,
	requests: Array<Call<T>>,
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
	client: PageReader,
	requests: Array<Call<T>>,
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
