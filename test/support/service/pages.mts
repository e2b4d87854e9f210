import type { Call } from './routes.mts';
import type { PageFields } from './settings.mts';
import { readPage } from './validate.mts';

/** Lists whose page fields are documented; other lists have those of the first. */
type PagedList = 'engagements' | 'uploads';

/** A page of a list, and what the response says about it; pages count from 0. */
export function paged<T>(
	call: Call,
	name: PagedList,
	list: readonly T[],
	record: (row: T) => unknown,
): unknown {
	const { settings } = call.service;
	const asked = readPage(call.query);
	const size = Math.min(asked.size, settings.maxPageSize);
	const { number } = asked;
	const totalPages = Math.ceil(list.length / size);
	const content = list.slice(number * size, (number + 1) * size).map(record);
	const last = number >= totalPages - 1;
	const position = { first: number === 0, last, numberOfElements: content.length };
	const totals = { totalPages, totalElements: list.length };
	const fields: Record<PageFields, object> = {
		documented: { ...position, ...totals, size, number, ...sortFields(name, call) },
		lastOnly: { last },
		totalPages: { totalPages },
		none: {},
		endless: { last: false },
	};
	return { content, ...fields[settings.pageFields] };
}

/** What a page says about its order; `ignoreCase` is documented as the opposite of its name. */
function sortFields(name: PagedList, { service: { settings }, query }: Call): object {
	const usual = settings.unsortedDefault === 'newestFirst' ? '-creationDate' : 'creationDate';
	const { orderBy = usual } = settings.orderBy === 'honoured' ? query : {};
	const descending = orderBy.startsWith('-');
	const direction = descending ? 'DESC' : 'ASC';
	if (name === 'engagements') return { sort: direction };
	const property = orderBy.replace(/^-/, '').replace(/,.*/, '');
	const order = { ascending: !descending, descending, ignoreCase: true, nullHandling: 'NATIVE' };
	return { direction, property, ...order };
}

/** A list without documented page parameters. */
export function unpaged(content: readonly object[]): object {
	return { content };
}
