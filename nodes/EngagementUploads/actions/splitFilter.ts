/** Splits a filter by IDs into several requests, if it is too long for one. */
import type { IDataObject } from 'n8n-workflow';
import { splitIntoChunks } from '../lookups/lookUp';
import type { ServiceClient } from '../transport/client';
import type { ApiRequest, Call, Query } from '../transport/request';
import { InputError } from '../values/inputError';
import { isEmpty } from '../values/text';
import type { Item } from './item';

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
	client: ServiceClient,
	toRequest: (query: Query) => ApiRequest<T>,
	{ name, label, ids, maxIds, query = {} }: IdFilter,
): Array<Call<T>> {
	const { customQuery } = item.values.options;
	// A value in Custom Query takes precedence, and is sent as it is.
	if (ids === undefined || Object.hasOwn(customQuery, name))
		return [item.request(toRequest(query))];
	const whole = item.request(toRequest({ [name]: '', ...query }));
	const chunks = splitIntoChunks(ids, maxIds, client.remainingLength(whole));
	const order = customQuery.orderBy ?? query.orderBy;
	if (chunks.length > 1 && !isEmpty(order)) {
		throw new InputError(
			`Sort cannot be combined with this many entries in ${label}, since they need several requests`,
			`Remove Sort (or orderBy in Custom Query), or some of the entries in ${label}: the first ${chunks[0]?.length} fit into one request`,
		);
	}
	return chunks.map((chunk) => item.request(toRequest({ [name]: chunk.join(','), ...query })));
}
