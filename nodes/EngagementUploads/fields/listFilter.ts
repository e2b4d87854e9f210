/** Filters by lists of IDs, which may not fit into one request. */
import { chunked } from '../transport/batch';
import type { Query } from '../transport/url';
import { InputError } from '../values/inputError';

/** A filter as the service expects it. */
export interface ListFilter {
	/** the query parameter */
	name: string;
	/** its label in the editor */
	field: string;
	ids: readonly string[] | undefined;
	/** maximum number of IDs in a request */
	maxIds: number;
}

/**
 * The queries that together list everything that matches the filter.
 * @param maxCharacters room for the IDs in a URL
 * @throws InputError if several requests could not keep the requested order
 */
export function splitQuery(
	query: Query,
	{ name, field, ids, maxIds }: ListFilter,
	maxCharacters: number,
): Query[] {
	if (ids === undefined) return [query];
	const chunks = chunked(ids, maxIds, maxCharacters);
	if (chunks.length > 1 && query.orderBy !== undefined) {
		throw new InputError(
			`Sort works only within one request, and ${field} has too many entries for one`,
			`Remove Sort, or enter at most ${maxIds} entries in ${field}`,
		);
	}
	return chunks.map((chunk) => ({ [name]: chunk.join(','), ...query }));
}
