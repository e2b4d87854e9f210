/** Filters by IDs, which may be more than go into one request. */
import type { Item } from '../actions/execution';
import { chunked } from '../transport/batch';
import { withQuery, type Query } from '../transport/url';
import { InputError } from '../values/input';

/** A filter as the service takes it. */
export interface IdFilter {
	/** of the parameter, and as the editor calls it */
	name: string;
	field: string;
	ids: readonly string[] | undefined;
	/** most IDs in a request */
	most: number;
}

/** The queries that, one after the other, list everything that the filter lets through. */
export function filterQueries(item: Item, path: string, query: Query, filter: IdFilter): Query[] {
	const { name, field, ids, most } = filter;
	// What Custom Query names wins, and is asked for once.
	if (ids === undefined || Object.hasOwn(item.options.customQuery, name)) return [query];
	const room = item.run.service.roomIn(withQuery(path, { [name]: '', ...query }));
	const chunks = chunked(ids, most, room);
	if (chunks.length > 1 && query.orderBy !== undefined) {
		const advice = `Remove Sort, or enter at most ${most} entries in ${field}`;
		throw item.refusal(
			new InputError(`Sort works only on what fits into one request: ${field} is too long`, advice),
		);
	}
	return chunks.map((chunk) => ({ [name]: chunk.join(','), ...query }));
}
