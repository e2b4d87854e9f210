/** Lists of the service, read whole or up to a limit. */
import type { IDataObject } from 'n8n-workflow';
import type { FetchPage } from './prefetch';
import { readAll } from './pageReader';
import { identityKey, type RecordKind } from './answers';
import type { Call, ServiceClient } from './client';

/** How much of a list is read. Without `pageSize` the interface knows no page parameters for it. */
export interface ListExtent {
	pageSize?: number;
	limit?: number;
	/** Most pages to read. */
	pages?: number;
	/** Makes what is wanted of a record. */
	shape?(record: IDataObject): IDataObject;
}

/** Reads a list; lists without page parameters are followed too where the answer tells of more. */
export async function readList(
	service: ServiceClient,
	call: Call,
	kind: RecordKind,
	{ pageSize, limit, pages = Infinity, shape }: ListExtent = {},
): Promise<IDataObject[]> {
	const size = pageSize === undefined ? undefined : Math.min(pageSize, limit ?? Infinity);
	let statedSize: number | undefined;
	const fetch: FetchPage = async (page, isWanted) => {
		if (page >= pages) return { records: [], page: { last: true } };
		const pageQuery = size === undefined && page === 0 ? {} : { page, size: size ?? statedSize };
		const query = { ...call.query, ...pageQuery };
		const answer = await service.page({ ...call, query, isWanted }, kind);
		statedSize = answer.page.size;
		return answer;
	};
	const { parallel } = service.options;
	return await readAll({ kind, fetch, pageSize: size, limit, parallel, shape });
}

/** Reads lists one after the other as if they were one: a record that is on several counts once. */
export async function readLists(
	service: ServiceClient,
	calls: Call[],
	kind: RecordKind,
	{ limit = Infinity, shape = (record) => record, ...extent }: ListExtent = {},
): Promise<IDataObject[]> {
	const [only, ...others] = calls;
	const limited = { ...extent, ...(limit < Infinity && { limit }) };
	if (only !== undefined && others.length === 0)
		return await readList(service, only, kind, { ...limited, shape });
	const records = new Map<string, IDataObject>();
	for (const call of calls) {
		if (records.size >= limit) break;
		// So many hold what is missing, even if all that is there already comes again.
		const list = await readList(service, call, kind, limited);
		for (const record of list) {
			const identity = identityKey(record, kind) ?? JSON.stringify(record);
			if (!records.has(identity)) records.set(identity, record);
		}
	}
	return [...records.values()].slice(0, limit).map((record) => shape(record));
}
