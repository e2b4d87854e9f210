import type { Settings } from './settings.mts';

/** The requested page; `number` counts from 0. */
export interface PageRequest {
	number: number;
	size: number;
}

/** A page of a list. */
interface Page<T> {
	rows: readonly T[];
	number: number;
	size: number;
	total: number;
}

/** Cuts a page out of a list, according to the settings. */
export function makePage<T>(list: readonly T[], asked: PageRequest, settings: Settings): Page<T> {
	const size = Math.min(asked.size, settings.maxPageSize);
	const lastNumber = Math.max(0, Math.ceil(list.length / size) - 1);
	const number = settings.repeatLastPage ? Math.min(asked.number, lastNumber) : asked.number;
	const rows = list.slice(number * size, (number + 1) * size);
	return { rows, number, size, total: list.length };
}

/** What a response says about a page. */
export function pageFields(
	{ rows, number, size, total }: Page<unknown>,
	settings: Settings,
): Record<string, unknown> {
	const totalPages = Math.ceil(total / size);
	const last = !settings.neverLast && number >= totalPages - 1;
	switch (settings.pageFields) {
		case 'none':
			return {};
		case 'lastOnly':
			return { last };
		case 'totalPagesAndNumber':
			return { totalPages, number };
		case 'sizeOnly':
			return { size };
		case 'nestedPage':
			return { page: { size, number, totalElements: total, totalPages } };
		case 'spring':
			return {
				last,
				first: number === 0,
				totalPages,
				totalElements: total,
				numberOfElements: rows.length,
				size,
				number,
				sort: 'ASC',
			};
	}
}
