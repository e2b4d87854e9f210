/** Reads the service's lists, completely or up to a limit. */
import type { IDataObject } from 'n8n-workflow';
import { identityKey } from './responses';
import type { ApiRequest, ServiceClient } from './client';
import { readAll } from './pageReader';
import type { FetchPage } from './prefetch';

/** How much of a list is read, and what is kept of it. */
export interface ListOptions<T extends IDataObject> {
	/** Omitted if the endpoint has no page parameters. */
	pageSize?: number;
	limit?: number;
	/** maximum number of pages to read */
	pages?: number;
	/** Whether to include a record; the limit counts only included ones. */
	matches?(record: T): boolean;
	/** Maps a record to what is kept of it. */
	map?(record: T): IDataObject;
}

/**
 * Reads a list. Even without page parameters, further pages are read if the response says there are
 * more.
 */
export async function readList<T extends IDataObject>(
	client: ServiceClient,
	request: ApiRequest<T>,
	options: ListOptions<T> & { map(record: T): IDataObject },
): Promise<IDataObject[]>;
export async function readList<T extends IDataObject>(
	client: ServiceClient,
	request: ApiRequest<T>,
	options?: Omit<ListOptions<T>, 'map'>,
): Promise<T[]>;
export async function readList<T extends IDataObject>(
	client: ServiceClient,
	request: ApiRequest<T>,
	{ pageSize, limit, pages = Infinity, matches, map }: ListOptions<T> = {},
): Promise<IDataObject[]> {
	const isShort = limit !== undefined && matches === undefined;
	const size = pageSize === undefined || !isShort ? pageSize : Math.min(pageSize, limit);
	let statedSize: number | undefined;
	const fetch: FetchPage<T> = async (page, isWanted) => {
		if (page >= pages) return { records: [], page: { last: true } };
		const pageQuery = size === undefined && page === 0 ? {} : { page, size: size ?? statedSize };
		const query = { ...request.query, ...pageQuery };
		const response = await client.page({ ...request, query, isWanted });
		statedSize = response.page.size;
		return response;
	};
	const { parallel } = client.options;
	return await readAll({
		kind: request.kind,
		fetch,
		pageSize: size,
		limit,
		parallel,
		matches,
		map,
	});
}

/** Reads several lists as if they were one: a record in more than one list counts once. */
export async function readLists<T extends IDataObject>(
	client: ServiceClient,
	requests: Array<ApiRequest<T>>,
	{ limit = Infinity, map, ...options }: ListOptions<T> & { map(record: T): IDataObject },
): Promise<IDataObject[]> {
	const [only, ...others] = requests;
	const limited = { ...options, ...(limit < Infinity && { limit }) };
	if (only !== undefined && others.length === 0)
		return await readList(client, only, { ...limited, map });
	const records = new Map<string, T>();
	for (const request of requests) {
		if (records.size >= limit) break;
		// Each is read up to the full limit, since it may repeat all records of the earlier ones.
		const list = await readList(client, request, limited);
		for (const record of list) {
			const identity = identityKey(record, request.kind) ?? JSON.stringify(record);
			if (!records.has(identity)) records.set(identity, record);
		}
	}
	return [...records.values()].slice(0, limit).map(map);
}
