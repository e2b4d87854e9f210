import type { Call } from './routes.mts';
import type { PageFields } from './settings.mts';
import { readPage } from './validate.mts';

/** A page of a list, and what the response says about it, but for its order; pages count from 0. */
export function paged<T>(call: Call, list: readonly T[], record: (row: T) => unknown): unknown {
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
		documented: { ...position, ...totals, size, number },
		lastOnly: { last },
		totalPages: { totalPages },
		none: {},
		endless: { last: false },
	};
	return { content, ...fields[settings.pageFields] };
}

/** A list without documented page parameters. */
export function unpaged(content: readonly object[]): object {
	return { content };
}
