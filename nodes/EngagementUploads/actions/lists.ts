/**
 * Operations that return a list: Return All, Limit, Output and Filters work the same way in all of
 * them.
 */
import type { IDataObject } from 'n8n-workflow';
import type { KindName } from '../api/records';
import type { Field } from '../fields/field';
import type { Item } from '../fields/item';
import type { RequestOptions } from '../fields/options';
import type { output } from '../fields/output';
import type { paging } from '../fields/paging';
import type { ApiRequest } from '../transport/request';
import { readLists } from '../transport/lists/list';
import type { Execution } from './execution';
import { reads, type Implementation } from './operation';

/** What to list for an item whose parameters are valid. */
export interface Listing<T extends IDataObject> {
	/** The requests that together list everything. */
	requests: Array<ApiRequest<T>>;
	/** Applies the filters that the service does not have. */
	matches?(record: T): boolean;
	/** For records that do not name their engagement. */
	engagementId?: number;
}

type ListFields = ReturnType<typeof output> &
	typeof paging & {
		filters?: Field<object>;
		/** Without Page Size if the endpoint has no page parameters. */
		options: Field<RequestOptions & { pageSize?: number }>;
	};

/**
 * An operation that lists records of one kind. `prepare` validates what it lists; its result looks
 * up engagement and connector if needed.
 */
export function lists<F extends ListFields, T extends IDataObject>(
	kind: KindName,
	fields: F,
	prepare: (item: Item<F>, execution: Execution<F>) => () => Promise<Listing<T>>,
): Implementation {
	return reads(fields, (execution) => (item) => {
		const listing = prepare(item, execution);
		const { limit, filters = {}, options } = item.values;
		const { pageSize } = options;
		const toOutput = execution.outputMapper(item.values, kind);
		const isFiltered = Object.values(filters).some((each) => each !== undefined);
		return async () => {
			const { requests, matches, engagementId } = await listing();
			const map = (record: T) => toOutput(record, engagementId);
			const list = { pageSize, limit, matches, map };
			const records = await readLists(execution.client, requests, list);
			if (records.length === 0 && isFiltered) execution.hints.add('nothingMatched', item.index);
			return records;
		};
	});
}
