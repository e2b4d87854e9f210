/** Reads the service's lists, completely or up to a limit. */
import type { IDataObject } from 'n8n-workflow';
import type { ServiceClient } from '../client';
import type { ApiRequest } from '../request';
import { TimeSlice } from '../http/slices';
import { pages } from './pages';
import { idOf } from './recordKind';

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
