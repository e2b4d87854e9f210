import type { Call } from './routes.mts';
import type { PageFields } from './settings.mts';
import { readPage } from './validate.mts';

/** A page of a list, and what the response says about it; pages count from 0. */
export function paged<T>(
	{ service: { settings }, query }: Call,
	list: readonly T[],
	record: (row: T) => unknown,
): unknown {
	const asked = readPage(query);
	const size = Math.min(asked.size, settings.maxPageSize);
	const totalElements = list.length;
	const totalPages = Math.ceil(totalElements / size);
	const lastNumber = Math.max(0, totalPages - 1);
	const number = settings.repeatLastPage ? Math.min(asked.number, lastNumber) : asked.number;
	const content = list.slice(number * size, (number + 1) * size).map(record);
	const last = !settings.neverLast && number >= lastNumber;
	const totals = { totalPages, totalElements };
	const position = { first: number === 0, last, numberOfElements: content.length };
	const fields: Record<PageFields, object> = {
		none: {},
		lastOnly: { last },
		totalPagesAndNumber: { totalPages, number },
		sizeOnly: { size },
		nestedPage: { page: { size, number, ...totals } },
		spring: { size, number, ...totals, ...position, sort: 'ASC' },
	};
	return { content, ...fields[settings.pageFields] };
}

/** A list without documented page parameters. */
export function unpaged<T>(call: Call, list: readonly T[], record: (row: T) => unknown): unknown {
	const { settings } = call.service;
	if (settings.pageFieldsOnUnpaged) return paged(call, list, record);
	return { content: list.map(record) };
}
