/**
 * Operations that return a list: Return All, Limit, Output and Filters work the same way in all of
 * them.
 */
import type { IDataObject } from 'n8n-workflow';
import type { Item } from '../fields/item';
import { limitOf } from '../fields/paging';
import type { ShapeName } from '../output/simplified';
import type { ApiRequest } from '../transport/client';
import { readLists } from '../transport/list';
import type { Execution } from './execution';
import { reads, type Operation } from './operation';

/** What to list for an item whose parameters are valid. */
export interface Listing<T extends IDataObject> {
	/** The requests that together list everything; looks up engagement and connector if needed. */
	requests(): Promise<Array<ApiRequest<T>>>;
	/** Omitted if the endpoint has no page parameters. */
	pageSize?: number;
	/** Applies the filters that the service does not have. */
	matches?(record: T): boolean;
	/** For records that do not name their engagement. */
	engagementId?(): Promise<number>;
}

/** Executes an operation that lists records of one shape. */
export function lists<T extends IDataObject>(
	shape: ShapeName,
	prepare: (item: Item, execution: Execution) => Listing<T>,
): Operation['execute'] {
	return reads((item, execution) => {
		const { requests, pageSize, matches, engagementId } = prepare(item, execution);
		const limit = limitOf(item);
		const toOutput = execution.outputMapper(item, shape);
		return async () => {
			const id = await engagementId?.();
			const map = (record: T) => toOutput(record, id);
			const options = { pageSize, limit, matches, map };
			const records = await readLists(execution.client, await requests(), options);
			execution.addListHints(item, records.length);
			return records;
		};
	});
}
