/** Return All and Limit: how much of a list to return. */
import { dependent, flag, number } from './field';

/** Limit is undefined if Return All is on. */
const pagingWith = (hint?: string) => ({
	returnAll: flag('Return All', 'Whether to return all results or only up to a given limit'),
	limit: dependent(
		// With `show: [false]`, the text “False” would hide Limit, and n8n leaves out hidden parameters.
		{ hide: { returnAll: [true] } },
		number('Limit', 'Max number of results to return', { default: 50, min: 1 }, { hint }),
	),
});

export const paging = pagingWith();

/** The same for lists that can be sorted. */
export const sortablePaging = pagingWith('For the newest, add Sort by a date, descending');
