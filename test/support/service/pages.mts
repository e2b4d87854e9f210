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
	const totalElements = list.length;
	const totalPages = Math.ceil(totalElements / size);
	const lastNumber = Math.max(0, totalPages - 1);
	const number = settings.repeatLastPage ? Math.min(asked.number, lastNumber) : asked.number;
	const content = list.slice(number * size, (number + 1) * size).map(record);
	const last = !settings.neverLast && number >= lastNumber;
	const totals = { totalPages, totalElements };
	const position = { first: number === 0, last, numberOfElements: content.length };
	const documented = { ...position, ...totals, size, number, ...sortFields(name, call) };
	const fields: Record<PageFields, object> = {
		none: {},
		lastOnly: { last },
		totalPagesAndNumber: { totalPages, number },
		sizeOnly: { size },
		nestedPage: { page: { size, number, ...totals } },
		documented,
		worded: { ...documented, ...asWorded(name, documented) },
	};
	return { content, ...fields[settings.pageFields] };
}

/** What a page says about its order; `ignoreCase` is documented as the opposite of its name. */
function sortFields(name: PagedList, { service: { settings }, query }: Call): object {
	const usual = settings.unsortedDefault === 'newestFirst' ? '-creationDate' : 'creationDate';
	const { orderBy = usual } = settings.honourOrderBy ? query : {};
	const descending = orderBy.startsWith('-');
	const direction = descending ? 'DESC' : 'ASC';
	if (name === 'engagements') return { sort: direction };
	const property = orderBy.replace(/^-/, '').replace(/,.*/, '');
	const order = { ascending: !descending, descending, ignoreCase: true, nullHandling: 'NATIVE' };
	return { direction, property, ...order };
}

/** The page fields whose descriptions say something else than their names. */
function asWorded(
	name: PagedList,
	page: { number: number; size: number; numberOfElements: number },
): object {
	const firstElement = page.number * page.size + 1;
	return name === 'uploads'
		? { number: firstElement }
		: { totalElements: page.numberOfElements, numberOfElements: firstElement };
}

/** A list without documented page parameters. */
export function unpaged<T>(list: readonly T[], record: (row: T) => unknown): unknown {
	return { content: list.map(record) };
}
