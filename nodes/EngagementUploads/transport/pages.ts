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

type PageReader = Pick<ServiceClient, 'options' | 'page' | 'leftOut' | 'notices'>;

/** How a list is read. Page numbers start at 0 (docs/service.md#lists-and-pages). */
interface PagePlan {
	/** Page size to request; omitted if the endpoint has no page parameters. */
	pageSize?: number;
	/** How many more records are needed at the moment, so that no page beyond them is requested early. */
	needed?(): number;
}

/** One page of a list. */
interface Page<T extends IDataObject = IDataObject> {
	/** Its records that were on no earlier page. */
	records: T[];
	/** Whether the list ends with this page. */
	isLast: boolean;
}

/** This many pages in a row without a new record are an error, even if the service says there are more. */
const MAX_PAGES_WITHOUT_NEW_RECORDS = 100;

/** The statuses with which services refuse a page size or an order; Spring fails for a field that it cannot sort by. */
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
	const dropKnown = newDeduplicator<T>();
	const ending = new AbortController();
	const requested = new Map<number, Promise<RecordPage<T>>>();
	let totalPages: number | undefined;
	let pagesWithoutNewRecords = 0;
	let without: Optional[] = [...client.leftOut];
	const request = async (number: number, final?: number[]) => {
		// Even without page parameters, further pages are read if the response says there are more.
		const isFirstUnpaged = pageSize === undefined && number === 0;
		const paging: Query = isFirstUnpaged ? {} : { page: number, size: pageSize };
		const query: Query = { ...list.query, ...paging };
		for (const name of without) query[name] = undefined;
		return await client.page({ ...list, query, final, signal: ending.signal });
	};
	const requestFirst = async () => {
		const { optional = ['size'] } = list;
		const sent: Query = { ...list.query, size: pageSize };
		const suspects = optional.filter((name) => sent[name] && !without.includes(name));
		const refusals = suspects.flatMap((name) => REFUSALS[name]);
		try {
			return await request(0, refusals);
		} catch (refusal) {
			if (!refusals.includes(findStatus(refusal) ?? 0)) rethrow(refusal);
			without = [...without, ...suspects];
			const page = await request(0).catch(() => rethrow(refusal));
			for (const name of suspects) client.leftOut.add(name);
			return page;
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
			const { records, hasKnown } = dropKnown(response.records, list.kind);
			const hasNewRecords = records.length > 0;
			totalPages = page.totalPages ?? totalPages;
			pagesWithoutNewRecords = hasNewRecords ? 0 : pagesWithoutNewRecords + 1;
			const isPaged = pageSize !== undefined;
			const end = findEnd(page, { number, totalPages, isPaged, hasNewRecords });
			const isLast = end === number;
			if (hasKnown && hasNewRecords) client.notices.add(hasChanged(list));
			yield { records, isLast };
			if (isLast) return;
			if (pagesWithoutNewRecords >= MAX_PAGES_WITHOUT_NEW_RECORDS) throw endlessList(list);
			const ahead = Math.ceil(needed() / Math.max(1, response.records.length));
			const last = Math.min(number + Math.min(ahead, client.options.parallel), end ?? number);
			for (let next = number + 1; next <= last; next++)
				if (!requested.has(next)) requestAhead(next);
		}
	} finally {
		// Nobody waits for these any more. Most lists have none, and a signal takes long to abort.
		if (requested.size > 0) ending.abort();
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
	hasNewRecords: boolean;
}

/** The number of the last page; undefined if only a later page can tell. */
function findEnd(
	{ last }: PageFields,
	{ number, totalPages = 0, isPaged, hasNewRecords }: Progress,
): number | undefined {
	if (last === true) return number;
	if (number < totalPages - 1) return totalPages - 1;
	if (last === false) return hasNewRecords || totalPages === 0 ? undefined : number;
	// Where the service does not say whether there are more, a page without new records is the last one.
	return isPaged && totalPages === 0 && hasNewRecords ? undefined : number;
}

/** What to say if a page repeats records of an earlier one among new ones. */
const hasChanged = ({ purpose }: Call) =>
	`The list changed while it was read (to ${purpose}), so some records may be missing. Run the node again.`;

function endlessList({ purpose }: Call): ServiceFailure {
	const texts = {
		problem: `the service sent ${MAX_PAGES_WITHOUT_NEW_RECORDS} pages in a row without a new record, but says that there are more`,
		advice: 'Use filters to make the list shorter, or ask the operator of the service',
	};
	const failure = { fault: 'list', cause: 'temporarily-unavailable' } as const;
	return new ServiceFailure(purpose, failure, texts);
}

/** Lets each record through once; one without an ID is compared by its content. */
function newDeduplicator<T extends IDataObject>() {
	/** On which page each record was first. */
	const pageOf = new Map<string, number>();
	let page = 0;
	/** The new records of the next page, and whether there were also old ones. */
	return (records: T[], kind: RecordKind<T>) => {
		page += 1;
		const fresh: T[] = [];
		let hasKnown = false;
		for (const record of records) {
			const key = recordId(record, kind) ?? JSON.stringify(record);
			const first = pageOf.get(key);
			if (first === undefined) {
				pageOf.set(key, page);
				fresh.push(record);
			} else if (first < page) hasKnown = true;
		}
		return { records: fresh, hasKnown };
	};
}

/** How much of a list is read. */
interface ListOptions<T extends IDataObject> extends Pick<PagePlan, 'pageSize'> {
	limit?: number;
	/** Whether to include a record; the limit counts only included ones. */
	matches?(record: T): boolean;
}

/** Reads a list. */
export async function readList<T extends IDataObject>(
	client: PageReader,
	call: Call<T>,
	options: ListOptions<T> = {},
): Promise<T[]> {
	return await mapList(client, call, options, (record) => record);
}

/** Reads a list, and keeps only what `map` returns, which saves memory. */
export async function mapList<T extends IDataObject, Kept>(
	client: PageReader,
	call: Call<T>,
	{ pageSize, limit = Infinity, matches }: ListOptions<T>,
	map: (record: T) => Kept,
): Promise<Kept[]> {
	const kept: Kept[] = [];
	const needed = () => limit - kept.length;
	// Where records are left out, small pages would mean many requests.
	const most = matches === undefined ? limit : Infinity;
	const plan = { pageSize: pageSize && Math.min(pageSize, most), needed };
	for await (const { records } of pages(client, call, plan)) {
		for (const record of records) if (matches?.(record) ?? true) kept.push(map(record));
		if (kept.length >= limit) return kept.slice(0, limit);
	}
	return kept;
}
