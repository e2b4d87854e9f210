/** What to list for an item: the requests, and what is checked at the end of the list. */
import type { IDataObject } from 'n8n-workflow';
import { splitIntoChunks } from '../lookups/lookUp';
import type { ApiRequest, Call, Query } from '../transport/request';
import { InputError, quote } from '../values/inputError';
import { foldCase, isAbsent, isEmpty } from '../values/text';
import type { Hints } from './hints';
import type { Item } from './item';

export interface Listing<T extends IDataObject = IDataObject> {
	/** The requests that together list everything. */
	requests: Array<Call<T>>;
	/** Applies the filters that the service does not have. */
	matches?(record: T): boolean;
	/** Is called at the end of the list, unless Limit was reached before. @throws InputError */
	atEnd?(): void;
}

/** A filter by IDs, which may be too long for one request. */
interface IdFilter {
	/** the query parameter */
	name: string;
	/** its label in the editor */
	label: string;
	ids: readonly string[] | undefined;
	/** maximum number of IDs in a request */
	maxIds: number;
	/** what else the requests ask for */
	query?: Query;
}

/**
 * The requests that together list everything that matches the filter, with the item's options.
 * @throws InputError if several requests could not keep the requested order
 */
export function splitFilter<T extends IDataObject>(
	item: Item,
	toRequest: (query: Query) => ApiRequest<T>,
	{ name, label, ids, maxIds, query = {} }: IdFilter,
): Array<Call<T>> {
	const { customQuery } = item.values.options;
	// A value in Custom Query takes precedence, and is sent as it is.
	if (ids === undefined || Object.hasOwn(customQuery, name))
		return [item.request(toRequest(query))];
	const chunks = splitIntoChunks(ids, maxIds);
	const order = customQuery.orderBy ?? query.orderBy;
	if (chunks.length > 1 && !isEmpty(order)) {
		throw new InputError(
			`Sort cannot be combined with this many entries in ${label}, since they need several requests`,
			`Remove Sort (or orderBy in Custom Query), or some of the entries in ${label}: the first ${chunks[0]?.length} fit into one request`,
		);
	}
	return chunks.map((chunk) => item.request(toRequest({ [name]: chunk.join(','), ...query })));
}

/** What follows from the values that a field has in all records of a list, before `matches`. */
export interface FieldCheck {
	field: string;
	/** @throws InputError */
	atEnd(values: Set<unknown>): void;
}

/** A listing that makes these checks, of which some may not apply. */
export function withChecks<T extends IDataObject>(
	{ requests, matches = () => true }: Listing<T>,
	...checks: Array<FieldCheck | undefined>
): Listing<T> {
	const seen = checks
		.filter((check) => check !== undefined)
		.map((check) => ({ check, values: new Set<unknown>() }));
	return {
		requests,
		matches(record) {
			for (const { check, values } of seen) values.add(record[check.field]);
			return matches(record);
		},
		atEnd() {
			for (const { check, values } of seen) check.atEnd(values);
		},
	};
}

/** Names external IDs that no record has. */
export const unfoundIds = (ids: string[], hints: Hints): FieldCheck => ({
	field: 'externalEngagementId',
	atEnd(values) {
		const found = new Set([...values].map(foldCase));
		for (const id of ids) if (!found.has(foldCase(id))) hints.add('unfound', quote(id));
	},
});

/** Refuses a filter by a field that no record has: nothing would match it. */
export const requireField = (field: string, filter: string): FieldCheck => ({
	field,
	atEnd(values) {
		if (values.size === 0 || ![...values].every(isAbsent)) return;
		throw new InputError(
			`The filter ${filter} cannot be applied: none of the records of the service has a value in ${field}`,
			`Remove the filter ${filter}`,
		);
	},
});
